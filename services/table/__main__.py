"""`quartet table`: wires the table service to Postgres and NATS, and works until SIGTERM."""

import asyncio
import signal
from uuid import uuid4

import uvloop

from services.table.names import PlayerNames
from services.table.office import Tables
from shared import telemetry
from shared.bus.nats import NatsBus
from shared.eventlog.connection import engine
from shared.eventlog.postgres import PostgresEventLog
from shared.leases.postgres import PostgresLeases
from shared.proof import keys
from shared.settings import CommonSettings, load

ROLE = "quartet_table"


def main(settings: CommonSettings) -> None:
    """Work until a signal; then every partition is handed over first."""
    telemetry.configure("table", settings.log_level)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_run(settings))


async def _run(settings: CommonSettings) -> None:
    loop = asyncio.get_running_loop()
    instance = f"table-{uuid4().hex[:12]}"
    bus = await NatsBus.connect(settings.nats_url, instance)
    log = PostgresEventLog(settings.database_url, ROLE, instance)
    leases = PostgresLeases(settings.database_url, ROLE, instance)
    players = engine(settings.database_url, ROLE, instance, pool_size=2)
    source = settings.signing_keys.get_secret_value()
    signer = keys.load(source, settings.origin).signer if source else None
    tables = Tables(bus, log, leases, PlayerNames(players), instance, signer=signer)
    stopping: list[asyncio.Task[None]] = []
    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, lambda: stopping.append(loop.create_task(tables.drain())))
    try:
        async with telemetry.listening(settings.metrics_port, lambda: bus.connected and bool(tables.held)):
            await tables.run()
    finally:
        for part in (bus, log, leases):
            await part.close()
        await players.dispose()


if __name__ == "__main__":
    main(load(CommonSettings))
