"""The bundle of a round, gathered from the log and the ledger: for the command line, and for scoring's answers."""

from enum import StrEnum

from shared.eventlog.chain import genesis
from shared.eventlog.port import EventLog
from shared.ledger.growing import Mirror
from shared.proof.bundle import write
from shared.proof.note import Verifier
from shared.proof.seal import Seal
from shared.replay import rebuild
from shared.table.state import is_boundary


class Missing(StrEnum):
    """Why there is no bundle."""

    NO_SUCH_ROUND = "no_such_round"
    ROUND_OPEN = "round_open"
    NOT_SEALED = "not_sealed"


async def export(log: EventLog, mirror: Mirror, table: str, round: int) -> bytes | Missing:
    """The same bytes for the same round, always. Raises Unreachable."""
    place = await mirror.ledger.place(table, round)
    signed = None if place is None else await mirror.ledger.first_with(place[0])
    if place is None or signed is None:
        return await _why(log, table, round)
    index, leaf = place
    tree = await mirror.tree(signed.size)
    assert tree is not None, "a checkpoint is stored with its leaves"
    proof = tuple(step.hex() for step in tree.inclusion(index, signed.size))
    rows = await log.round_rows(table, round)
    if not rows:
        return Missing.NO_SUCH_ROUND  # sealed, and gone from the log: `verify --all` says so
    first = rows[0].version
    before = await log.table_rows(table, first - 1, first - 1) if first > 1 else []
    previous = before[0].hash if before else genesis(table)
    commits = await log.commits_of(table, first, leaf.version)
    sealed = Seal(index, signed.size, leaf.bytes.decode(), proof)
    return write(rows, previous, commits, sealed, signed.note, [Verifier.parse(signed.key)])


async def _why(log: EventLog, table: str, round: int) -> Missing:
    rows = await log.round_rows(table, round)
    if not rows:
        return Missing.NO_SUCH_ROUND
    awarded = round > 0 and is_boundary(rebuild(rows))
    return Missing.NOT_SEALED if awarded else Missing.ROUND_OPEN
