"""Every race of a round: who lost to which record, by how much, and the rule that decided."""

from collections.abc import Iterable

from msgspec import Struct

from shared.games.registry import GAMES
from shared.kernel import By
from shared.replay.scenes import TABLE_RULES
from shared.table.codec import AnyRecord
from shared.table.record import Sender


class Race(Struct, frozen=True):
    """A refused record that lost: its version and seat, what it lost to and by how many µs, and the rule."""

    version: int
    seat: int | None
    code: str
    lost_to: int
    winner: By
    margin_us: int
    rule: str | None


def races(records: Iterable[AnyRecord], game: str) -> list[Race]:
    """All races among these records, in their order."""
    rules = {**TABLE_RULES, **GAMES[game].races}
    found = []
    for record in records:
        lost = None if record.refused is None else record.refused.lost_to
        if record.refused is not None and lost is not None:
            seat = record.by.seat if isinstance(record.by, Sender) else None
            code = record.refused.code
            found.append(Race(record.n, seat, code, lost.version, lost.by, lost.margin_us, rules.get(code)))
    return found
