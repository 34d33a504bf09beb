"""The stores that the projections' contract runs on."""

import pytest

from services.scoring.memory import MemoryProjections
from services.scoring.port import Projections


@pytest.fixture(params=["memory"])
def projections(request: pytest.FixtureRequest) -> Projections:
    """An empty store."""
    return MemoryProjections()
