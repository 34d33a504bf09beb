"""The bus on NATS (core). It reconnects for ever within a second, buffers nothing while it is disconnected, and calls
back straight from the socket: a fifth of the general client's CPU a message (ARCHITECTURE.md)."""

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

import structlog
from prometheus_client import Counter

from shared.bus.connection import Connection
from shared.bus.link import Link
from shared.bus.port import Callback, NoResponders

FLUSH_SECONDS_MAX = 1.0

_log = structlog.get_logger()
_dropped = Counter("quartet_bus_dropped", "Messages not sent: disconnected, or the server was too slow", ["why"])
_complaints = Counter("quartet_bus_complaints", "Errors that NATS told us, slow consumer among them", ["kind"])
_failures = Counter("quartet_bus_callback_failures", "Exceptions out of subscription callbacks")


class BusRefused(Exception):
    """NATS refuses our name or password: no retry will help."""


@dataclass(frozen=True, slots=True, eq=False)
class NatsSubscription:
    """A subscription that outlives connections."""

    bus: "NatsBus"
    sid: bytes
    subject: str
    queue: str | None
    callback: Callback

    async def stop(self) -> None:
        """No callback runs after this returns."""
        self.bus.forget(self)


class NatsBus:
    """One service's connection. Make it with `connect`."""

    def __init__(self, url: str, name: str) -> None:
        self._subscriptions: dict[bytes, NatsSubscription] = {}
        self._unheard: list[Callable[[str], None]] = []
        self._answers: dict[str, asyncio.Future[bytes]] = {}
        self._numbers = count(1)
        self._link = Link(url, name, self, self._announce_all)
        user = self._link.servers[0].username
        self._inbox = f"_INBOX.{user or 'quartet'}.{secrets.token_hex(8)}"
        self._inbox_open: asyncio.Future[NatsSubscription] | None = None

    @classmethod
    async def connect(cls, url: str, name: str, wait: float = 5.0) -> "NatsBus":
        """Connect and stay so. Returns after `wait` seconds even if no server was reached yet (`connected` tells).

        `url`: nats://user:password@host:port, several with commas, tls:// for TLS. Raises BusRefused.
        """
        bus = cls(url, name)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(bus._link.settled.wait(), wait)
        if bus._link.refused is not None:
            await bus.close()
            raise BusRefused(bus._link.refused)
        return bus

    @property
    def connected(self) -> bool:
        """Whether messages can be sent now."""
        return self._link.connection is not None

    def publish(self, subject: str, payload: bytes, reply: str | None = None) -> None:
        """Send without waiting; dropped (and counted) while disconnected. Raises ValueError if it is too long."""
        connection = self._link.connection
        if connection is None or connection.full:
            _dropped.labels("disconnected" if connection is None else "slow").inc()
            return
        if len(payload) > self._link.info.max_payload:
            raise ValueError(f"{len(payload)} bytes on {subject}: NATS takes {self._link.info.max_payload}")
        to = f"{subject} {reply}" if reply else subject
        connection.send(b"PUB %b %d\r\n%b\r\n" % (to.encode(), len(payload), payload))

    async def subscribe(self, subject: str, callback: Callback, queue: str | None = None) -> NatsSubscription:
        """Call back for each message; the server knows of it when this returns, if there is a connection."""
        sub = NatsSubscription(self, str(next(self._numbers)).encode(), subject, queue, callback)
        self._subscriptions[sub.sid] = sub
        if self._link.connection is not None:
            _announce(self._link.connection, sub)
            await _flush(self._link.connection)
        return sub

    def forget(self, sub: NatsSubscription) -> None:
        """End a subscription."""
        if self._subscriptions.pop(sub.sid, None) is not None and self._link.connection is not None:
            del self._link.connection.delivers[sub.sid]
            self._link.connection.send(b"UNSUB %b\r\n" % sub.sid)

    async def request(self, subject: str, payload: bytes, timeout: float) -> bytes:
        """One answer. Raises NoResponders at once if nobody listens, TimeoutError after `timeout` seconds."""
        async with asyncio.timeout(timeout):
            if self._inbox_open is None:
                self._inbox_open = asyncio.ensure_future(self.subscribe(f"{self._inbox}.>", self._answer))
            await asyncio.shield(self._inbox_open)
            reply = f"{self._inbox}.{next(self._numbers)}"
            answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
            self._answers[reply] = answer
            try:
                self.publish(subject, payload, reply)
                return await answer
            finally:
                del self._answers[reply]

    def on_no_responders(self, callback: Callable[[str], None]) -> None:
        """Register for the reply subjects of published messages that had a `reply` and met no subscriber."""
        self._unheard.append(callback)

    async def close(self) -> None:
        """Flush and disconnect."""
        if self._link.connection is not None:
            await _flush(self._link.connection)
        await self._link.close()

    # What the connection tells us (connection.Owner).

    def unheard(self, reply: str) -> None:
        """A published message with this reply subject met no subscriber."""
        answer = self._answers.get(reply)
        if answer is None:
            for callback in self._unheard:
                callback(reply)
        elif not answer.done():
            answer.set_exception(NoResponders(reply))

    def complained(self, message: str) -> None:
        """The server sent -ERR: a forbidden subject, a slow consumer, a wrong password."""
        kind = message.split(" for ")[0].lower()
        _complaints.labels(kind).inc()
        _log.warning("nats complains", message=message)
        if kind == "authorization violation":
            self._link.refuse(message)

    def failed(self, error: Exception) -> None:
        """A subscription's callback raised."""
        _failures.inc()
        _log.error("a bus callback failed", exc_info=error)

    def _answer(self, subject: str, payload: bytes, _reply: str | None) -> None:
        answer = self._answers.get(subject)
        if answer is not None and not answer.done():
            answer.set_result(payload)

    def _announce_all(self, connection: Connection) -> None:
        for sub in self._subscriptions.values():
            _announce(connection, sub)


def _announce(connection: Connection, sub: NatsSubscription) -> None:
    connection.delivers[sub.sid] = sub.callback
    to = f"{sub.subject} {sub.queue}" if sub.queue else sub.subject
    connection.send(b"SUB %b %b\r\n" % (to.encode(), sub.sid))


async def _flush(connection: Connection) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(connection.ping(), FLUSH_SECONDS_MAX)
