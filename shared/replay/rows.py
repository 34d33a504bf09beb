"""Rows of a log, one round or several in sequence: decoded, folded to a state, or verified."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from shared.eventlog.port import Row
from shared.games.registry import GAMES
from shared.replay.audit import Audit, Fault
from shared.table.boundary import restore
from shared.table.codec import AnyRecord, codec, codec_of_table
from shared.table.evolve import fold
from shared.table.state import State


class Verified(Struct, frozen=True):
    """Rows that hold: the state after them, the last one's hash, and how many they are."""

    state: State
    head: bytes
    records: int


def records(rows: Iterable[Row], before: State | None = None) -> Iterator[AnyRecord]:
    """The records of one table, from the first row of a round on, or on from `before`. Raises msgspec.MsgspecError."""
    found = None if before is None else codec(GAMES[before.game])
    for row in rows:
        found = found or codec_of_table(row.body)
        yield found.decode_record(row.body)


def rebuild(rows: Iterable[Row], before: State | None = None) -> State:
    """The state after these rows, which begin with a table or a round, or go on from `before`. Nothing is verified.

    Raises ValueError if there are none.
    """
    state = before
    for record in records(rows, before):
        if state is None and record.carry:
            state = restore(record.table, record.carry)
        state = fold(state, record)
    if state is None:
        raise ValueError("no rows")
    return state


def verify_round(rows: Iterable[Row], before: State | None = None, previous: bytes | None = None) -> Verified | Fault:
    """Decide every record of a round (or several in sequence) again; the first that differs is the fault.

    `before` and `previous` are the state and the hash that the round before ended with; without them the round's own
    carry is taken at its word, and its first link.
    """
    audit = Audit(before, previous)
    for row in rows:
        fault = audit.check(row)
        if fault is not None:
            return fault
    if audit.state is None or audit.head is None:
        return Fault(0, "version", "no rows")
    return Verified(audit.state, audit.head, audit.records) if audit.pending is None else audit.pending
