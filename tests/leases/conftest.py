"""The adapters of the leases that must keep one contract; each call opens another instance's access to one book."""

import time
from collections.abc import AsyncIterator, Callable

import pytest

from shared.leases.memory import LeaseBook, MemoryLeases
from shared.leases.port import Leases
from shared.leases.postgres import PostgresLeases

ROLE = "quartet_table"
OpenLeases = Callable[[str], Leases]


@pytest.fixture(params=["memory", "postgres"])
def database(request: pytest.FixtureRequest) -> str | None:
    """The URL of a migrated database; None: in memory."""
    return None if request.param == "memory" else str(request.getfixturevalue("postgres_url"))


@pytest.fixture
async def open_leases(database: str | None) -> AsyncIterator[OpenLeases]:
    """open_leases("a") is what instance a has; closing it is what a crash does: its session is gone."""
    book, opened = LeaseBook(lambda: time.time_ns() // 1_000), list[Leases]()

    def open_one(name: str) -> Leases:
        opened.append(MemoryLeases(book) if database is None else PostgresLeases(database, ROLE, name))
        return opened[-1]

    yield open_one
    for leases in opened:
        await leases.close()
