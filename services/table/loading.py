"""Brings a keeper up to date from the log: the round in progress makes its state, this and the last its memory."""

from collections.abc import Sequence
from typing import Any

from services.table import writing
from services.table.keeper import Keeper
from services.table.names import NameBook
from shared.eventlog.port import EventLog, Head, Row
from shared.table.boundary import restore
from shared.table.codec import codec_of_table
from shared.table.evolve import fold
from shared.table.record import Record
from shared.table.state import State, is_boundary


async def load(keeper: Keeper, log: EventLog, names: NameBook, head: Head | None) -> None:
    """Read what there is; a table that never was stays without a state. Raises Unreachable."""
    rows = await log.table_rows(keeper.id, 1 if head is None else head.first_version)
    if not rows:
        return
    rows = _newest_round(rows)
    keeper.codec = codec_of_table(rows[0].body)
    records = [keeper.codec.decode_record(row.body) for row in rows]
    state: State | None = restore(keeper.id, records[0].carry) if records[0].carry else None
    if state is not None:
        before = await log.table_rows(keeper.id, state.last_first_version, state.version)
        _remember(keeper, [keeper.codec.decode_record(row.body) for row in before], before)
        keeper.recall.turn()
    for record, row in zip(records, rows, strict=True):
        state = fold(state, record)
        if state.stop is not None and state.stop.version == record.n:
            keeper.stop_hash = row.hash
    _remember(keeper, records, rows)
    assert state is not None
    if is_boundary(state):
        keeper.recall.turn()
    keeper.state = keeper.committed = state
    keeper.hash = rows[-1].hash
    keeper.names.update(await names.of(seat.player for seat in state.table.seats if seat.player is not None))


def _newest_round(rows: Sequence[Row]) -> Sequence[Row]:
    """Without a head (the table is closed) everything was read: keep the last round."""
    first = next(index for index, row in enumerate(rows) if row.round == rows[-1].round)
    return rows[first:]


def _remember(keeper: Keeper, records: Sequence[Record[Any, Any]], rows: Sequence[Row]) -> None:
    for record, row in zip(records, rows, strict=True):
        if record.id:
            remembered = keeper.recall.add(writing.sender_name(record), record.id, record.command)
            remembered.verdict = writing.verdict_of(record, row.hash.hex())
