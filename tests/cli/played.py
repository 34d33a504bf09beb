"""Games of bots, played on virtual time and then written into a database as if by a table service."""

import asyncio
from collections.abc import Mapping, Sequence

from shared.eventlog.memory import MemoryEventLog
from shared.eventlog.port import PARTITIONS, Entry, EventLog, Outcome, StoredRow
from shared.eventlog.postgres import PostgresEventLog
from tests import virtual
from tests.scoring.house import house

QUATRO: Mapping[str, object] = {"target_points": 2}


def play(games: Sequence[str], rules: Mapping[str, object] = QUATRO) -> tuple[MemoryEventLog, list[str]]:
    """The log of these games, played to their ends at the same time, and their tables."""
    logs: list[MemoryEventLog] = []
    tables: list[str] = []

    async def scenario() -> None:
        async with house() as where:
            logs.append(where.single.log)
            tables.extend([await where.open_table(game, 4, **(rules if game == "quatro" else {})) for game in games])
            for table in tables:
                await where.until_phase(table, "over")

    virtual.run(scenario)
    return logs[0], tables


def store(log: MemoryEventLog, url: str) -> None:
    """Write all of it into a database."""
    asyncio.run(_store(log, PostgresEventLog(url, "quartet_table", "played")))


async def rows_of(log: EventLog) -> list[StoredRow]:
    """Every row of a log."""
    return [row for p in range(PARTITIONS) async for batch in log.partition_rows(p) for row in batch]


async def _store(log: MemoryEventLog, into: PostgresEventLog) -> None:
    try:
        for partition in range(PARTITIONS):
            async for batch in log.partition_rows(partition):
                tenure = await into.take("played", partition)
                entry = Entry(tenure, [stored.row for stored in batch])
                assert await into.append("played", [entry]) == {partition: Outcome.COMMITTED}
    finally:
        await into.close()
