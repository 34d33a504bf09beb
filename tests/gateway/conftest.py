"""A gateway on real sockets, its store and bus in memory, and a scripted owner behind it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from services.gateway.gateway import Gateway, Served
from services.gateway.memory import MemoryStore
from services.gateway.server import Server
from services.gateway.service import running
from services.gateway.settings import GatewaySettings
from services.gateway.tokens import Tokens
from shared.bus.memory import MemoryNetwork
from tests.gateway import toy
from tests.gateway.owner import ScriptedOwner
from tests.gateway.person import Person

KEYS = {"k1": "a secret of more than thirty-two bytes"}


@dataclass
class House:
    """What a test has: gateways, their store, the owner, and people."""

    network: MemoryNetwork
    store: MemoryStore
    owner: ScriptedOwner
    gateway: Gateway
    server: Server
    url: str
    http: httpx.AsyncClient

    async def person(self, name: str = "Ada") -> Person:
        answer = await self.http.post("/api/players", json={"name": name})
        assert answer.status_code == 201, answer.text
        return Person(self.url, self.http, **answer.json())


Opener = Callable[..., Awaitable[House]]


@asynccontextmanager
async def opened(
    network: MemoryNetwork,
    store: MemoryStore,
    owner: ScriptedOwner,
    games: Mapping[str, Served] | None = None,
    **settings: Any,
) -> AsyncIterator[House]:
    """One gateway of a house, with limits so wide that only tests of limits meet them."""
    wide = {"players_per_minute": 1000, "tables_per_minute": 1000, "requests_per_second": 1000, "drain_seconds": 0.2}
    configured = GatewaySettings(port=0, **{**wide, **settings})
    gateway = Gateway(configured, network.join("gateway"), store, Tokens(KEYS), games or {"toy": toy.served()})
    server = Server(gateway)
    async with running(gateway):
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.001)
        port = server.servers[0].sockets[0].getsockname()[1]
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=20) as http:
            yield House(network, store, owner, gateway, server, f"ws://127.0.0.1:{port}", http)
        serving.cancel()  # uvicorn looks only ten times a second whether it should exit
        await asyncio.wait((serving,))
        await server.shutdown()


@pytest.fixture
async def open_house() -> AsyncIterator[Opener]:
    """Opens a house with settings of the test's own; with `beside` another gateway of the same one."""
    async with AsyncExitStack() as stack:

        async def opener(beside: House | None = None, **settings: Any) -> House:
            if beside is not None:
                return await stack.enter_async_context(opened(beside.network, beside.store, beside.owner, **settings))
            network = MemoryNetwork()
            owner = ScriptedOwner(network.join("owner"))
            await owner.start()
            return await stack.enter_async_context(opened(network, MemoryStore(), owner, **settings))

        yield opener


@pytest.fixture
async def house(open_house: Opener) -> House:
    """A house as most tests need it."""
    return await open_house()
