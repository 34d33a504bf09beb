"""How the project connects to Postgres: AUTOCOMMIT, a service's role, durable commits, and a time-out on everything."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import asyncpg
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolExhausted
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from shared.eventlog.port import Unreachable

CONNECT_SECONDS = 2.0
COMMAND_SECONDS = 10.0

_TIMEOUTS = {
    "lock_timeout": "2s",
    "statement_timeout": "8s",
    "transaction_timeout": "9s",
    "idle_in_transaction_session_timeout": "5s",
}
_SETTINGS = {
    "synchronous_commit": "on",
    "jit": "off",
    "timezone": "UTC",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}

_OUTAGES = (
    OSError,  # also ConnectionError and TimeoutError
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.TransactionRollbackError,
    asyncpg.InvalidTransactionStateError,
    asyncpg.LockNotAvailableError,
)
"""What says nothing of the statement itself: the machine between, a restart, a time-out, a deadlock."""


@contextmanager
def reaching() -> Iterator[None]:
    """Turns an outage, whichever layer reports it, into Unreachable; what is wrong with a statement stays as it is."""
    try:
        yield
    except (*_OUTAGES, PoolExhausted) as failure:
        raise Unreachable(f"database: {failure!r}") from failure
    except asyncpg.InterfaceError as failure:
        if isinstance(failure, ValueError):  # the client side of the driver can't encode an argument
            raise
        raise Unreachable(f"database: {failure!r}") from failure
    except DBAPIError as failure:
        cause = failure.orig.__cause__ if failure.orig is not None else None
        if failure.connection_invalidated or isinstance(cause, (*_OUTAGES, asyncpg.InterfaceError)):
            raise Unreachable(f"database: {failure!r}") from failure
        raise


async def connect(
    url: str, role: str | None, name: str, patient: bool = False, **settings: str
) -> "asyncpg.Connection[asyncpg.Record]":
    """A direct connection. `role` is set from the start, so that one URL serves every service; `name` is shown to
    operators; who is `patient` has no time-outs. A role that may not be set is a PostgresError. Raises Unreachable."""
    chosen = {**_SETTINGS, **({} if patient else _TIMEOUTS), "application_name": name[:63], **settings}
    if role is not None:
        chosen["role"] = role
    with reaching():
        return await asyncpg.connect(
            plain(url),
            timeout=CONNECT_SECONDS,
            command_timeout=None if patient else COMMAND_SECONDS,
            server_settings=chosen,
        )


def engine(url: str, role: str | None, name: str, pool_size: int = 8, patient: bool = False) -> AsyncEngine:
    """A pool over `connect` in AUTOCOMMIT: every statement is its own transaction unless one is begun."""

    async def creator(*_: Any) -> Any:
        return await connect(url, role, name, patient)

    return create_async_engine(
        "postgresql+asyncpg://",
        async_creator=creator,
        isolation_level="AUTOCOMMIT",
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=COMMAND_SECONDS,
        pool_pre_ping=True,
    )


def plain(url: str) -> str:
    """The URL as asyncpg and psql take it, whichever driver it names."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


class Direct:
    """One connection of our own, opened at first need and anew after an outage; one statement at a time."""

    def __init__(self, url: str, role: str | None, name: str, **settings: str) -> None:
        self._url = url
        self._role = role
        self._name = name
        self._settings = settings
        self._lock = asyncio.Lock()
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None

    async def fetch(self, sql: str, *arguments: object, seconds: float) -> Sequence[asyncpg.Record]:
        """Run a statement, prepared once a connection. Raises Unreachable after `seconds`, and what Postgres says."""
        async with self._lock:
            try:
                with reaching():
                    async with asyncio.timeout(seconds):
                        found: Sequence[asyncpg.Record] = await (await self._ready()).fetch(sql, *arguments)
                        return found
            except (Unreachable, asyncio.CancelledError):
                self._drop()
                raise

    async def close(self) -> None:
        """Close it; a later `fetch` opens a new one."""
        async with self._lock:
            self._drop()

    async def _ready(self) -> "asyncpg.Connection[asyncpg.Record]":
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect(self._url, self._role, self._name, False, **self._settings)
        return self._connection

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None
