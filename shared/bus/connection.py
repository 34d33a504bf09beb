"""One connection to a NATS server: the client protocol of https://docs.nats.io/reference/nats-protocols, with callbacks
straight from the socket and one write a turn of the event loop. It never reconnects; `nats.py` does."""

import asyncio
import ssl
from collections.abc import Callable
from typing import Protocol, cast

import msgspec

CRLF = b"\r\n"
WRITE_BYTES_MAX = 16 * 1024 * 1024
NO_RESPONDERS = b"NATS/1.0 503"

Deliver = Callable[[str, bytes, str | None], None]


class Info(msgspec.Struct, frozen=True):
    """What we read of a server's greeting."""

    max_payload: int = 1024 * 1024
    tls_required: bool = False


class Owner(Protocol):
    """Who made the connection and hears what happens to it."""

    def unheard(self, reply: str) -> None:
        """A published message with this reply subject met no subscriber."""

    def complained(self, message: str) -> None:
        """The server sent -ERR."""

    def failed(self, error: Exception) -> None:
        """A subscription's callback raised."""


class Connection(asyncio.Protocol):
    """The protocol's two halves: parsing what comes, joining what goes."""

    def __init__(self, owner: Owner) -> None:
        self.info: asyncio.Future[Info] = asyncio.get_running_loop().create_future()
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.delivers: dict[bytes, Deliver] = {}
        self.silent_pings = 0
        self._owner = owner
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._rest = b""
        self._out: list[bytes] = []
        self._pongs: list[asyncio.Future[bool]] = []

    def send(self, *lines: bytes) -> None:
        """Queue bytes for the one write at the end of this turn of the loop."""
        if not self._out:
            self._loop.call_soon(self._flush)
        self._out.extend(lines)

    @property
    def full(self) -> bool:
        """Whether the server takes our bytes so slowly that no more should be queued."""
        return self._transport is None or self._transport.get_write_buffer_size() > WRITE_BYTES_MAX

    def ping(self) -> asyncio.Future[bool]:
        """True when the server has handled all that was sent before, False when the connection is lost."""
        pong: asyncio.Future[bool] = self._loop.create_future()
        self._pongs.append(pong)
        self.silent_pings += 1
        self.send(b"PING\r\n")
        return pong

    async def start_tls(self, context: ssl.SSLContext, host: str) -> None:
        """Go on encrypted, as the server's greeting asked."""
        assert self._transport is not None
        self._transport = await self._loop.start_tls(self._transport, self, context, server_hostname=host)

    def abort(self) -> None:
        """Drop the connection now."""
        if self._transport is not None:
            self._transport.abort()

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is one without being of that class

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        for pong in self._pongs:
            if not pong.done():
                pong.set_result(False)
        if not self.info.done():
            self.info.set_exception(exc or ConnectionResetError("closed before its greeting"))
        self.closed.set_result(None)

    def data_received(self, data: bytes) -> None:
        self.silent_pings = 0
        data = self._rest + data if self._rest else data
        at, size = 0, len(data)
        while (end := data.find(CRLF, at)) >= 0:
            line = data[at:end]
            match line[:1]:
                case b"M" | b"H":  # MSG subject sid [reply] bytes · HMSG subject sid [reply] header_bytes bytes
                    parts = line.split()
                    after = end + 2 + int(parts[-1])
                    if after + 2 > size:
                        break
                    if line[:1] == b"M":
                        self._message(parts[1], parts[2], parts[3] if len(parts) == 5 else None, data[end + 2 : after])
                    else:
                        body = data[end + 2 : after]
                        self._headed(parts, body[: int(parts[-2])], body[int(parts[-2]) :])
                    at = after + 2
                case _:
                    self._control(line)
                    at = end + 2
        self._rest = data[at:] if at < size else b""

    def _message(self, subject: bytes, sid: bytes, reply: bytes | None, payload: bytes) -> None:
        deliver = self.delivers.get(sid)
        if deliver is None:
            return
        try:
            deliver(subject.decode(), payload, reply.decode() if reply else None)
        except Exception as error:  # a bug in one callback must not stop the others' messages
            self._owner.failed(error)

    def _headed(self, parts: list[bytes], header: bytes, payload: bytes) -> None:
        if header.startswith(NO_RESPONDERS):
            self._owner.unheard(parts[1].decode())
        else:
            self._message(parts[1], parts[2], parts[3] if len(parts) == 6 else None, payload)

    def _control(self, line: bytes) -> None:
        word = line[:4].upper()
        if word == b"PING":
            self.send(b"PONG\r\n")
        elif word == b"PONG":
            if self._pongs and not (pong := self._pongs.pop(0)).done():
                pong.set_result(True)
        elif word == b"INFO" and not self.info.done():
            self.info.set_result(msgspec.json.decode(line[5:], type=Info))
        elif word == b"-ERR":
            self._owner.complained(line[5:].decode(errors="replace").strip("'"))

    def _flush(self) -> None:
        if self._transport is not None:
            self._transport.write(b"".join(self._out))
        self._out.clear()
