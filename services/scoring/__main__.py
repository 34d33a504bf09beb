"""`quartet scoring`: wires scoring to Postgres and NATS, and works until SIGTERM."""

import asyncio
import signal
from uuid import uuid4

import uvloop

from services.scoring.postgres import PostgresProjections
from services.scoring.service import Scoring
from services.scoring.settings import ScoringSettings
from shared import telemetry
from shared.bus import subjects
from shared.bus.nats import NatsBus
from shared.eventlog.postgres import PostgresEventLog
from shared.leases.postgres import PostgresLeases
from shared.ledger.postgres import PostgresLedger
from shared.proof import keys
from shared.settings import load

ROLE = "quartet_scoring"


def main(settings: ScoringSettings) -> None:
    """Work until a signal; then every partition is handed over first."""
    telemetry.configure("scoring", settings.log_level)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_run(settings))


async def _run(settings: ScoringSettings) -> None:
    loop = asyncio.get_running_loop()
    instance = subjects.instance("scoring", uuid4().hex[:12])
    source = settings.signing_keys.get_secret_value()
    signing = keys.load(source, settings.origin) if source else None
    bus = await NatsBus.connect(settings.nats_url, instance)
    log = PostgresEventLog(settings.database_url, ROLE, instance)
    store = PostgresProjections(settings.database_url, ROLE, instance)
    leases = PostgresLeases(settings.database_url, ROLE, instance)
    ledger = PostgresLedger.connect(settings.database_url, ROLE, instance)
    scoring = Scoring(bus, log, leases, store, instance, loop.time, settings.audit_rate, ledger, signing)
    stopping: list[asyncio.Task[None]] = []
    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, lambda: stopping.append(loop.create_task(scoring.drain())))
    try:
        async with telemetry.listening(settings.metrics_port, lambda: bus.connected and scoring.working):
            await scoring.run()
    finally:
        for part in (bus, log, store, leases, ledger):
            await part.close()


if __name__ == "__main__":
    main(load(ScoringSettings))
