"""Verifies tables and rounds in one process, over one connection: many tables are read with one query."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct

from shared.eventlog.connection import Direct
from shared.eventlog.port import EventLog, Row, partition_of
from shared.eventlog.postgres import PostgresEventLog
from shared.replay import Audit, Fault

ROWS_MAX = 2_000
"""So many of one table at a time: how long it may become is nobody's promise."""
READ_SECONDS = 30.0


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


class Done(Struct, frozen=True):
    """Tables verified, and the CPU time (s) that it took, reading included."""

    checked: tuple[Checked, ...]
    cpu: float


class Worker:
    """One process's connection and event loop, for as many scopes as there are."""

    def __init__(self, url: str, rows_max: int = ROWS_MAX) -> None:
        self._url = url
        self._rows_max = rows_max
        self._runner = asyncio.Runner()
        self._direct = Direct(url, None, "verify")

    def work(self, scope: Scope) -> Done:
        """Verify some tables. Raises Unreachable."""
        began = time.process_time()
        checked = self._runner.run(self._check(scope))
        return Done(checked, time.process_time() - began)

    def close(self) -> None:
        """Give the connection back."""
        self._runner.run(self._direct.close())
        self._runner.close()

    async def _check(self, scope: Scope) -> tuple[Checked, ...]:
        if scope.round is None:
            begun = await self._read(scope.tables, 0)
            return tuple([await self._check_table(table, begun[table]) for table in scope.tables])
        log = PostgresEventLog(self._url, None, "verify", pool_size=1)
        try:
            return tuple([await check_round(log, table, scope.round) for table in scope.tables])
        finally:
            await log.close()

    async def _check_table(self, table: str, rows: Sequence[Row]) -> Checked:
        """`rows` are its first ones; when they may not be all, the next are read."""
        audit, version, rounds = Audit(), 0, set[int]()
        while True:
            for row in rows:
                fault = audit.check(row)
                if fault is not None:
                    return _checked(table, audit, len(rounds), fault)
                rounds.add(row.round)
                version = row.version
            if len(rows) < self._rows_max:
                nothing = Fault(1, "version", "no such table") if version == 0 else None
                return _checked(table, audit, len(rounds), nothing or audit.pending)
            rows = (await self._read([table], version))[table]

    async def _read(self, tables: Sequence[str], after: int) -> Mapping[str, Sequence[Row]]:
        """The tables' next rows; straight from the driver, for here reading is a third of the work."""
        partitions = [partition_of(table) for table in tables]
        found = defaultdict[str, list[Row]](list)
        for row in await self._direct.fetch(_ROWS, partitions, tables, after, self._rows_max, seconds=READ_SECONDS):
            found[row[0]].append(Row(*row))
        return found


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


_ROWS = """
SELECT next.* FROM unnest($1::smallint[], $2::text[]) AS wanted (partition, table_id), LATERAL (
    SELECT table_id, version, round, at, body, hash FROM records
    WHERE partition = wanted.partition AND table_id = wanted.table_id AND version > $3
    ORDER BY version LIMIT $4
) AS next ORDER BY next.table_id, next.version
"""
