"""Duels: two players swap for one card through two gateways, a thousand times: `python -m bench.duel`.

Each time exactly one gets it and the other hears `card_gone`, with the winner's seat and the margin; the log and the
replay say the same.
"""

import asyncio
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from bench.running import running
from services.cli.checking import check_round
from services.cli.client import Client
from services.cli.finding import database
from services.cli.story import Step, steps
from shared.eventlog.postgres import PostgresEventLog

RULES: dict[str, object] = {
    "target_points": 50,
    "prepare_seconds": 1,
    "round_seconds": 3600,
    "swap_wait_seconds": 0,
}
PAUSE_SECONDS = 0.06
"""A seat may send 20 commands a second (T-LIMIT-1)."""
TABLES = 5
"""400 refusals of a seat are recorded in a round (T-LIMIT-1): a thousand duels take more than one table."""


class LostTo(Struct, frozen=True):
    """What the loser hears."""

    seat: int
    margin_us: int


class Verdict(Struct, frozen=True):
    """A verdict, and the seat it was for."""

    id: str
    accepted: bool
    refused: str | None = None
    lost_to: LostTo | None = None
    receipt: str = ""


class Duel(Struct, frozen=True):
    """What both were told."""

    verdicts: tuple[Verdict, Verdict]

    @property
    def winner(self) -> int | None:
        """The seat that got the card, if exactly one did and the other heard of it."""
        for seat in (0, 1):
            won, lost = self.verdicts[seat], self.verdicts[1 - seat]
            if won.accepted and lost.refused == "card_gone" and lost.lost_to is not None and lost.lost_to.seat == seat:
                return seat
        return None


class Duellist:
    """A seated player with a socket at one gateway."""

    def __init__(self, url: str) -> None:
        self.client = Client(url)
        self.public: dict[str, Any] = {}
        self.own: dict[str, Any] = {}
        self._socket: ClientConnection | None = None
        self._waiting: dict[str, asyncio.Future[Verdict]] = {}
        self._changed = asyncio.Event()

    async def open(self, table: str) -> None:
        """Come to the table's socket."""
        address = f"{self.client.url.replace('http', 'ws', 1)}/api/tables/{table}/live"
        self._socket = await connect(address, subprotocols=[Subprotocol("quartet.v1")])
        await self._socket.send(msgspec.json.encode({"type": "hello", "token": self.client.token}).decode())

    async def close(self) -> None:
        """Leave the socket."""
        if self._socket is not None:
            await self._socket.close()

    async def listen(self) -> None:
        """Take what comes until cancelled."""
        assert self._socket is not None
        async for text in self._socket:
            frame = msgspec.json.decode(text)
            if frame["type"] == "view":
                self.public, self.own = frame.get("public", self.public), frame.get("own", self.own)
                self._changed.set()
            elif frame["type"] == "verdict":
                self._waiting.pop(frame["id"]).set_result(msgspec.convert(frame, Verdict))
            elif frame["type"] in ("error", "unknown", "closing"):
                raise RuntimeError(str(frame))

    async def until_playing(self) -> None:
        """Wait for the deal."""
        while self.public.get("phase") != "playing" or not self.own.get("hand"):
            self._changed.clear()
            await self._changed.wait()

    async def until_centre(self, centre: list[str]) -> None:
        """Wait until the centre looks like this."""
        while self.public["centre"] != centre:
            self._changed.clear()
            await self._changed.wait()

    async def swap(self, place: int, aimed_at: str) -> Verdict:
        """Send a swap and wait for the verdict."""
        assert self._socket is not None
        id, card = str(uuid4()), self.own["hand"][0]
        command = {"type": "SwapCard", "card": card, "place": place, "aimed_at": aimed_at}
        self._waiting[id] = asyncio.get_running_loop().create_future()
        await self._socket.send(msgspec.json.encode({"type": "command", "id": id, "command": command}).decode())
        return await self._waiting[id]


async def fight(urls: tuple[str, str], count: int) -> tuple[str, list[Duel]]:
    """So many duels at one table."""
    pair = Duellist(urls[0]), Duellist(urls[1])
    table = await _seat(pair)
    duels: list[Duel] = []
    async with asyncio.TaskGroup() as tasks:
        listening = [tasks.create_task(one.listen()) for one in pair]
        await asyncio.gather(*(one.until_playing() for one in pair))
        for number in range(count):
            await pair[1].until_centre(pair[0].public["centre"])
            duels.append(await _duel(pair, number))
        for task in listening:
            task.cancel()
    for one in pair:
        await one.close()
    return table, duels


async def _duel(pair: tuple[Duellist, Duellist], number: int) -> Duel:
    """Both at once, now one first and now the other."""
    place = number % 4
    aimed_at = pair[0].public["centre"][place]
    first = number // 4 % 2
    sent = [asyncio.create_task(pair[seat].swap(place, aimed_at)) for seat in (first, 1 - first)]
    await asyncio.gather(*sent, asyncio.sleep(PAUSE_SECONDS))
    return Duel((sent[first].result(), sent[1 - first].result()))


async def _seat(pair: tuple[Duellist, Duellist]) -> str:
    """Both at one table, whose other seats nobody plays."""
    for number, one in enumerate(pair):
        await one.client.join(f"duellist {number}")
    host, guest = pair
    table = (await host.client.open("quatro", 4, RULES)).table_id
    await host.client.send(table, {"type": "Sit", "seat": 0})
    await guest.client.send(table, {"type": "Sit", "seat": 1})
    for seat in (2, 3):
        await host.client.send(table, {"type": "AddBot", "seat": seat})
    for one in pair:
        await one.open(table)
    await host.client.send(table, {"type": "StartGame"})
    return table


async def disagreements(log_url: str, table: str, duels: list[Duel]) -> list[str]:
    """Where log or replay say anything else than the players were told."""
    log = PostgresEventLog(log_url, None, "duel", pool_size=2)
    try:
        rows = await log.round_rows(table, 1)
        told: dict[str, Step] = {step.hash: step for step, _ in steps(rows, {})}
        by_version = {step.version: step for step in told.values()}
        found = [f"{table}: {duel}" for duel in duels if not _agrees(duel, told, by_version)]
        fault = (await check_round(log, table, 1)).fault
        return found if fault is None else [*found, str(fault)]
    finally:
        await log.close()


def _agrees(duel: Duel, told: dict[str, Step], by_version: dict[int, Step]) -> bool:
    winner = duel.winner
    if winner is None:
        return False
    won, lost = duel.verdicts[winner], duel.verdicts[1 - winner]
    victory, loss = told.get(won.receipt), told.get(lost.receipt)
    if victory is None or loss is None or loss.race is None or lost.lost_to is None:
        return False
    margin = loss.at - victory.at
    return (
        victory.refused is None
        and by_version[loss.race.version] is victory
        and loss.race.margin_us == lost.lost_to.margin_us == margin
        and loss.race.by == f"seat {winner}"
    )


class Outcome(Struct, frozen=True):
    """How many duels there were, how often each seat won, the margins' median (µs), and what disagrees."""

    duels: int
    won: dict[int | None, int]
    margin_us: int
    wrong: tuple[str, ...]


def duel(count: int, data: Path) -> Outcome:
    """So many duels at several tables at once, on embedded servers in this folder."""
    with running(data, "--gateways", "2", "--bots", "0") as url:
        head, _, port = url.rpartition(":")
        urls = url, f"{head}:{int(port) + 1}"
        fought = asyncio.run(_all(urls, count))
        with database(data) as log:
            wrong = [line for table, duels in fought for line in asyncio.run(disagreements(log, table, duels))]
    duels = [each for _, table in fought for each in table]
    margins = sorted(v.lost_to.margin_us for each in duels for v in each.verdicts if v.lost_to is not None)
    return Outcome(len(duels), Counter(each.winner for each in duels), margins[len(margins) // 2], tuple(wrong))


async def _all(urls: tuple[str, str], count: int) -> list[tuple[str, list[Duel]]]:
    return list(await asyncio.gather(*(fight(urls, count // TABLES) for _ in range(TABLES))))


def main() -> None:
    """Run and report; exit status 1 if anything disagrees."""
    with tempfile.TemporaryDirectory(prefix="quartet-duel-") as folder:
        outcome = duel(1_000, Path(folder))
    print(f"{outcome.duels} duels, won {outcome.won}, median margin {outcome.margin_us} µs")
    print(f"wrong: {len(outcome.wrong)}", *outcome.wrong[:5], sep="\n  ")
    raise SystemExit(1 if outcome.wrong else 0)


if __name__ == "__main__":
    main()
