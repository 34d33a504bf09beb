"""`quartet bots`: wires the bots service to NATS and the games, and plays until SIGTERM."""

import asyncio
import signal
from uuid import uuid4

import uvloop

from services.bots.service import Bots
from services.bots.settings import BotsSettings
from shared import telemetry
from shared.bus import subjects
from shared.bus.nats import NatsBus
from shared.games.registry import GAMES
from shared.settings import load


def main(settings: BotsSettings) -> None:
    """Play until a signal; seats are given back at once."""
    telemetry.configure("bots", settings.log_level)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_run(settings))


async def _run(settings: BotsSettings) -> None:
    loop = asyncio.get_running_loop()
    instance = subjects.instance("bots", uuid4().hex[:12])
    bus = await NatsBus.connect(settings.nats_url, instance)
    bots = asyncio.create_task(Bots(bus, GAMES, instance, loop.time, settings.bot_pace).run())
    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, bots.cancel)
    async with telemetry.listening(settings.metrics_port, lambda: bus.connected):
        await asyncio.wait((bots,))
    await bus.close()
    if not bots.cancelled():
        bots.result()


if __name__ == "__main__":
    main(load(BotsSettings))
