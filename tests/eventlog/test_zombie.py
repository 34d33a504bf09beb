"""A real process that writes is stopped for five seconds, goes on, and is killed: whatever anyone announced is in the
log, once, in one unbroken chain."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from shared.eventlog.chain import genesis, verify_chain
from shared.leases.rendezvous import shares
from tests.eventlog.conftest import open_postgres
from tests.eventlog.rows import table_in
from tests.eventlog.scribe import PARTITIONS, Scribe
from tests.eventlog.test_outages import fetchval
from tests.eventlog.waiting import until
from tests.rules import case

PAUSE_SECONDS = 5
BOTH = shares(PARTITIONS, ("a", "b"))


class Witness:
    """What one instance announced."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def records(self, partition: int | None = None) -> list[tuple[int, int, str]]:
        """(partition, version, hash) of the announced records."""
        words = [line.split() for line in self.lines]
        found = [(int(word[0]), int(word[1]), word[2]) for word in words if len(word) == 3]
        return [record for record in found if partition in (None, record[0])]

    def has(self, word: str) -> set[int]:
        """The partitions that were "taken" or "lost"."""
        return {int(line.split()[1]) for line in self.lines if line.startswith(word)}


@asynccontextmanager
async def process(url: str, name: str, witness: Witness) -> AsyncIterator[asyncio.subprocess.Process]:
    """A scribe in a process of its own."""
    command = (sys.executable, "-m", "tests.eventlog.scribe", url, name)
    child = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    reading = asyncio.create_task(read(child, witness))
    try:
        yield child
    finally:
        with suppress(ProcessLookupError):
            child.kill()
        await child.wait()
        await reading


async def read(child: asyncio.subprocess.Process, witness: Witness) -> None:
    assert child.stdout is not None
    async for line in child.stdout:
        witness.lines.append(line.decode())


@case("C-15", "C-06")
async def test_a_writer_stopped_for_five_seconds_announces_nothing_that_is_not_in_the_log(postgres_url: str) -> None:
    zombie, other = Witness(), Witness()
    async with process(postgres_url, "a", zombie) as child, open_postgres(postgres_url, "reader") as log:
        await until(lambda: all(zombie.records(p) for p in range(PARTITIONS)))
        scribe = Scribe(postgres_url, "b", other.lines.append)
        working = asyncio.create_task(scribe.run())
        await until(lambda: all((zombie if BOTH[p] == "a" else other).records(p) for p in range(PARTITIONS)))

        child.send_signal(signal.SIGSTOP)
        stopped_at = await now(postgres_url)
        await until(lambda: len(scribe.tenancy.held) == PARTITIONS)
        await until(lambda: passed(postgres_url, stopped_at + PAUSE_SECONDS))
        announced = len(zombie.lines)
        child.send_signal(signal.SIGCONT)
        await until(lambda: any(line.startswith("taken") for line in zombie.lines[announced:]))
        assert zombie.has("lost")

        child.kill()
        await until(lambda: len(scribe.tenancy.held) == PARTITIONS)
        await scribe.tenancy.drain()
        await working
        for partition in range(PARTITIONS):
            rows = await log.table_rows(table_in(partition))
            assert verify_chain(rows, genesis(table_in(partition))) is None
            stored = {(partition, row.version, row.hash.hex()) for row in rows}
            assert set(zombie.records(partition)) | set(other.records(partition)) <= stored


async def now(url: str) -> float:
    time = await fetchval(url, "SELECT extract(epoch FROM clock_timestamp())::float8")
    assert isinstance(time, float)
    return time


async def passed(url: str, time: float) -> bool:
    return await now(url) > time


@case("C-18")
async def test_a_writer_told_to_drain_hands_over_between_two_records(postgres_url: str) -> None:
    leaving, staying = Witness(), Witness()
    a, b = Scribe(postgres_url, "a", leaving.lines.append), Scribe(postgres_url, "b", staying.lines.append)
    tasks = [asyncio.create_task(scribe.run()) for scribe in (a, b)]
    await until(lambda: all((leaving if BOTH[p] == "a" else staying).records(p) for p in range(PARTITIONS)))
    await a.tenancy.drain()
    await until(lambda: len(b.tenancy.held) == PARTITIONS and all(staying.records(p) for p in range(PARTITIONS)))
    await b.tenancy.drain()
    await asyncio.gather(*tasks)
    assert leaving.has("lost") == staying.has("lost") == set()
    async with open_postgres(postgres_url, "reader") as log:
        for partition in range(PARTITIONS):
            rows = await log.table_rows(table_in(partition))
            announced = {record[1:] for record in [*leaving.records(partition), *staying.records(partition)]}
            assert announced == {(row.version, row.hash.hex()) for row in rows}
