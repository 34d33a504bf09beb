"""One gateway from its start to its end."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.gateway import beats
from services.gateway.gateway import Gateway
from services.gateway.server import Server
from shared.bus import subjects
from shared.eventlog.port import Unreachable

RECHECK_SECONDS = 30.0


@asynccontextmanager
async def running(gateway: Gateway) -> AsyncIterator[None]:
    """The gateway's own work around whatever serves it; closes its store and bus at the end."""
    await gateway.link.start()
    forgotten = await gateway.link.bus.subscribe(subjects.FORGOTTEN, gateway.forgotten)
    tasks = [asyncio.create_task(beats.run(gateway)), asyncio.create_task(_recheck(gateway))]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await forgotten.stop()
        await gateway.link.stop()
        await gateway.link.bus.close()
        await gateway.store.close()


async def serve(gateway: Gateway) -> None:
    """Until SIGTERM or SIGINT, then drain."""
    async with running(gateway):
        await Server(gateway).serve()


async def _recheck(gateway: Gateway) -> None:
    while True:
        await asyncio.sleep(RECHECK_SECONDS)
        with contextlib.suppress(Unreachable):
            await gateway.recheck()
