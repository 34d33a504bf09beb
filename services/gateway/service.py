"""One gateway from its start to its end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.gateway import beats
from services.gateway.gateway import Gateway
from services.gateway.server import Server
from shared.bus import subjects


@asynccontextmanager
async def running(gateway: Gateway) -> AsyncIterator[None]:
    """The gateway's own work around whatever serves it; closes its store and bus at the end."""
    await gateway.link.start()
    forgotten = await gateway.link.bus.subscribe(subjects.FORGOTTEN, gateway.forgotten)
    beating = asyncio.create_task(beats.run(gateway))
    try:
        yield
    finally:
        beating.cancel()
        await asyncio.gather(beating, return_exceptions=True)
        await forgotten.stop()
        await gateway.link.stop()
        await gateway.link.bus.close()
        await gateway.store.close()


async def serve(gateway: Gateway) -> None:
    """Until SIGTERM or SIGINT, then drain."""
    async with running(gateway):
        await Server(gateway).serve()
