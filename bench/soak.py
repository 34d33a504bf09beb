"""`make soak`: tables of bots at four times speed while services and servers are killed; then everything is proven.

Afterwards every acknowledged verdict must be in the log, every table must have gone on, and every record must verify.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

import msgspec
from msgspec import Struct

from bench import proof
from bench.running import kill, nats_url, running
from services.bots.service import Bots
from services.cli.checking import Checked
from services.cli.client import Client
from services.cli.finding import database
from shared.bus.nats import NatsBus
from shared.games.registry import GAMES

PACE = 4.0
QUARTER: dict[str, object] = {
    "target_points": 50,
    "prepare_seconds": 7.5,
    "break_seconds": 7.5,
    "round_seconds": 45,
    "swap_wait_seconds": 0.5,
    "channel_wait_seconds": 0.5,
    "vote_gap_seconds": 7.5,
    "beat_seconds": 1.25,
    "vote_seconds": 5,
}


class Plan(Struct, frozen=True):
    """How many tables for how long (s), how often (s) a table service dies, and how many of those there are."""

    tables: int
    seconds: float
    kill_every: float
    services: int = 2


class Outcome(Struct, frozen=True):
    """What came of it; `missing` verdicts the log does not hold, `stuck` tables stand still. Rate in records/s."""

    verdicts: int
    records: int
    kills: int
    missing: tuple[str, ...]
    stuck: tuple[str, ...]
    faults: tuple[Checked, ...]
    rate: int

    @property
    def good(self) -> bool:
        """Whether all held."""
        return self.verdicts > 0 and not (self.missing or self.stuck or self.faults)


Told = dict[str, list[proof.Acknowledged]]


def soak(plan: Plan, data: Path) -> Outcome:
    """Run it all on embedded servers in this folder."""
    with running(data, "--tables", str(plan.services), "--bots", "0") as url:
        told, kills, stuck = asyncio.run(_play(plan, data, url))
        with database(data) as log:
            missing = asyncio.run(proof.missing(log, told))
            began = time.monotonic()
            checked = proof.verified(log)
            seconds = time.monotonic() - began
    records = sum(each.records for each in checked)
    faults = tuple(each for each in checked if each.fault is not None)
    return Outcome(sum(map(len, told.values())), records, kills, missing, stuck, faults, int(records / seconds))


async def _play(plan: Plan, data: Path, url: str) -> tuple[Told, int, tuple[str, ...]]:
    """Be the bots of all tables and kill meanwhile: what they were told, how many kills, and who stands still."""
    told: Told = {}
    decode = msgspec.json.Decoder(proof.Acknowledged).decode

    def witness(table: str, verdict: bytes, _: float) -> None:
        told.setdefault(table, []).append(decode(verdict))

    bus = await NatsBus.connect(nats_url(data, "bots"), "bots.soak")
    seconds = asyncio.get_running_loop().time
    bots = asyncio.create_task(Bots(bus, GAMES, "bots.soak", seconds, PACE, witness).run())
    names = await _open(url, plan.tables)
    kills = await _kill(plan, data)
    with database(data) as log:
        stuck = await asyncio.to_thread(asyncio.run, proof.standing_still(log, names))
    bots.cancel()
    await asyncio.wait((bots,))
    await bus.close()
    return told, kills, stuck


async def _open(url: str, count: int) -> list[str]:
    """Tables full of bots, all started."""
    client, names = Client(url), list[str]()
    await client.join("soak")
    for _ in range(count):
        names.append((await client.open("quatro", 4, QUARTER)).table_id)
        for seat in range(4):
            await client.send(names[-1], {"type": "AddBot", "seat": seat})
        await client.send(names[-1], {"type": "StartGame"})
    return names


async def _kill(plan: Plan, data: Path) -> int:
    """A table service every so often, in turn; NATS after a third of the time, Postgres after two thirds."""
    began, kills = time.monotonic(), 0
    times = range(1, int(plan.seconds / plan.kill_every) + 1)
    services = [(plan.kill_every * number, f"table-{number % plan.services + 1}") for number in times]
    servers = [(plan.seconds / 3, "nats"), (plan.seconds * 2 / 3, "postgres")]
    for at, name in sorted(services + servers):
        await asyncio.sleep(max(0.0, began + at - time.monotonic()))
        kills += kill(data, name)
    return kills


def main() -> None:
    """Run and report; exit status 1 if anything did not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--kill-every", type=float, default=20.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="quartet-soak-") as folder:
        outcome = soak(Plan(asked.tables, asked.seconds, asked.kill_every), Path(folder))
    print(f"{outcome.verdicts} verdicts, {outcome.records} records, {outcome.kills} kills")
    print(f"verified at {outcome.rate} records a second")
    for what, which in (("missing", outcome.missing), ("stuck", outcome.stuck), ("faults", outcome.faults)):
        print(f"{what}: {len(which)}", *which[:5], sep="\n  ")
    raise SystemExit(0 if outcome.good else 1)


if __name__ == "__main__":
    main()
