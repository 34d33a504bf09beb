"""uvicorn's HTTP protocol, but who does not say what they want is not waited for without end (C-09)."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS_MAX = 15.0
"""For a whole request with its body, from the connection or the answer before on."""


class Prompt(H11Protocol):
    """One connection."""

    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def on_response_complete(self) -> None:
        self._wait()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._patience is not None:
            self._patience.cancel()

    def _wait(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
        self._patience = self.loop.call_later(REQUEST_SECONDS_MAX, self._give_up)

    def _give_up(self) -> None:
        asked = self.cycle is not None and not (self.cycle.more_body or self.cycle.response_complete)
        if not asked and self.transport.get_protocol() is self:  # else a socket's since
            self.transport.abort()
