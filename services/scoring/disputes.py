"""What of an awarded round auditors can search for: refused commands, what they lost to, and calls in vain."""

from collections.abc import Sequence

from services.scoring.port import Hit, RoundLine
from shared.eventlog.port import Row
from shared.games.registry import GAMES
from shared.kernel import Stop
from shared.replay import records
from shared.table.codec import AnyRecord
from shared.table.record import Sender

LOST_CALL = "lost_call"
"""The code of a call that was accepted, stopped its round, and brought the caller's side no point."""


def hits(rows: Sequence[Row], line: RoundLine, stop: Stop | None, game: str, seats: int) -> tuple[Hit, ...]:
    """Of the rows of an awarded round, in their order."""
    lost = stop is not None and isinstance(stop.by, int) and _gained_nothing(line, stop.by, game, seats)
    found = []
    for record in records(rows):
        if record.refused is not None:
            found.append(_refused(record))
        elif lost and stop is not None and record.n == stop.version:
            found.append(_hit(record, LOST_CALL))
    return tuple(found)


def _gained_nothing(line: RoundLine, seat: int, game: str, seats: int) -> bool:
    """Whether the side of the seat that stopped the round got no point."""
    return line.points is not None and line.points[seat % GAMES[game].sides(seats)] <= 0


def _refused(record: AnyRecord) -> Hit:
    refused = record.refused
    assert refused is not None, "asked before"
    lost = refused.lost_to
    if lost is None:
        return _hit(record, refused.code)
    return _hit(record, refused.code, lost.version, lost.margin_us)


def _hit(record: AnyRecord, code: str, lost_to: int | None = None, margin_us: int | None = None) -> Hit:
    by = record.by if isinstance(record.by, Sender) else None
    return Hit(
        table_id=record.table,
        round=record.round,
        version=record.n,
        seat=None if by is None else by.seat,
        player=None if by is None else by.player,
        command=type(record.command).__name__,
        code=code,
        lost_to=lost_to,
        margin_us=margin_us,
        at=record.at,
    )
