"""A real service for browsers, in one thread: gateway on a real socket, table, scoring and bots, everything in memory.

The gateway can be killed and opened again on the same port, as a process would be.
"""

import asyncio
import threading
import time
from collections.abc import Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from services.gateway.gateway import Gateway, Served
from services.gateway.memory import MemoryStore
from services.gateway.server import Server
from services.gateway.service import running
from services.gateway.settings import GatewaySettings
from services.gateway.tokens import Tokens
from services.local.single import Single
from shared.games.registry import GAMES
from shared.proof.checkpoint import Checkpoint
from shared.proof.keys import load, new_key
from shared.table.codec import codec


class StoreNames:
    """Names as the gateway wrote them down."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    async def of(self, players: Iterable[str]) -> Mapping[str, str]:
        return {player: self._store.names[player] for player in players if player in self._store.names}


class House:
    """What runs. Its methods may be called from the test's thread."""

    def __init__(self) -> None:
        self.port = 0
        self._store = MemoryStore()
        self._tokens = Tokens({"k1": "a secret of more than thirty-two bytes"})
        self._loop = asyncio.new_event_loop()
        self._keys = load(new_key(), GatewaySettings().origin)
        self._gateway: asyncio.Task[None] | None = None
        self._serving: Server | None = None

    @property
    def url(self) -> str:
        """Where people go."""
        return f"http://localhost:{self.port}"

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something in the house's thread and wait for it."""
        asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    def kill_gateway(self) -> None:
        """Every socket is cut and the port is closed, without a word."""
        self.run(self._kill())

    def open_gateway(self) -> None:
        """A gateway that knows nothing of the one before, on the same port."""
        self.run(self._open())

    def stop_scoring(self) -> None:
        """Rounds stop and are not scored until it is back."""
        self.run(self._single.stop("scoring-1"))

    def start_scoring(self) -> None:
        """It takes up what waits for it."""

        async def start() -> None:
            self._single.run_scoring()

        self.run(start())

    def auditor(self) -> str:
        """A token with which every finished round may be seen."""
        player = str(uuid4())
        self.run(self._store.add_player(player, "Auditor", time.time_ns() // 1_000))
        return self._tokens.issue(player, int(time.time()), "auditor")

    def lie(self, size: int) -> str:
        """A checkpoint that this house's own key signs and its log contradicts."""
        return Checkpoint(self._keys.signer.name, size, bytes(32)).signed(self._keys.signer)

    def live(self) -> None:
        """The thread's work."""
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._furnish())
        self._loop.run_forever()
        self._loop.run_until_complete(self._single.close())
        self._loop.close()

    def close(self) -> None:
        """Ends everything."""
        self.kill_gateway()
        self._loop.call_soon_threadsafe(self._loop.stop)

    async def _furnish(self) -> None:
        self._single = Single(StoreNames(self._store), self._keys)
        self._single.run_table()
        self._single.run_scoring()
        self._single.run_bots()

    async def _open(self) -> None:
        games = {name: Served(game, codec(game).players) for name, game in GAMES.items()}
        settings = GatewaySettings(
            port=self.port,
            requests_per_second=1000,  # who plays by script is quicker than people
            players_per_minute=1000,
            tables_per_minute=1000,
            wrong_codes_per_minute=1000,
            drain_seconds=0.2,
            verifier_keys=",".join(str(key) for key in self._keys.verifiers),
        )
        bus = self._single.bus(f"gateway-{self._loop.time()}")
        gateway = Gateway(settings, bus, self._store, self._tokens, games, ledger=self._single.ledger)
        server = Server(gateway)

        async def serve() -> None:
            async with running(gateway):
                await server.serve()

        self._serving, self._gateway = server, asyncio.create_task(serve())
        while not server.started:
            await asyncio.sleep(0.01)
        self.port = server.servers[0].sockets[0].getsockname()[1]

    async def _kill(self) -> None:
        server, task = self._serving, self._gateway
        assert server is not None
        assert task is not None
        for listening in server.servers:
            listening.close()
        for connection in list(server.server_state.connections):
            connection.transport.abort()
        server.should_exit = server.force_exit = True
        await asyncio.wait((task,))


@contextmanager
def furnished() -> Iterator[House]:
    """A house in a thread of its own."""
    house = House()
    thread = threading.Thread(target=house.live, daemon=True)
    thread.start()
    try:
        house.open_gateway()
        yield house
    finally:
        house.close()
        thread.join(10)
