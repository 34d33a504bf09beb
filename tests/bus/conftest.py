"""The contract suite runs once on the memory bus and once on a real NATS."""

from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import count

import pytest

from shared.bus.memory import MemoryNetwork
from shared.bus.nats import NatsBus
from shared.bus.port import Bus

Join = Callable[[], Awaitable[Bus]]


@pytest.fixture(params=["memory", "nats"])
async def join(request: pytest.FixtureRequest) -> AsyncIterator[Join]:
    """Makes buses on one network, and closes them."""
    joined: list[Bus] = []
    names = count(1)
    network = MemoryNetwork()
    url = request.getfixturevalue("nats_url") if request.param == "nats" else ""

    async def make() -> Bus:
        name = f"member-{next(names)}"
        bus: Bus = await NatsBus.connect(url, name) if url else network.join(name)
        joined.append(bus)
        return bus

    yield make
    for bus in joined:
        await bus.close()
