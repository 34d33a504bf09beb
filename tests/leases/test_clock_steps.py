"""The database's clock is set by an hour, either way, under two instances at work: nothing changes hands, nobody is
stuck with a lease that holds for an hour."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import asyncpg
import pytest

from shared.leases.memory import LeaseBook, MemoryLeases
from shared.leases.port import RENEW_MICROS, Leases
from shared.leases.postgres import PostgresLeases
from tests.eventlog.waiting import until
from tests.leases.conftest import ROLE
from tests.leases.desk import Desk, Room, monotonic, working
from tests.leases.test_tenancy import settled
from tests.rules import case

HOUR_MICROS = 3_600_000_000

# A clock of our own before the server's in every session's search path.
STEPPED_CLOCK = """
CREATE SCHEMA stepped;
CREATE TABLE stepped.steps (hours integer NOT NULL);
CREATE FUNCTION stepped.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    $$ SELECT pg_catalog.clock_timestamp() + make_interval(hours => (SELECT sum(hours)::int FROM stepped.steps)) $$;
INSERT INTO stepped.steps VALUES (0);
GRANT USAGE ON SCHEMA stepped TO PUBLIC;
GRANT SELECT ON stepped.steps TO PUBLIC;
"""


@dataclass
class Stepped:
    """Leases on a clock that can be set."""

    open: Callable[[str], Leases]
    step: Callable[[int], Awaitable[object]]


@pytest.fixture
async def stepped(database: str | None) -> AsyncIterator[Stepped]:
    opened: list[Leases] = []
    if database is None:
        steps = [0]
        book = LeaseBook(lambda: time.time_ns() // 1_000 + sum(steps) * HOUR_MICROS)

        async def step(hours: int) -> None:
            steps.append(hours)

        yield Stepped(lambda name: MemoryLeases(book), step)
        return

    def open_one(name: str) -> Leases:
        opened.append(PostgresLeases(database, ROLE, name))
        return opened[-1]

    connection = await asyncpg.connect(database)
    await connection.execute(STEPPED_CLOCK)
    path = f'ALTER DATABASE "{database.rpartition("/")[2]}" SET search_path = stepped, pg_catalog, public'
    await connection.execute(path)
    yield Stepped(open_one, lambda hours: connection.execute("INSERT INTO stepped.steps VALUES ($1)", hours))
    await connection.close()
    for leases in opened:
        await leases.close()


@pytest.mark.parametrize("hours", [1, -1])
@case("C-13")
@pytest.mark.slow
async def test_a_step_of_the_clock_moves_no_partition(stepped: Stepped, hours: int) -> None:
    room = Room()
    async with (
        working(stepped.open("a"), "a", Desk(room)) as a,
        working(stepped.open("b"), "b", Desk(room)) as b,
    ):
        await until(lambda: settled(a, b))
        judging_by = monotonic() + 6 * RENEW_MICROS
        await until(lambda: monotonic() > judging_by)
        taken = len(a.desk.taken) + len(b.desk.taken)
        before = await a.leases.renew("a", "table")
        await stepped.step(hours)
        after = await a.leases.renew("a", "table")
        assert round((after - before) / HOUR_MICROS) == hours
        judging_again_by = monotonic() + 6 * RENEW_MICROS
        await until(lambda: monotonic() > judging_again_by)
        assert settled(a, b)
        assert len(a.desk.taken) + len(b.desk.taken) == taken
        assert a.desk.lost == b.desk.lost == []


@case("C-13")
async def test_after_the_clock_was_set_back_a_lease_does_not_hold_an_hour(stepped: Stepped) -> None:
    paused, watching = stepped.open("a"), stepped.open("b")
    await paused.renew("a", "table")
    assert [lease.instance for lease in await watching.live("table")] == ["a"]
    await stepped.step(-1)
    assert await watching.live("table") == []
    assert [lease.instance for lease in await watching.dead("table")] == ["a"]
    await paused.renew("a", "table")
    assert [lease.instance for lease in await watching.live("table")] == ["a"]
