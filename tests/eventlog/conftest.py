"""The adapters of the log that must keep one contract; each fixture value opens more writers on the same database."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from shared.eventlog.memory import MemoryEventLog
from shared.eventlog.port import EventLog
from shared.eventlog.postgres import PostgresEventLog

ROLE = "quartet_table"
OpenLog = Callable[[str], EventLog]


@asynccontextmanager
async def open_postgres(url: str, name: str) -> AsyncIterator[PostgresEventLog]:
    """The log in a database as instance `name` sees it."""
    log = PostgresEventLog(url, ROLE, name, pool_size=4)
    try:
        yield log
    finally:
        await log.close()


@pytest.fixture(params=["memory", "postgres"])
def database(request: pytest.FixtureRequest) -> str | None:
    """The URL of a migrated database; None: in memory."""
    return None if request.param == "memory" else str(request.getfixturevalue("postgres_url"))


@pytest.fixture
async def open_log(database: str | None) -> AsyncIterator[OpenLog]:
    """open_log("a") is the log as instance a sees it."""
    shared, opened = MemoryEventLog(lambda: time.time_ns() // 1_000), list[EventLog]()

    def open_one(name: str) -> EventLog:
        opened.append(shared if database is None else PostgresEventLog(database, ROLE, name, pool_size=4))
        return opened[-1]

    yield open_one
    for log in opened:
        await log.close()


@pytest.fixture
async def log(open_log: OpenLog) -> EventLog:
    """The log of an only instance, "a"."""
    return open_log("a")
