"""uvicorn's HTTP protocol, but who does not say what they want, or does not take it, is not waited for without end."""

import asyncio

from h11 import Request
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS_MAX = 15.0
"""For a whole request with its body, from the connection or the answer before on (C-09)."""
STALLED_SECONDS_MAX = 60.0
"""For a peer whose buffers are full, until they have taken what waits for them here (C-10)."""


class Prompt(H11Protocol):
    """One connection."""

    _asking: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_request()

    def handle_websocket_upgrade(self, event: Request) -> None:
        _cancel(self._asking)  # a timer would keep all of this in memory, beside the socket that it becomes
        _cancel(self._taking)
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        self._await_request()
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._taking = self.loop.call_later(STALLED_SECONDS_MAX, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        _cancel(self._taking)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        _cancel(self._asking)
        _cancel(self._taking)

    def _await_request(self) -> None:
        _cancel(self._asking)
        self._asking = self.loop.call_later(REQUEST_SECONDS_MAX, self._give_up)

    def _give_up(self) -> None:
        asked = self.cycle is not None and not (self.cycle.more_body or self.cycle.response_complete)
        if not asked:
            self.transport.abort()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
