"""`quartet gateway`: wires one gateway to the games, Postgres and NATS, and serves until SIGTERM."""

import asyncio

import uvloop
from prometheus_client import REGISTRY

from services.gateway.gateway import Gateway, Served
from services.gateway.metrics import GatewayMetrics
from services.gateway.postgres import ROLE, PostgresStore
from services.gateway.service import serve
from services.gateway.settings import GatewaySettings
from services.gateway.tokens import Tokens
from shared import telemetry
from shared.bus.nats import NatsBus
from shared.games.registry import GAMES
from shared.ledger.postgres import PostgresLedger
from shared.settings import load
from shared.table.codec import codec


def main(settings: GatewaySettings) -> None:
    """Serve until a signal. Raises BadSettings."""
    telemetry.configure("gateway", settings.log_level)
    tokens = Tokens(settings.keys())
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_run(settings, tokens))


async def _run(settings: GatewaySettings, tokens: Tokens) -> None:
    bus = await NatsBus.connect(settings.nats_url, "gateway")
    store = PostgresStore.connect(settings.database_url, "gateway")
    games = {name: Served(game, codec(game).players) for name, game in GAMES.items()}
    ledger = PostgresLedger.connect(settings.database_url, ROLE, "gateway")
    gateway = Gateway(settings, bus, store, tokens, games, ledger=ledger)
    REGISTRY.register(GatewayMetrics(gateway))
    async with telemetry.listening(settings.metrics_port, lambda: gateway.fit):
        await serve(gateway)
    await ledger.close()


if __name__ == "__main__":
    main(load(GatewaySettings))
