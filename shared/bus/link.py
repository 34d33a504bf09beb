"""Staying connected to NATS: connect, ping every second, give up what answers no more, connect again, for ever."""

import asyncio
import itertools
import random
import ssl
from collections.abc import Callable
from urllib.parse import SplitResult, unquote, urlsplit

import msgspec
from prometheus_client import Counter

from shared.bus.connection import Connection, Info, Owner

PING_SECONDS = 1.0
SILENT_PINGS_MAX = 2
CONNECT_SECONDS_MAX = 2.0
RETRY_SECONDS = 0.1
RETRY_SECONDS_MAX = 0.5

_connections = Counter("quartet_bus_connections", "Connections made to NATS")


class Link:
    """`connection` is the one that works now, or None. `greet` sends what each new connection must begin with."""

    def __init__(self, url: str, name: str, owner: Owner, greet: Callable[[Connection], None]) -> None:
        self.servers = [urlsplit(part if "://" in part else f"nats://{part}") for part in url.split(",")]
        self.connection: Connection | None = None
        self.info = Info()
        self.settled = asyncio.Event()
        self.refused: str | None = None
        self._name = name
        self._owner = owner
        self._greet = greet
        self._task = asyncio.create_task(self._keep(), name=f"bus {name}")

    async def close(self) -> None:
        """Disconnect and stay so."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def refuse(self, why: str) -> None:
        """Our name or password is wrong: final before the first success, later it may be a server half set up."""
        if not self.settled.is_set():
            self.refused = why

    async def _keep(self) -> None:
        delay = RETRY_SECONDS
        for server in itertools.cycle(self.servers):
            try:
                async with asyncio.timeout(CONNECT_SECONDS_MAX):
                    connection = await self._open(server)
            except (OSError, TimeoutError, msgspec.DecodeError):
                if self.refused is not None:
                    break
                await asyncio.sleep(delay * random.uniform(0.5, 1.0))
                delay = min(delay * 2, RETRY_SECONDS_MAX)
            else:
                delay = RETRY_SECONDS
                await self._use(connection)
        self.settled.set()

    async def _open(self, server: SplitResult) -> Connection:
        host, port = server.hostname or "127.0.0.1", server.port or 4222
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(lambda: Connection(self._owner), host, port)
        try:
            self.info = await connection.info
            if self.info.tls_required or server.scheme == "tls":
                await connection.start_tls(ssl.create_default_context(), host)
            connection.send(_hello(server, self._name))
            self._greet(connection)
            self.connection = connection  # from here on new subscriptions announce themselves
            if not await connection.ping():
                raise ConnectionResetError("closed by the server")
        except BaseException:
            self.connection = None
            connection.abort()
            raise
        return connection

    async def _use(self, connection: Connection) -> None:
        """Offer it until it is lost or answers no more."""
        self.settled.set()
        _connections.inc()
        try:
            while not connection.closed.done():
                await asyncio.wait([connection.closed], timeout=PING_SECONDS)
                if connection.silent_pings >= SILENT_PINGS_MAX:
                    connection.abort()
                connection.ping()
        finally:
            self.connection = None
            connection.abort()


def _hello(server: SplitResult, name: str) -> bytes:
    """The CONNECT line: no echo of every message's fate (verbose), and told at once when nobody listens."""
    said = {
        "verbose": False,
        "pedantic": False,
        "headers": True,
        "no_responders": True,
        "protocol": 1,
        "lang": "python",
        "version": "1",
        "name": name,
    }
    if server.username is not None:
        said |= {"user": unquote(server.username), "pass": unquote(server.password or "")}
    return b"CONNECT " + msgspec.json.encode(said) + b"\r\n"
