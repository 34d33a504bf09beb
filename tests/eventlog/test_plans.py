"""What an append costs in a log that has grown since its statement was planned."""

import asyncpg

from shared.eventlog.port import Entry
from tests.eventlog.conftest import open_postgres
from tests.eventlog.rows import after, rows_of, table_in
from tests.eventlog.waiting import until

APPENDS = 20


async def test_an_append_whose_plan_was_made_in_an_empty_log_never_reads_a_table_through(postgres_url: str) -> None:
    async with open_postgres(postgres_url, "a") as log:
        tenure = await log.take("a", 1)
        for row in rows_of(table_in(1), APPENDS):
            await log.append("a", [Entry(tenure, [row])])
            tenure = after(tenure, 1)
    counts = await asyncpg.connect(postgres_url)

    async def scans() -> tuple[int, int]:
        row = await counts.fetchrow("SELECT seq_scan, idx_scan FROM pg_stat_user_tables WHERE relname = 'commits'")
        return (0, 0) if row is None else (row["seq_scan"], row["idx_scan"])

    async def told() -> bool:  # a session's scans are counted in when it ends
        return sum(await scans()) >= APPENDS

    await until(told)
    through, by_index = await scans()
    assert through < APPENDS / 2 < by_index
    await counts.close()
