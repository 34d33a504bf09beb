"""The event log in Postgres: one statement an append, fenced by inserting the partition's next commit.

Whether an entry may be written, the statement itself asks of the table: nothing here decides who may write.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress

import asyncpg
from sqlalchemy import text

from shared.eventlog.append import COMMITTED, NOW, statement
from shared.eventlog.connection import Direct, engine, reaching
from shared.eventlog.port import AppendFailed, BadRow, Entry, Outcome, Tenure, Unreachable
from shared.eventlog.reads import PostgresReads

APPEND_SECONDS = 3.0
TAKE_WAIT_SECONDS = 0.3
APPENDER = {"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off"}
"""One plan for all sizes of batch, since planning anew takes as long as writing; and never one made while the log was
small, which reads all of it for every append once it is not."""

_TAKE = text(f"""
INSERT INTO commits (partition, n, epoch, owner, base, rows, at)
SELECT :partition, coalesce(last.n, 0) + 1, coalesce(last.epoch, 0) + 1, :owner, coalesce(last.base + last.rows, 0), 0,
    {NOW}
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

_BAD_ROW = (
    ValueError,  # the driver can't encode it, or it is in the wrong partition
    asyncpg.DataError,
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.ProgramLimitExceededError,
)


class PostgresEventLog(PostgresReads):
    """The EventLog port. `name` is the instance; appends go over one connection of their own."""

    def __init__(self, url: str, role: str | None, name: str, pool_size: int = 8) -> None:
        """`role` is the database role of the service ("quartet_table"), None to stay the URL's user."""
        super().__init__(engine(url, role, f"log {name}", pool_size))
        self._appender = Direct(url, role, f"append {name}", **APPENDER)
        # pg_terminate_backend asks for the login that both have in common, not for the role that is set.
        self._judge = Direct(url, None, f"judge {name}")

    async def append(self, owner: str, entries: Sequence[Entry]) -> Mapping[int, Outcome]:
        """See EventLog.append."""
        try:
            sql, columns = statement(entries)
            won = await self._appender.fetch(sql, owner, *columns, seconds=APPEND_SECONDS)
            committed = {found["partition"] for found in won}
            rest = [entry.tenure for entry in entries if entry.tenure.partition not in committed]
            if rest:
                committed |= await self._committed(rest)
        except Unreachable as failure:
            raise AppendFailed(*failure.args) from failure
        except _BAD_ROW as failure:
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
        found = await self._appender.fetch(COMMITTED, *columns, seconds=APPEND_SECONDS)
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
