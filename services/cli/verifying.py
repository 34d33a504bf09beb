"""Decides every record of a log again, table by table, on as many processes as there are cores."""

import asyncio
import multiprocessing
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from functools import partial
from itertools import islice

from msgspec import Struct

from shared.eventlog.connection import Direct
from shared.eventlog.port import PARTITIONS, EventLog, Row, partition_of
from shared.eventlog.postgres import PostgresEventLog
from shared.replay import Audit, Fault

ROWS_BATCH = 2_000
READ_SECONDS = 30.0
TABLES_BATCH = 8


Read = Callable[[str, int, int], Awaitable[Sequence[Row]]]
"""(table, behind which version, how many at most) -> its next rows."""


class Checked(Struct, frozen=True):
    """What became of one table: how many records hold, up to which hash (hex), and the first fault, if any."""

    table: str
    records: int
    rounds: int
    version: int
    head: str
    fault: Fault | None = None


class Scope(Struct, frozen=True):
    """What to verify: tables, and of each one round only, or all."""

    tables: tuple[str, ...]
    round: int | None = None


async def tables(log: EventLog) -> list[str]:
    """Every table of the log."""
    return [table for partition in range(PARTITIONS) for table in await log.tables(partition)]


async def check(read: Read, table: str) -> Checked:
    """Verify one table. Raises Unreachable."""
    audit, version, rounds = Audit(), 0, set[int]()
    while True:
        rows = await read(table, version, ROWS_BATCH)
        for row in rows:
            fault = audit.check(row)
            if fault is not None:
                return _checked(table, audit, len(rounds), fault)
            rounds.add(row.round)
            version = row.version
        if len(rows) < ROWS_BATCH:
            nothing = Fault(1, "version", "no such table") if version == 0 else None
            return _checked(table, audit, len(rounds), nothing or audit.pending)


async def check_round(log: EventLog, table: str, round: int) -> Checked:
    """Verify one round from its own rows and the hash before them. Raises Unreachable."""
    rows = await log.round_rows(table, round)
    if not rows:
        return Checked(table, 0, 0, 0, "", Fault(0, "version", "no such round"))
    first = rows[0].version
    before = await log.table_rows(table, first - 1, first - 1) if first > 1 else []
    audit = Audit(previous=before[0].hash if before else None)
    fault = next((fault for fault in map(audit.check, rows) if fault is not None), None)
    return _checked(table, audit, 1, fault or audit.pending)


def _checked(table: str, audit: Audit, rounds: int, fault: Fault | None) -> Checked:
    version = audit.state.version if audit.state is not None else 0
    return Checked(table, audit.records, rounds, version, audit.head.hex() if audit.head else "", fault)


def check_all(url: str, scope: Scope, processes: int, tell: Callable[[Checked], None]) -> None:
    """Verify on several processes; `tell` is called for each table as it is done. Raises Unreachable."""
    batches = _batches(scope)
    if processes == 1 or len(scope.tables) == 1:
        for batch in batches:
            for checked in _work(url, batch):
                tell(checked)
        return
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=spawn) as pool:
        running = {pool.submit(_work, url, batch) for batch in islice(batches, 2 * processes)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(_work, url, batch) for batch in islice(batches, len(done))}
            for future in done:
                for checked in future.result():
                    tell(checked)


def cores() -> int:
    """How many processes can run at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _batches(scope: Scope) -> Iterator[Scope]:
    for at in range(0, len(scope.tables), TABLES_BATCH):
        yield Scope(scope.tables[at : at + TABLES_BATCH], scope.round)


def _work(url: str, scope: Scope) -> Sequence[Checked]:
    """In a process of its own: one connection, some tables."""
    return asyncio.run(_check_some(url, scope))


async def _check_some(url: str, scope: Scope) -> Sequence[Checked]:
    if scope.round is not None:
        log = PostgresEventLog(url, None, "verify", pool_size=1)
        try:
            return [await check_round(log, table, scope.round) for table in scope.tables]
        finally:
            await log.close()
    direct = Direct(url, None, "verify")
    try:
        return [await check(partial(_read, direct), table) for table in scope.tables]
    finally:
        await direct.close()


async def _read(direct: Direct, table: str, after: int, most: int) -> Sequence[Row]:
    """A table's next rows; straight from the driver, for here reading is a third of the work."""
    found = await direct.fetch(_ROWS, partition_of(table), table, after, most, seconds=READ_SECONDS)
    return [Row(*row) for row in found]


_ROWS = """
SELECT table_id, version, round, at, body, hash FROM records
WHERE partition = $1 AND table_id = $2 AND version > $3 ORDER BY version LIMIT $4
"""
