"""What a move costs the table service, beside the log and the bus: `python -m bench.keeper`."""

import statistics
import sys
import time
import uuid
from collections.abc import Callable
from typing import Any

import msgspec

from services.table.keeper import Keeper
from services.table.publisher import Publisher
from services.table.receipts import Receipts
from shared.eventlog.appender import Fate
from shared.eventlog.port import Head, Row
from shared.games.registry import GAMES
from shared.table import view
from shared.table.commands import CreateTable, Ready, Sit, StartGame
from shared.table.record import Sender
from shared.wire.messages import Answer, Envelope

PLAYERS = ("ada", "bo", "cas", "dee")
RULES = {"prepare_seconds": 1, "swap_wait_seconds": 0, "round_seconds": 3600}


class Office:
    """An office whose log takes everything at once and whose clock is the caller's."""

    def __init__(self) -> None:
        self.time = 1_800_000_000_000_000
        self.publisher = Publisher(self, lambda: self.time, lambda _: True)  # type: ignore[arg-type]
        self.busy = False
        self.sent = 0
        self.connected = True
        self.receipts = Receipts(None, "bench")

    def at(self, last: int) -> int:
        return max(self.time, last)

    def submit(self, keeper: Keeper, row: Row, heads: tuple[Head, ...], done: Callable[[Fate], None]) -> None:
        done(Fate.COMMITTED)

    def answer(self, keeper: Keeper, gateway: str, answer: Answer) -> None:
        self.publisher.answer(keeper, gateway, answer)

    def committed(self, keeper: Keeper) -> None:
        self.publisher.publish_now(keeper)

    def wake_at(self, keeper: Keeper, at: int | None) -> None:
        pass

    def publish(self, subject: str, payload: bytes, reply: str | None = None) -> None:
        self.sent += len(payload)


def table(office: Office) -> Keeper:
    """A table of Quatro with four persons at one gateway, in an open round."""
    game = GAMES["quatro"]
    keeper = Keeper(office, str(uuid.uuid4()), 0, 1)
    rules = msgspec.Raw(msgspec.json.encode(game.read_rules(RULES, 4)))

    def send(player: str, command: Any) -> None:
        office.time += 1_000
        keeper.take(
            Envelope(keeper.id, player, str(uuid.uuid4()), b"", "gateway", 0), command, Sender(player), office.time
        )

    send("ada", CreateTable(keeper.id, "quatro", game.revision, 4, rules))
    for seat, player in enumerate(PLAYERS[1:], 1):
        send(player, Sit(seat))
    keeper.presence.hold("gateway", frozenset(PLAYERS), 0, office.time)
    send("ada", StartGame())
    for player in PLAYERS:
        send(player, Ready())
    assert keeper.state is not None
    assert keeper.state.phase == "playing"
    return keeper


def moves(keeper: Keeper, office: Office, count: int) -> list[float]:
    """Seconds that each swap took, from the envelope's decoded command to the messages for the gateway."""
    spent = []
    for n in range(count):
        office.time += 60_000
        seat = n % 4
        state = keeper.state
        assert state is not None
        assert keeper.codec is not None
        own, public = view.own(state, seat), view.public(state, {}, 0)
        body = msgspec.json.encode(
            {
                "type": "SwapCard",
                "card": own["hand"][n % 4],  # type: ignore[index]
                "place": n % 4,
                "aimed_at": public["centre"][n % 4],  # type: ignore[index]
            }
        )
        envelope = Envelope(keeper.id, PLAYERS[seat], str(uuid.uuid4()), body, "gateway", office.time)
        began = time.perf_counter()
        command = keeper.codec.decode_command(envelope.command)
        keeper.take(envelope, command, Sender(PLAYERS[seat]), office.time)  # type: ignore[arg-type]
        spent.append(time.perf_counter() - began)
    return spent


def main() -> None:
    """Print the median."""
    office = Office()
    keeper = table(office)
    moves(keeper, office, 200)
    if "profile" in sys.argv:
        import cProfile

        profile = cProfile.Profile()
        profile.enable()
        moves(keeper, office, 5_000)
        profile.disable()
        profile.print_stats("tottime")
    spent = moves(keeper, office, 5_000)
    print(f"a swap in the table service  median {statistics.median(spent) * 1e6:6.1f} µs")


if __name__ == "__main__":
    main()
