"""The bus on NATS (core) through nats-py, with other defaults than its own: it finds a lost server within a second or
two, reconnects for ever, buffers nothing while it is disconnected, and counts what it drops."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

import structlog
from nats import errors
from nats.aio.client import Client, _validate_subject
from nats.aio.subscription import Subscription as ClientSubscription
from nats.protocol.command import pub_cmd
from prometheus_client import Counter

from shared.bus.port import Callback, NoResponders

PING_SECONDS = 1
SILENT_PINGS_MAX = 2
RECONNECT_SECONDS = 0.1
CONNECT_SECONDS = 1
FLUSH_SECONDS_MAX = 1.0
PENDING_BYTES_MAX = 16 * 1024 * 1024
QUIET_SECONDS = 10.0
"""The same complaint is logged no more often; the metric counts each."""
NO_RESPONDERS = b"NATS/1.0 503"

_log = structlog.get_logger()
_dropped = Counter("quartet_bus_dropped", "Messages not sent: disconnected, or the server was too slow", ["why"])
_complaints = Counter("quartet_bus_complaints", "Errors that NATS or its client reported", ["kind"])
_failures = Counter("quartet_bus_callback_failures", "Exceptions out of subscription callbacks")


class BusRefused(Exception):
    """NATS refuses our name or password, or its address can't be one: no retry will help."""


class _Client(Client):
    """nats-py, but a message is handed over in the turn in which it is read, and one to send only joins those that its
    flusher writes: no queue, task or coroutine a message. It reaches into nats-py, whose version the lock pins."""

    def __init__(self) -> None:
        super().__init__()
        self.hearing: dict[int, Callable[[str, bytes, str | None, bytes | None], None]] = {}

    def post(self, subject: str, payload: bytes, reply: str) -> None:
        """As `publish`, while connected. Raises MaxPayloadError, BadSubjectError."""
        _validate_subject(subject)
        if reply:
            _validate_subject(reply)
        if len(payload) > self._max_payload:
            raise errors.MaxPayloadError
        assert self._flush_queue is not None, "it is connected"
        command = pub_cmd(subject, reply, payload)
        self._pending.append(command)
        self._pending_data_size += len(command)
        if self._flush_queue.empty():
            self._flush_queue.put_nowait(asyncio.get_running_loop().create_future())

    async def _process_msg(self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes | None) -> None:
        hear = self.hearing.get(sid)
        if hear is None:  # the answer to a request
            await super()._process_msg(sid, subject, reply, data, headers)  # type: ignore[arg-type]
        else:
            hear(subject.decode(), data, reply.decode() or None, headers)

    async def _process_pong(self) -> None:
        """A flush that was given up left its future here; nats-py would end its reading over the late answer."""
        if self._pongs and self._pongs[0].done():
            self._pongs[0] = asyncio.get_running_loop().create_future()
        await super()._process_pong()


@dataclass(slots=True, eq=False)
class NatsSubscription:
    """A subscription that outlives connections."""

    client: _Client
    subject: str
    queue: str | None
    callback: Callback
    running: ClientSubscription | None = None
    stopped: bool = False

    async def stop(self) -> None:
        """No callback runs after this returns."""
        self.stopped = True
        if self.running is not None:
            self.client.hearing.pop(self.running._id, None)
            with contextlib.suppress(errors.Error):
                await self.running.unsubscribe()


class NatsBus:
    """One service's connection. Make it with `connect`."""

    def __init__(self) -> None:
        self._client = _Client()
        self._subscriptions: list[NatsSubscription] = []
        self._unheard: list[Callable[[str], None]] = []
        self._refused: str | None = None
        self._told: dict[str, float] = {}
        self._settled = asyncio.Event()
        self._connecting: asyncio.Task[None] | None = None

    @classmethod
    async def connect(cls, url: str, name: str, wait: float = 5.0) -> "NatsBus":
        """Connect and stay so. Returns after `wait` seconds even if no server was reached yet (`connected` tells).

        `url`: nats://user:password@host:port, several with commas, tls:// for TLS. Raises BusRefused.
        """
        servers = [server.strip() for server in url.split(",") if server.strip()]
        if not servers or not all(map(_is_address, servers)):
            raise BusRefused("the address is nats://user:password@host:port, several with commas")  # not the password
        bus = cls()
        bus._connecting = asyncio.create_task(bus._connect(servers, name))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await bus._settled.wait()
        if bus._refused is not None:
            await bus.close()
            raise BusRefused(bus._refused)
        return bus

    @property
    def connected(self) -> bool:
        """Whether messages can be sent now."""
        return self._client.is_connected

    def publish(self, subject: str, payload: bytes, reply: str | None = None) -> None:
        """Send without waiting; dropped (and counted) while disconnected. Raises ValueError if it is too long."""
        client = self._client
        if not client.is_connected:
            _dropped.labels("disconnected").inc()
        elif client.pending_data_size > PENDING_BYTES_MAX:
            _dropped.labels("slow").inc()
        else:
            try:
                client.post(subject, payload, reply or "")
            except errors.MaxPayloadError as too_long:
                raise ValueError(f"{len(payload)} bytes on {subject}: NATS takes {client.max_payload}") from too_long
            except errors.Error:
                _dropped.labels("unfit").inc()

    async def subscribe(self, subject: str, callback: Callback, queue: str | None = None) -> NatsSubscription:
        """Call back for each message; the server knows of it when this returns, if there is a connection."""
        sub = NatsSubscription(self._client, subject, queue, callback)
        self._subscriptions = [one for one in self._subscriptions if not one.stopped]
        self._subscriptions.append(sub)
        if self._client.is_connected or self._client.is_reconnecting:
            await self._start(sub)
            await self._flush()
        return sub

    async def request(self, subject: str, payload: bytes, timeout: float) -> bytes:
        """One answer. Raises NoResponders at once if nobody listens, TimeoutError after `timeout` seconds."""
        try:
            answer = await self._client.request(subject, payload, timeout)
        except errors.NoRespondersError as nobody:
            raise NoResponders(subject) from nobody
        except errors.Error as failure:
            raise TimeoutError(str(failure)) from failure
        return answer.data

    def on_no_responders(self, callback: Callable[[str], None]) -> None:
        """Register for the reply subjects of published messages that had a `reply` and met no subscriber.

        Heard only where a subscription of ours covers those reply subjects.
        """
        self._unheard.append(callback)

    async def close(self) -> None:
        """Flush and disconnect."""
        await self._flush()
        await self._client.close()  # before the task is cancelled, so that no half-made connection is left open
        if self._connecting is not None:
            self._connecting.cancel()
            await asyncio.wait((self._connecting,))

    async def _connect(self, servers: list[str], name: str) -> None:
        with contextlib.suppress(errors.ConnectionClosedError):  # closed by us, or refused
            await self._client.connect(
                servers=servers,
                name=name,
                error_cb=self._complain,
                connect_timeout=CONNECT_SECONDS,
                max_reconnect_attempts=-1,
                reconnect_time_wait=RECONNECT_SECONDS,  # type: ignore[arg-type]  # slept on, fractions are fine
                ping_interval=PING_SECONDS,
                max_outstanding_pings=SILENT_PINGS_MAX,
                pending_size=0,
                # the permissions of each user name an inbox of its own
                inbox_prefix=f"_INBOX.{urlsplit(servers[0]).username or 'quartet'}",
            )
            for sub in self._subscriptions:
                if sub.running is None and not sub.stopped:
                    await self._start(sub)
            self._settled.set()

    async def _start(self, sub: NatsSubscription) -> None:
        sub.running = await self._client.subscribe(sub.subject, queue=sub.queue or "")
        self._client.hearing[sub.running._id] = partial(self._hear, sub)

    def _hear(
        self, sub: NatsSubscription, subject: str, payload: bytes, reply: str | None, headers: bytes | None
    ) -> None:
        if sub.stopped:
            return
        try:
            if headers is not None and headers.startswith(NO_RESPONDERS):
                for unheard in self._unheard:
                    unheard(subject)
            else:
                sub.callback(subject, payload, reply)
        except Exception as error:
            _failures.inc()
            _log.error("a bus callback failed", subject=subject, exc_info=error)

    async def _flush(self) -> None:
        with contextlib.suppress(errors.Error, TimeoutError):
            while self._client.is_connected and self._client.pending_data_size:  # noqa: ASYNC110 - nats-py tells nobody
                await asyncio.sleep(0)  # the client's PING would overtake what it has queued
            # shielded: nats-py's wait_for, before Python 3.12, loses a cancellation that comes together with the answer
            await asyncio.shield(self._client.flush(FLUSH_SECONDS_MAX))  # type: ignore[arg-type]

    async def _complain(self, error: Exception) -> None:
        """Forbidden subjects, slow consumers, wrong passwords, lost servers."""
        _complaints.labels(type(error).__name__).inc()
        said, now = str(error) or type(error).__name__, asyncio.get_running_loop().time()
        if now - self._told.get(said, -QUIET_SECONDS) >= QUIET_SECONDS:  # ten times a second while it is away
            self._told[said] = now
            _log.warning("nats complains", error=said)
        if isinstance(error, errors.AuthorizationError) or "authorization violation" in str(error).lower():
            self._refused = str(error)
            self._settled.set()


def _is_address(server: str) -> bool:
    try:
        parts = urlsplit(server)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number
        return False
