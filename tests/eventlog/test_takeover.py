"""Takeovers behind an append that is in flight: it comes first and counts, or it is ended and never was."""

import asyncio

import asyncpg
import pytest

from shared.eventlog.port import Entry, Outcome, Tenure, Unreachable
from tests.eventlog.conftest import open_postgres
from tests.eventlog.rows import after, entry, rows_of, table_in
from tests.eventlog.test_outages import fetchval, insert_commit, waits
from tests.eventlog.waiting import until
from tests.rules import case


@case("C-15")
async def test_a_takeover_waits_for_an_append_in_flight_and_starts_behind_it(postgres_url: str) -> None:
    async with open_postgres(postgres_url, "b") as log:
        await log.take("a", 1)
        old = await asyncpg.connect(postgres_url, server_settings={"application_name": "append a"})
        async with old.transaction():
            await insert_commit(old, 1)
            taking = asyncio.create_task(log.take("b", 1))
            await until(lambda: waits(postgres_url, "log b"))
        assert await taking == Tenure(partition=1, epoch=2, n=3, position=0)
        await old.close()


@case("C-15")
async def test_an_append_that_hangs_in_flight_is_ended_and_its_writer_fenced(postgres_url: str) -> None:
    async with open_postgres(postgres_url, "a") as zombie, open_postgres(postgres_url, "b") as log:
        believed, second = await zombie.take("a", 1), await zombie.take("a", 2)
        blocker = await asyncpg.connect(postgres_url)
        async with (
            blocker.transaction()
        ):  # holds up the zombie's statement in its middle: it has commit 2 of partition 1
            await insert_commit(blocker, 2)
            hanging = asyncio.create_task(zombie.append("a", [entry(believed), Entry(second, ())]))
            await until(lambda: waits(postgres_url, "append a"))
            assert await log.take("b", 1) == Tenure(partition=1, epoch=2, n=2, position=0)
            with pytest.raises(Unreachable) as ended:
                await hanging
            assert "lock timeout" not in str(ended.value)
        await blocker.close()
        assert await zombie.append("a", [entry(believed)]) == {1: Outcome.FENCED}
        assert await log.table_rows(table_in(1)) == []


@case("C-15")
async def test_a_takeover_wins_against_a_writer_that_never_pauses(postgres_url: str) -> None:
    async with open_postgres(postgres_url, "a") as old, open_postgres(postgres_url, "b") as new:
        tenure, rows = await old.take("a", 1), rows_of(table_in(1), 5_000)

        async def write() -> int:
            nonlocal tenure
            for number, row in enumerate(rows):
                outcome = (await old.append("a", [Entry(tenure, [row])]))[1]
                if outcome is Outcome.FENCED:
                    return number
                tenure = after(tenure, 1)
            return len(rows)

        writing = asyncio.create_task(write())
        await until(lambda: tenure.n > 20)
        taken = await new.take("b", 1)
        written = await writing
        assert written < len(rows)
        assert taken == Tenure(partition=1, epoch=2, n=written + 2, position=written)
        assert await new.table_rows(table_in(1)) == rows[:written]


async def test_only_appenders_are_ended_for_a_takeover(postgres_url: str) -> None:
    async with open_postgres(postgres_url, "b") as log:
        await log.take("a", 1)
        person = await asyncpg.connect(postgres_url)
        async with person.transaction():
            await insert_commit(person, 1)
            with pytest.raises(Unreachable):
                await log.take("b", 1)
        assert await fetchval(postgres_url, "SELECT max(epoch) FROM commits WHERE partition = 1") == 1
        await person.close()
        assert (await log.take("b", 1)).epoch == 2
