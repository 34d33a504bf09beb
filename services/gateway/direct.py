"""uvicorn's socket protocol with a direct line past ASGI, for the hot path: no dict, no task and no queue a message.

The handshake and the end still go through ASGI; the application finds the protocol as `scope["state"][DIRECT]`.
"""

from typing import Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request

DIRECT = "quartet.direct"
HANG_UP_SECONDS = 2.0
FRAGMENTS_MAX = 64


class Sink(Protocol):
    """Who takes what comes in."""

    def received(self, data: bytes | None) -> None:
        """A text message came; None: one that is not text."""

    def stalled(self) -> None:
        """The peer reads too slowly: what is written now piles up here."""

    def flowing(self) -> None:
        """The peer has caught up."""

    def lost(self) -> None:
        """The connection is gone."""


class Direct(WebSocketsSansIOProtocol):
    """One socket. Without a `sink` it behaves as its base does."""

    sink: Sink | None = None
    _corked: list[bytes] | None = None

    def write(self, frame: bytes) -> None:
        """Send a frame that is encoded already; nothing happens on a socket that is closing.

        What is written in one turn of the event loop (a view and its verdict) goes out in one system call.
        """
        if self._corked is None:
            self._corked = [frame]
            self.loop.call_soon(self._uncork)
        else:
            self._corked.append(frame)

    def _uncork(self) -> None:
        corked, self._corked = self._corked, None
        if corked and not self.close_sent and not self.disconnected:
            self.transport.write(corked[0] if len(corked) == 1 else b"".join(corked))

    def hang_up(self, code: int, reason: str) -> None:
        """Close with a code and a reason; a peer that does not answer or does not read is dropped after 2 s."""
        if self.close_sent or self.disconnected:
            return
        self._uncork()
        try:
            self.conn.send_close(code, reason)
        except InvalidState:
            return self.transport.abort()
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.close_timer = self.loop.call_later(HANG_UP_SECONDS, self.transport.abort)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.close_sent:
            self.scope["state"][DIRECT] = self

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= FRAGMENTS_MAX:  # empty ones add nothing to the size that is bounded
            return self.hang_up(CloseCode.MESSAGE_TOO_BIG, "too many fragments")
        super().handle_cont(event)

    def handle_ping(self) -> None:
        if self.writable.is_set():
            return super().handle_ping()
        self.conn.data_to_send()  # not to one who reads nothing; it need not be each that is answered (RFC 6455, 5.5.3)

    def send_receive_event_to_app(self) -> None:
        if self.sink is None:
            return super().send_receive_event_to_app()
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        if not self.close_sent:
            self.sink.received(data if self.curr_msg_data_type == "text" else None)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.sink is not None:
            self.sink.lost()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self.sink is not None:
            self.sink.stalled()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.sink is not None and not self.close_sent:
            self.sink.flowing()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": 1011})
        self.transport.abort()  # close() would wait for a peer that is gone to read what is left
