"""uvicorn as the gateway needs it, and its end: on SIGTERM sockets are closed one after another, with a word (C-18)."""

import asyncio
import random
import socket
from types import FrameType

import structlog
import uvicorn

from services.gateway.app import Application
from services.gateway.closing import Closing
from services.gateway.direct import Direct
from services.gateway.gateway import Gateway
from services.gateway.prompt import Prompt

PING_SECONDS = 5.0
FRAME_BYTES_HARD_MAX = 65_536
STEP_SECONDS = 0.05

log = structlog.get_logger("gateway")


def config(gateway: Gateway) -> uvicorn.Config:
    """How the gateway is served. A peer that answers no ping is gone within 10 s (C-09)."""
    settings = gateway.settings
    return uvicorn.Config(
        Application(gateway),
        host=settings.host,
        port=settings.port,
        http=Prompt,
        ws=Direct,
        ws_max_size=max(FRAME_BYTES_HARD_MAX, settings.frame_bytes_max),
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies or None,
        timeout_graceful_shutdown=5,
    )


class Server(uvicorn.Server):
    """A server that drains before it stops; a second signal stops it at once."""

    def __init__(self, gateway: Gateway) -> None:
        super().__init__(config(gateway))
        self._gateway = gateway
        self._loop: asyncio.AbstractEventLoop | None = None
        self._draining: asyncio.Task[None] | None = None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Until a signal."""
        self._loop = asyncio.get_running_loop()
        await super().serve(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Not passed on to uvicorn's: that one would raise the signal again before the caller has tidied up."""
        if self._gateway.draining or self._loop is None:
            self.should_exit = self.force_exit = True
            return
        self._gateway.draining = True
        self._loop.call_soon_threadsafe(self._drain)

    def _drain(self) -> None:
        async def drained() -> None:
            await drain(self._gateway)
            self.should_exit = True

        self._draining = asyncio.create_task(drained())


async def drain(gateway: Gateway) -> None:
    """Close every socket with a reason and a time to come back, spread over the drain."""
    gateway.draining = True
    seconds = gateway.settings.drain_seconds
    steps = max(1, round(seconds / STEP_SECONDS))
    log.info("draining", sockets=len(gateway.lines), seconds=seconds)
    for step in range(steps, 0, -1):
        lines = list(gateway.lines)
        for line in lines[: -(-len(lines) // step)]:
            line.close(Closing.RESTART, random.randint(50, 50 + round(seconds * 500)))
        if not gateway.lines:
            return
        await asyncio.sleep(STEP_SECONDS)
