"""Reading the log in Postgres. What is visible of a partition is always all of it up to some commit, without a gap."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Executable, select, text, true
from sqlalchemy.ext.asyncio import AsyncEngine

from shared.eventlog.connection import reaching
from shared.eventlog.port import PARTITIONS, Commit, Head, Row, StoredRow, Tenure, partition_of
from shared.eventlog.schema import commits, heads, records

_ROW = (
    records.c.table_id,
    records.c.version,
    records.c.round,
    records.c.at,
    records.c.body,
    records.c.hash,
)

_ENDS = text(f"""
SELECT taken.partition, last.base + last.rows AS position
FROM generate_series(0, {PARTITIONS - 1}) AS taken (partition),
    LATERAL (SELECT base, rows FROM commits WHERE partition = taken.partition::smallint ORDER BY n DESC LIMIT 1) AS last
""")


class PostgresReads:
    """The reading half of the EventLog port, over an engine in AUTOCOMMIT."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def tenure(self, partition: int) -> Tenure | None:
        """See EventLog.tenure."""
        newest = select(commits).where(commits.c.partition == partition).order_by(commits.c.n.desc()).limit(1)
        found = await self._read(newest)
        return Tenure(partition, found[0].epoch, found[0].n, found[0].base + found[0].rows) if found else None

    async def ends(self) -> Mapping[int, int]:
        """See EventLog.ends."""
        return {found.partition: found.position for found in await self._read(_ENDS)}

    async def heads(self, partition: int) -> Sequence[Head]:
        """See EventLog.heads."""
        columns = (heads.c.table_id, heads.c.round, heads.c.first_version, heads.c.due, heads.c.phase)
        return [Head(*found) for found in await self._read(select(*columns).where(heads.c.partition == partition))]

    async def table_rows(self, table_id: str, first_version: int = 1, last_version: int | None = None) -> Sequence[Row]:
        """See EventLog.table_rows."""
        rows = _of_table(table_id).where(records.c.version >= first_version)
        if last_version is not None:
            rows = rows.where(records.c.version <= last_version)
        return [Row(*found) for found in await self._read(rows)]

    async def round_rows(self, table_id: str, round: int) -> Sequence[Row]:
        """See EventLog.round_rows."""
        return [Row(*found) for found in await self._read(_of_table(table_id).where(records.c.round == round))]

    async def partition_rows(
        self, partition: int, after: int = 0, batch: int = 500
    ) -> AsyncIterator[Sequence[StoredRow]]:
        """See EventLog.partition_rows."""
        full = True
        while full:
            place = (records.c.partition == partition, records.c.position > after)
            rows = select(records.c.position, *_ROW).where(*place).order_by(records.c.position).limit(batch)
            found = [StoredRow(partition, position, Row(*row)) for position, *row in await self._read(rows)]
            full = len(found) == batch
            if found:
                yield found
                after = found[-1].position

    async def commit_of(self, table_id: str, version: int) -> Commit | None:
        """See EventLog.commit_of."""
        partition = partition_of(table_id)
        position = (
            select(records.c.position)
            .where(records.c.partition == partition, records.c.table_id == table_id, records.c.version == version)
            .scalar_subquery()
        )
        last_below = (
            select(commits)
            .where(commits.c.partition == partition, commits.c.rows > 0, commits.c.base < position)
            .order_by(commits.c.base.desc())
            .limit(1)
        )
        found = await self._read(last_below)
        return Commit(*found[0]) if found else None

    async def commits_of(self, table_id: str, first_version: int, last_version: int) -> Sequence[tuple[int, Commit]]:
        """See EventLog.commits_of."""
        place = (records.c.partition == partition_of(table_id), records.c.table_id == table_id)
        wanted = (records.c.version >= first_version, records.c.version <= last_version)
        before = (commits.c.partition == records.c.partition, commits.c.rows > 0, commits.c.base < records.c.position)
        wrote = select(commits).where(*before).order_by(commits.c.base.desc()).limit(1).lateral("wrote")
        rows = select(records.c.version, wrote).join(wrote, true()).where(*place, *wanted)
        found = await self._read(rows.order_by(records.c.version))
        return list({n: (version, Commit(part, n, *rest)) for version, part, n, *rest in found}.values())

    async def tables(self, partition: int) -> Sequence[str]:
        """See EventLog.tables."""
        first = (records.c.partition == partition, records.c.version == 1)
        rows = select(records.c.table_id).where(*first).order_by(records.c.position)
        return [found.table_id for found in await self._read(rows)]

    async def close(self) -> None:
        """See EventLog.close."""
        await self._engine.dispose()

    async def _read(self, statement: Executable) -> Sequence[Any]:
        with reaching():
            async with self._engine.connect() as connection:
                return (await connection.execute(statement)).all()


def _of_table(table_id: str) -> Any:
    place = (records.c.partition == partition_of(table_id), records.c.table_id == table_id)
    return select(*_ROW).where(*place).order_by(records.c.version)
