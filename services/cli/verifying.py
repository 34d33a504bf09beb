"""Decides every record of a log again, table by table, on as many processes as there are cores."""

import asyncio
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice

from msgspec import Struct

from shared.eventlog.port import PARTITIONS, EventLog
from shared.eventlog.postgres import PostgresEventLog
from shared.replay import Audit, Fault

ROWS_BATCH = 2_000
TABLES_BATCH = 8


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


async def check(log: EventLog, table: str, round: int | None = None) -> Checked:
    """Verify one table, or one round of it from its own rows and the hash before them. Raises Unreachable."""
    if round is not None:
        return await _check_round(log, table, round)
    audit, version, rounds = Audit(), 0, set[int]()
    while True:
        rows = await log.table_rows(table, version + 1, version + ROWS_BATCH)
        for row in rows:
            fault = audit.check(row)
            if fault is not None:
                return _checked(table, audit, len(rounds), fault)
            rounds.add(row.round)
            version = row.version
        if len(rows) < ROWS_BATCH:
            nothing = Fault(1, "version", "no such table") if version == 0 else None
            return _checked(table, audit, len(rounds), nothing or audit.pending)


async def _check_round(log: EventLog, table: str, round: int) -> Checked:
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

    async def run() -> list[Checked]:
        log = PostgresEventLog(url, None, "verify", pool_size=1)
        try:
            return [await check(log, table, scope.round) for table in scope.tables]
        finally:
            await log.close()

    return asyncio.run(run())
