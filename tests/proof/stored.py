"""Played games in a database, read into the projections and sealed, as running services leave them."""

from services.scoring.postgres import PostgresProjections
from services.scoring.reader import Reader
from shared.eventlog.memory import MemoryEventLog
from shared.eventlog.port import PARTITIONS
from shared.eventlog.postgres import PostgresEventLog
from shared.ledger.postgres import PostgresLedger
from tests.proof.ledgers import sequencer


async def project(url: str) -> None:
    """Read the whole log into the projections."""
    log = PostgresEventLog(url, "quartet_scoring", "stored")
    projections = PostgresProjections(url, "quartet_scoring", "stored")
    for partition in range(PARTITIONS):
        await Reader(log, projections, partition).catch_up()
    await projections.close()
    await log.close()


async def seal(url: str) -> int:
    """Seal what waits; how many rounds."""
    ledger = PostgresLedger.connect(url, "quartet_scoring", "stored")
    try:
        return await sequencer(ledger).seal_waiting()
    finally:
        await ledger.close()


Played = tuple[MemoryEventLog, list[str]]
