"""A real Postgres that loses answers, restarts, deadlocks, or is held up: what was acknowledged is there, once."""

import asyncio

import asyncpg
import pytest

from shared.eventlog.appender import Appender, Fate
from shared.eventlog.chain import genesis, verify_chain
from shared.eventlog.port import AppendFailed, Entry, Outcome, Unreachable
from tests.eventlog.conftest import open_postgres
from tests.eventlog.proxy import proxied
from tests.eventlog.rows import after, entry, rows_of, table_in
from tests.eventlog.test_appender import Told, monotonic, running, teller
from tests.eventlog.waiting import until
from tests.rules import case
from tests.servers import PostgresServer


@case("C-17")
async def test_a_commit_whose_answer_was_lost_is_found_and_not_repeated(postgres_url: str) -> None:
    async with proxied(postgres_url) as proxy, open_postgres(proxy.url, "a") as log:
        sent = [entry(await log.take("a", partition), 2) for partition in (1, 2)]
        await log.append("a", [entry(await log.take("a", 3))])  # prepares the statement
        proxy.lose_answer_to(sent[0].rows[0].hash)
        with pytest.raises(AppendFailed):
            await log.append("a", sent)
        assert proxy.swallowed == 1
        assert await log.tenure(1) == after(sent[0].tenure, 2)
        assert await log.append("a", sent) == {1: Outcome.COMMITTED, 2: Outcome.COMMITTED}
        for one in sent:
            assert await log.table_rows(one.rows[0].table_id) == one.rows
            assert await log.tenure(one.tenure.partition) == after(one.tenure, 2)


@case("C-17")
async def test_a_lost_answer_is_told_as_committed_and_the_next_go_on_behind_it(postgres_url: str) -> None:
    async with proxied(postgres_url) as proxy, open_postgres(proxy.url, "a") as log:
        appender, told, rows = Appender(log, "a", monotonic), Told(), rows_of(table_in(1), 3)
        appender.open(await log.take("a", 1))
        async with running(appender):
            for row in rows:
                proxy.lose_answer_to(row.hash)
                appender.submit(1, row.table_id, [row], (), teller(told, str(row.version)))
                await until(lambda row=row: len(told) == row.version)  # type: ignore[misc]
        assert proxy.swallowed == 3
        assert told == [(str(version), Fate.COMMITTED) for version in (1, 2, 3)]
        assert await log.table_rows(table_in(1)) == rows


@case("C-17", "C-15")
async def test_after_a_lost_answer_and_a_takeover_the_writer_hears_of_its_commit(postgres_url: str) -> None:
    async with proxied(postgres_url) as proxy, open_postgres(proxy.url, "a") as log:
        tenure, (first, second) = await log.take("a", 1), rows_of(table_in(1), 2)
        proxy.lose_answer_to(first.hash)
        with pytest.raises(AppendFailed):
            await log.append("a", [Entry(tenure, [first])])
        async with open_postgres(postgres_url, "b") as other:
            assert (await other.take("b", 1)).position == 1
        assert await log.append("a", [Entry(tenure, [first])]) == {1: Outcome.COMMITTED}
        assert await log.append("a", [Entry(after(tenure, 1), [second])]) == {1: Outcome.FENCED}


@case("C-16")
async def test_a_database_killed_in_mid_append_loses_nothing_and_doubles_nothing(own_postgres: PostgresServer) -> None:
    await asyncio.to_thread(migrate, own_postgres.url)
    ids = [table_in(partition, number) for partition in (1, 2, 3) for number in (0, 1)]
    rows = {table_id: rows_of(table_id, 400) for table_id in ids}
    async with open_postgres(own_postgres.url, "a") as log:
        appender, told = Appender(log, "a", monotonic), Told()
        for partition in (1, 2, 3):
            appender.open(await log.take("a", partition))
        async with running(appender):
            feeding = asyncio.create_task(feed(appender, rows, told))
            for share in (600, 1_200):
                await until(lambda share=share: len(told) > share)  # type: ignore[misc]
                own_postgres.kill()
                await asyncio.to_thread(own_postgres.start)
            await feeding
            await until(lambda: len(told) == 6 * 400, 60)
        assert {fate for _, fate in told} == {Fate.COMMITTED}
        for table_id in ids:
            assert [name for name, _ in told if name.startswith(table_id + "/")] == [
                f"{table_id}/{row.version}" for row in rows[table_id]
            ]
            stored = await log.table_rows(table_id)
            assert stored == rows[table_id]
            assert verify_chain(stored, genesis(table_id)) is None


async def feed(appender: Appender, rows: dict[str, list], told: Told) -> None:  # type: ignore[type-arg]
    """Submit every table's next row, not more than 50 ahead of what was told."""
    for number in range(400):
        for table_id, of_table in rows.items():
            row = of_table[number]
            partition = 1 + list(rows).index(table_id) // 2
            appender.submit(partition, table_id, [row], (), teller(told, f"{table_id}/{row.version}"))
        await until(lambda number=number: len(told) > 6 * (number + 1) - 50, 60)  # type: ignore[misc]


def migrate(url: str) -> None:
    from services.migrate import migrate

    migrate(url)


async def test_a_deadlock_is_an_outage_and_the_same_entries_go_through_afterwards(postgres_url: str) -> None:
    async with open_postgres(postgres_url, "a") as log:
        sent = [entry(await log.take("a", partition)) for partition in (1, 2)]
        other = await asyncpg.connect(postgres_url)
        transaction = other.transaction()
        await transaction.start()
        await insert_commit(other, 2)
        appending = asyncio.create_task(log.append("a", sent))
        await until(lambda: waits(postgres_url, "append a"))
        crossing = asyncio.create_task(insert_commit(other, 1))  # the append holds commit 1 and waits for 2
        done, _ = await asyncio.wait([appending, crossing], return_when=asyncio.FIRST_EXCEPTION)
        assert [type(task.exception()) for task in done if task.exception()] in (
            [AppendFailed],
            [asyncpg.DeadlockDetectedError],
        )
        with pytest.raises((AppendFailed, asyncpg.DeadlockDetectedError)):
            await asyncio.gather(appending, crossing)
        await other.close()
        assert await log.append("a", sent) == {1: Outcome.COMMITTED, 2: Outcome.COMMITTED}


@case("C-15")
async def test_writers_of_the_same_partitions_in_any_order_do_not_deadlock(postgres_url: str) -> None:
    async with open_postgres(postgres_url, "a") as one, open_postgres(postgres_url, "b") as other:
        entries = [Entry(await one.take("a", partition), ()) for partition in range(8)]
        blocker = await asyncpg.connect(postgres_url)
        transaction = blocker.transaction()
        await transaction.start()
        await insert_commit(blocker, 4)  # both stop half way
        appending = [
            asyncio.create_task(one.append("a", entries)),
            asyncio.create_task(other.append("a", entries[::-1])),
        ]
        for name in ("append a", "append b"):
            await until(lambda name=name: waits(postgres_url, name))  # type: ignore[misc]
        await transaction.rollback()
        for outcomes in await asyncio.gather(*appending):
            assert set(outcomes.values()) == {Outcome.COMMITTED}
        await blocker.close()


async def test_a_held_snapshot_costs_nothing_since_no_row_is_ever_touched_again(postgres_url: str) -> None:
    holder = await asyncpg.connect(postgres_url)
    async with holder.transaction(isolation="repeatable_read"):
        assert await holder.fetchval("SELECT count(*) FROM commits") == 0
        async with open_postgres(postgres_url, "a") as log:
            tenure, rows = await log.take("a", 1), rows_of(table_in(1), 200)
            for row in rows:
                assert await log.append("a", [Entry(tenure, [row])]) == {1: Outcome.COMMITTED}
                tenure = after(tenure, 1)
            assert await log.table_rows(table_in(1)) == rows
        await until(lambda: touched(postgres_url, "records", 200, 0))
        await until(lambda: touched(postgres_url, "commits", 201, 0))
        assert await holder.fetchval("SELECT count(*) FROM commits") == 0
    await holder.close()


async def test_a_dead_server_is_unreachable_and_not_bad_data(own_postgres: PostgresServer) -> None:
    await asyncio.to_thread(migrate, own_postgres.url)
    async with open_postgres(own_postgres.url, "a") as log:
        sent = [entry(await log.take("a", 1))]
        own_postgres.kill()
        with pytest.raises(AppendFailed):
            await log.append("a", sent)
        for reading in (log.tenure(1), log.heads(1), log.table_rows("x"), log.take("a", 1)):
            with pytest.raises(Unreachable):
                await reading
        await asyncio.to_thread(own_postgres.start)
        assert await log.append("a", sent) == {1: Outcome.COMMITTED}
        assert await log.table_rows(table_in(1)) == sent[0].rows


async def insert_commit(connection: "asyncpg.Connection[asyncpg.Record]", partition: int) -> None:
    await connection.execute("INSERT INTO commits VALUES ($1, 2, 1, 'x', 0, 0, 0)", partition)


async def waits(url: str, name: str) -> bool:
    """Whether the session of this application name waits for a lock."""
    return bool(
        await fetchval(
            url,
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'",
            name,
        )
    )


async def touched(url: str, table: str, inserted: int, changed: int) -> bool:
    """Whether this many rows of a table were ever inserted, and this many updated or deleted."""
    return bool(
        await fetchval(
            url,
            "SELECT (n_tup_ins, n_tup_upd + n_tup_del) = ($2, $3) FROM pg_stat_user_tables WHERE relname = $1",
            table,
            inserted,
            changed,
        )
    )


async def fetchval(url: str, sql: str, *arguments: object) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(sql, *arguments)
    finally:
        await connection.close()
