"""What scoring says of a stopped round: its Award if every decision in it stands, else that the table must stop."""

from functools import partial
from uuid import UUID, uuid5

from services.scoring import metrics
from services.scoring.aside import aside
from shared.eventlog.port import EventLog
from shared.games.registry import GAMES
from shared.kernel import Command
from shared.replay import Fault, verify_round
from shared.table.commands import Award, Stop

AWARDS = UUID("6f1d3f0e-3c0b-5a7e-9f0a-2b7f4c1d8e55")
"""The namespace of Awards' ids."""


def award_id(table: str, round: int, version: int) -> str:
    """The same for every scorer, so that two are harmless (T-AWARD-1)."""
    return str(uuid5(AWARDS, f"{table}/{round}/{version}"))


async def judge(log: EventLog, table: str, round: int, first_version: int) -> tuple[str, Command] | None:
    """Decide a stopped round again: the command to send, with its id; None: it waits no longer. Raises Unreachable."""
    rows = await log.table_rows(table, first_version)
    with metrics.SECONDS.time():
        found = await aside(rows, partial(verify_round, rows))
    if isinstance(found, Fault):
        metrics.AWARDS.labels("fault").inc()
        version = rows[-1].version if rows else 0
        reason = f"record {found.version}: {found.kind}: {found.detail}"
        return award_id(table, round, version), Stop(reason[:1000])
    state = found.state
    if state.phase != "scoring":
        return None
    metrics.AWARDS.labels("good").inc()
    points = GAMES[state.game].award(state.table, state.play)
    return award_id(table, round, state.version), Award(points, found.head.hex(), state.version)
