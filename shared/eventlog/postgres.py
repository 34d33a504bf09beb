"""The event log in Postgres: one statement an append, fenced by inserting the partition's next commit.

Whether an entry may be written, the statement itself asks of the table: nothing here decides who may write.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress

import asyncpg
from sqlalchemy import text

from shared.eventlog.connection import Direct, engine, reaching
from shared.eventlog.port import AppendFailed, BadRow, Entry, Head, Outcome, Row, Tenure, Unreachable, partition_of
from shared.eventlog.reads import PostgresReads

APPEND_SECONDS = 3.0
TAKE_WAIT_SECONDS = 0.3
_NOW = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

# Partitions in order: two batches never wait for each other crosswise. The join with commit n - 1 and the unique key of
# commit n are the fence. A closed table has no head.
_APPEND = f"""
WITH wanted AS (
    SELECT * FROM unnest($2::smallint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::integer[])
        AS wanted (partition, n, epoch, base, rows)
), won AS (
    INSERT INTO commits (partition, n, epoch, owner, base, rows, at)
    SELECT w.partition, w.n, w.epoch, $1, w.base, w.rows, {_NOW}
    FROM wanted w JOIN commits last ON last.partition = w.partition AND last.n = w.n - 1
    WHERE last.epoch = w.epoch AND last.base + last.rows = w.base
    ORDER BY w.partition
    ON CONFLICT DO NOTHING
    RETURNING partition
), written AS (
    INSERT INTO records (partition, position, table_id, version, round, at, body, hash)
    SELECT row.* FROM unnest($7::smallint[], $8::bigint[], $9::text[], $10::bigint[], $11::integer[], $12::bigint[],
        $13::bytea[], $14::bytea[]) AS row (partition, position, table_id, version, round, at, body, hash)
    JOIN won USING (partition)
)"""
_HEADS = """, changed AS (
    SELECT head.* FROM unnest($15::smallint[], $16::text[], $17::integer[], $18::bigint[], $19::bigint[], $20::text[])
        AS head (partition, table_id, round, first_version, due, phase)
    JOIN won USING (partition)
), closed AS (
    DELETE FROM heads USING changed
    WHERE changed.phase = 'closed' AND heads.partition = changed.partition AND heads.table_id = changed.table_id
), live AS (
    INSERT INTO heads (partition, table_id, round, first_version, due, phase)
    SELECT * FROM changed WHERE phase <> 'closed'
    ON CONFLICT (partition, table_id) DO UPDATE SET
        round = excluded.round, first_version = excluded.first_version, due = excluded.due, phase = excluded.phase
)"""
_WON = " SELECT partition FROM won"

_COMMITTED = """
SELECT partition FROM commits JOIN unnest($1::smallint[], $2::bigint[], $3::bigint[]) AS mine (partition, n, epoch)
    USING (partition, n, epoch)
"""

_TAKE = text(f"""
INSERT INTO commits (partition, n, epoch, owner, base, rows, at)
SELECT :partition, coalesce(last.n, 0) + 1, coalesce(last.epoch, 0) + 1, :owner, coalesce(last.base + last.rows, 0), 0,
    {_NOW}
FROM (SELECT) AS one LEFT JOIN LATERAL
    (SELECT * FROM commits WHERE partition = :partition ORDER BY n DESC LIMIT 1) AS last ON true
ON CONFLICT DO NOTHING
RETURNING epoch, n, base
""")

# The application name tells appenders from whoever else may be in the way (a migration, a person).
_END_APPENDER = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND application_name LIKE 'append %' AND (
    pid = ANY (pg_blocking_pids($1)) OR application_name = left('append ' || (
        SELECT owner FROM commits WHERE partition = $2 ORDER BY n DESC LIMIT 1), 63))
"""


class PostgresEventLog(PostgresReads):
    """The EventLog port. `name` is the instance; appends go over one connection of their own."""

    def __init__(self, url: str, role: str | None, name: str, pool_size: int = 8) -> None:
        """`role` is the database role of the service ("quartet_table"), None to stay the URL's user."""
        super().__init__(engine(url, role, f"log {name}", pool_size))
        # One plan for all sizes of batch: planning anew takes as long as writing.
        self._appender = Direct(url, role, f"append {name}", plan_cache_mode="force_generic_plan")
        # pg_terminate_backend asks for the login that both have in common, not for the role that is set.
        self._judge = Direct(url, None, f"judge {name}")

    async def append(self, owner: str, entries: Sequence[Entry]) -> Mapping[int, Outcome]:
        """See EventLog.append."""
        try:
            sql, columns = _statement(entries)
            won = await self._appender.fetch(sql, owner, *columns, seconds=APPEND_SECONDS)
            committed = {found["partition"] for found in won}
            rest = [entry.tenure for entry in entries if entry.tenure.partition not in committed]
            if rest:
                committed |= await self._committed(rest)
        except Unreachable as failure:
            raise AppendFailed(*failure.args) from failure
        except (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, ValueError) as failure:
            raise BadRow(str(failure)) from failure
        return {p: _outcome(p in committed) for p in (entry.tenure.partition for entry in entries)}

    async def take(self, owner: str, partition: int) -> Tenure:
        """See EventLog.take. After 300 ms the old appender's session is ended: what it is at is undone or was done."""
        with reaching():
            async with self._engine.connect() as connection:
                raw = (await connection.get_raw_connection()).driver_connection
                assert isinstance(raw, asyncpg.Connection)
                async with self._ending_appender(raw.get_server_pid(), partition):
                    while True:  # an append came first: behind it
                        taken = await connection.execute(_TAKE, {"partition": partition, "owner": owner})
                        for epoch, n, base in taken:
                            return Tenure(partition, epoch, n, base)

    async def close(self) -> None:
        """See EventLog.close."""
        await self._appender.close()
        await self._judge.close()
        await super().close()

    async def _committed(self, tenures: Sequence[Tenure]) -> set[int]:
        """Of commits that were not written now, those that an earlier sending wrote."""
        columns = [t.partition for t in tenures], [t.n + 1 for t in tenures], [t.epoch for t in tenures]
        found = await self._appender.fetch(_COMMITTED, *columns, seconds=APPEND_SECONDS)
        return {row["partition"] for row in found}

    @asynccontextmanager
    async def _ending_appender(self, waiting: int, partition: int) -> AsyncIterator[None]:
        task = asyncio.create_task(self._end_appender(waiting, partition))
        try:
            yield
        finally:
            task.cancel()

    async def _end_appender(self, waiting: int, partition: int) -> None:
        while True:
            await asyncio.sleep(TAKE_WAIT_SECONDS)
            with suppress(Unreachable):
                await self._judge.fetch(_END_APPENDER, waiting, partition, seconds=APPEND_SECONDS)


def _outcome(committed: bool) -> Outcome:
    return Outcome.COMMITTED if committed else Outcome.FENCED


def _statement(entries: Sequence[Entry]) -> tuple[str, Sequence[Sequence[object]]]:
    """The SQL and its parameters behind the owner: columns of commits, of records and, where there are any, heads."""
    rows: list[tuple[int, int, Row]] = []
    heads: dict[str, tuple[int, Head]] = {}  # a table's last head counts
    for entry in entries:
        partition = entry.tenure.partition
        rows += [(partition, position, row) for position, row in enumerate(entry.rows, entry.tenure.position + 1)]
        heads |= {head.table_id: (partition, head) for head in entry.heads}
    for partition, _, row in rows:
        if partition_of(row.table_id) != partition:
            raise ValueError(f"table {row.table_id!r} is not of partition {partition}")
    columns = [*_commit_columns(entries), *_record_columns(rows)]
    if not heads:
        return _APPEND + _WON, columns
    return _APPEND + _HEADS + _WON, [*columns, *_head_columns(list(heads.values()))]


def _commit_columns(entries: Sequence[Entry]) -> Sequence[Sequence[int]]:
    tenures = [entry.tenure for entry in entries]
    return [
        [t.partition for t in tenures],
        [t.n + 1 for t in tenures],
        [t.epoch for t in tenures],
        [t.position for t in tenures],
        [len(entry.rows) for entry in entries],
    ]


def _record_columns(rows: Sequence[tuple[int, int, Row]]) -> Sequence[Sequence[object]]:
    return [
        [partition for partition, _, _ in rows],
        [position for _, position, _ in rows],
        [row.table_id for _, _, row in rows],
        [row.version for _, _, row in rows],
        [row.round for _, _, row in rows],
        [row.at for _, _, row in rows],
        [row.body for _, _, row in rows],
        [row.hash for _, _, row in rows],
    ]


def _head_columns(heads: Sequence[tuple[int, Head]]) -> Sequence[Sequence[object]]:
    return [
        [partition for partition, _ in heads],
        [head.table_id for _, head in heads],
        [head.round for _, head in heads],
        [head.first_version for _, head in heads],
        [head.due for _, head in heads],
        [head.phase for _, head in heads],
    ]
