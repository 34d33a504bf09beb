"""The stores that the projections' contract runs on."""

from collections.abc import AsyncIterator

import pytest

from services.scoring.memory import MemoryProjections
from services.scoring.port import Projections
from services.scoring.postgres import PostgresProjections


@pytest.fixture(params=["memory", "postgres"])
def database(request: pytest.FixtureRequest) -> str | None:
    """The URL of a migrated database; None: in memory."""
    return None if request.param == "memory" else str(request.getfixturevalue("postgres_url"))


@pytest.fixture
async def projections(database: str | None) -> AsyncIterator[Projections]:
    """An empty store."""
    store: Projections
    store = MemoryProjections() if database is None else PostgresProjections(database, "quartet_scoring", "test")
    yield store
    await store.close()
