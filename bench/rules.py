"""How fast the rules are: a swap decided and folded, a round of 500 records rebuilt from its bytes, and verified."""

import hashlib
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

from msgspec import Raw

from shared.eventlog.chain import genesis, link
from shared.eventlog.port import Row
from shared.games.quatro.commands import CallQuatro, SwapCard
from shared.games.registry import GAMES
from shared.kernel import HOUSE, BadRules, Command, Decision, Moment, Refused
from shared.replay import Verified, rebuild, verify_round
from shared.table import commands
from shared.table.boundary import boundary, canonical
from shared.table.decide import decide
from shared.table.due import next_house
from shared.table.evolve import fold
from shared.table.record import NO_CARRY, Record, Sender, Via, encode
from shared.table.state import State, is_boundary

TABLE = "0198c0de-0000-7000-8000-00000000b0b5"
PLAYERS = tuple(f"0198c0de-0000-7000-8000-{seat:012}" for seat in range(4))
ROUND_RECORDS = 500
STEP_US = 501_000


class Recorder:
    """Keeps one table as its owner would, in memory, on a clock of its own."""

    def __init__(self) -> None:
        self.state: State | None = None
        self.now = 1_700_000_000_000_000
        self.head = genesis(TABLE)
        self.rows: list[Row] = []

    def send(self, player: int, command: Command) -> None:
        """A player's command, after what is due."""
        self.catch_up()
        seat = player if self.state and self.state.table.seats[player].player else None
        self.record(Sender(PLAYERS[player], seat), command, self.now)

    def catch_up(self) -> None:
        """Decide what is due."""
        while self.state and (step := next_house(self.state, self.now)):
            command = step.command
            prepare = isinstance(command, commands.Prepare)
            self.record(HOUSE, commands.Prepare("5a" * 32) if prepare else command, step.at)

    def record(self, by: Sender | str, command: Command, at: int) -> None:
        """Decide a command and keep its row."""
        state = self.state
        now = Moment(state.version + 1 if state else 1, at)
        record = self.filled(by, command, now, decide(state, by, command, now))
        body = encode(record)
        self.head = link(self.head, now.version, body)
        self.rows.append(Row(TABLE, now.version, record.round, at, body, self.head))
        self.state = fold(state, record)

    def filled(self, by: Sender | str, command: Command, now: Moment, decision: Decision) -> Record[Any, Any]:
        """The record of a decision, with ids of the usual length."""
        state = self.state
        salt = hashlib.sha256(str(now.version).encode()).hexdigest()
        player = isinstance(by, Sender)
        return Record(
            v=1,
            table=TABLE,
            n=now.version,
            round=state.table.round if state else 0,
            at=now.at,
            epoch=1,
            by=by,
            command=command,
            salt=salt[:32],
            id=f"{salt[32:40]}-0000-4000-8000-{salt[40:52]}" if player else "",
            via=Via("gateway-1", now.at, now.at, now.at) if player else None,
            events=None if isinstance(decision, Refused) else decision,
            refused=decision if isinstance(decision, Refused) else None,
            carry=Raw(boundary(state)) if state and is_boundary(state) else NO_CARRY,
        )


def played_round() -> tuple[list[Row], Recorder]:
    """The rows of a round of 500 records (swaps, one in ten refused), and the table in the middle of it."""
    desk, middle = _opened(), Recorder()
    while len(desk.rows) - _before_round(desk) < ROUND_RECORDS - 1:
        desk.now += STEP_US
        _swap(desk, len(desk.rows))
        if len(desk.rows) - _before_round(desk) < ROUND_RECORDS // 2:
            middle.state, middle.now, middle.head = desk.state, desk.now, desk.head
    desk.send(0, CallQuatro(anyway=True))
    return [row for row in desk.rows if row.round == 1], middle


def _opened() -> Recorder:
    game, desk = GAMES["quatro"], Recorder()
    rules = game.read_rules({"round_seconds": 3600}, len(PLAYERS))
    assert not isinstance(rules, BadRules), rules
    create = commands.CreateTable(TABLE, game.name, game.revision, len(PLAYERS), canonical(rules))
    desk.record(Sender(PLAYERS[0]), create, desk.now)
    for seat in range(1, len(PLAYERS)):
        desk.send(seat, commands.Sit(seat))
    desk.send(0, commands.StartGame())
    for seat in range(len(PLAYERS)):
        desk.send(seat, commands.Ready())
    desk.catch_up()
    return desk


def _before_round(desk: Recorder) -> int:
    return sum(row.round == 0 for row in desk.rows[:10])


def _swap(desk: Recorder, turn: int) -> None:
    """Each seat in turn swaps; every tenth aims at a card that is not there."""
    desk.catch_up()
    desk.send(turn % 4, swap(desk.state, turn % 4, turn % 3, missing=turn % 10 == 0))


def swap(state: Any, seat: int, place: int, missing: bool = False) -> SwapCard:
    """A swap that succeeds, or one aimed at a card that lies elsewhere."""
    play = state.play
    aimed = play.centre[(place + 1) % 4] if missing else play.centre[place]
    return SwapCard(play.hands[seat][place], place, aimed)


def spans_us(run: Callable[[], object], times: int) -> tuple[float, float]:
    """Median and least time of so many runs, in µs; the least is what the machine can do when nothing disturbs it."""
    spans = []
    for _ in range(times):
        began = perf_counter()
        run()
        spans.append((perf_counter() - began) * 1e6)
    return median(spans), min(spans)


def main() -> None:
    """Print the figures, one a line."""
    rows, middle = played_round()
    state = middle.state
    assert state is not None, "the table stands"
    assert isinstance(verify_round(rows), Verified), "the round holds"
    by, command, now = Sender(PLAYERS[1], 1), swap(state, 1, 0), Moment(state.version + 1, middle.now + 10_000_000)
    record = middle.filled(by, command, now, decide(state, by, command, now))
    moves, rounds = 20_000, 60
    _print(
        "swap decided and folded", "µs", spans_us(lambda: (decide(state, by, command, now), fold(state, record)), moves)
    )
    _print("swap decided", "µs", spans_us(lambda: decide(state, by, command, now), moves))
    _print("swap folded", "µs", spans_us(lambda: fold(state, record), moves))
    _print(f"{len(rows)} records rebuilt", "ms", spans_us(lambda: rebuild(rows), rounds), 1000)
    verified = spans_us(lambda: verify_round(rows), rounds)
    _print(f"{len(rows)} records verified", "ms", verified, 1000)
    rates = [len(rows) / us * 1e6 for us in verified]
    print(f"{'records verified a second':28} median {rates[0]:9,.0f}     best {rates[1]:9,.0f}")


def _print(what: str, unit: str, spans: tuple[float, float], per: int = 1) -> None:
    middle, least = (span / per for span in spans)
    print(f"{what:28} median {middle:9.2f} {unit}  best {least:9.2f} {unit}")


if __name__ == "__main__":
    main()
