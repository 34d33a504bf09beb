"""What scoring says of a stopped round: its Award if every decision in it stands, else that the table must stop."""

from uuid import UUID, uuid5

from services.scoring import metrics
from shared.eventlog.port import EventLog
from shared.kernel import Command
from shared.replay import Fault, verify_round
from shared.table.commands import Award, Stop

AWARDS = UUID("6f1d3f0e-3c0b-5a7e-9f0a-2b7f4c1d8e55")
"""The namespace of Awards' ids."""


def award_id(table: str, round: int, version: int) -> str:
    """The same for every scorer, so that two are harmless (T-AWARD-1)."""
    return str(uuid5(AWARDS, f"{table}/{round}/{version}"))


async def judge(log: EventLog, table: str, round: int) -> tuple[str, Command]:
    """Decide a stopped round again: the command to send, with its id. Raises Unreachable."""
    rows = await log.round_rows(table, round)
    with metrics.SECONDS.time():
        found = verify_round(rows)
    version = rows[-1].version
    if isinstance(found, Fault):
        metrics.AWARDS.labels("fault").inc()
        return award_id(table, round, version), Stop(f"record {found.version}: {found.kind}: {found.detail}"[:1000])
    metrics.AWARDS.labels("good").inc()
    return award_id(table, round, version), Award(found.points, found.head.hex(), version)
