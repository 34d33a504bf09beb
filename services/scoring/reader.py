"""Reads one partition's records in order into the projections and knows which of its rounds wait for their Award."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import msgspec
import structlog
from msgspec import Struct

from services.scoring import disputes, lines, metrics
from services.scoring.aside import aside
from services.scoring.port import Change, Hit, Projections, Result, RoundLine, TableLine
from shared.eventlog.port import EventLog, StoredRow
from shared.games.registry import GAMES
from shared.replay import rebuild
from shared.table.codec import Codec, codec, codec_of_table
from shared.table.evolve import fold
from shared.table.state import State

LIVE_MOST = 500
BATCH_ROWS = 500
UNSAVED_ROWS_MAX = 5_000
"""So many rows that change nothing may be read before the position is stored; a successor reads them again."""

_log = structlog.get_logger()


class Tag(Struct):
    """As much of an event as tells its type."""

    type: str


class Peek(Struct):
    """As much of a record as tells whether the projections care. A refusal has no events."""

    events: tuple[Tag, ...] = ()


_peek = msgspec.json.Decoder(Peek)


class Stopped(NamedTuple):
    """A round that waits for its Award, and where its records begin."""

    round: int
    first_version: int


class Live(Struct):
    """A table as of the last record read. `lost`: a record was no step of its state; scoring can say no more of it."""

    state: State | None
    line: RoundLine | None
    lost: bool = False


@dataclass(slots=True)
class Gathered:
    """What some records change, until it is stored."""

    tables: dict[str, TableLine] = field(default_factory=dict)
    rounds: dict[tuple[str, int], RoundLine] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)
    races: list[Hit] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether nothing is changed."""
        return not (self.tables or self.rounds or self.results or self.races)

    def change(self) -> Change:
        """All of it."""
        return Change(tuple(self.tables.values()), tuple(self.rounds.values()), tuple(self.results), tuple(self.races))


class Reader:
    """One partition. `waiting` has the tables in phase scoring, with the round that waits."""

    def __init__(self, log: EventLog, store: Projections, partition: int) -> None:
        self.waiting: dict[str, Stopped] = {}
        self._log, self._store, self._partition = log, store, partition
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._position: int | None = None
        self._stored = 0

    @property
    def position(self) -> int | None:
        """How far it has read; None: not begun, or to begin anew."""
        return self._position

    async def catch_up(self) -> None:
        """Read what is new. Raises Unreachable; then the next call goes on where the projections are."""
        try:
            if self._position is None:
                await self._begin()
            async for batch in self._log.partition_rows(self._partition, self._position or 0, BATCH_ROWS):
                await self._advance(batch)
                if self._position is None:
                    return
        except BaseException:
            self._forget()
            raise

    async def _begin(self) -> None:
        self._position = self._stored = await self._store.position(self._partition)
        unawarded = await self._store.unawarded(self._partition)
        self.waiting = {line.table_id: Stopped(line.round, line.first_version) for line in unawarded}

    async def _advance(self, batch: Sequence[StoredRow]) -> None:
        """One transaction; if another scorer was there first, begin anew from where it is."""
        gathered = Gathered()
        for stored in batch:
            await self._read(stored, gathered)
        after = batch[-1].position
        if gathered.empty and after - self._stored < UNSAVED_ROWS_MAX:
            self._position = after
            return
        if await self._store.advance(self._partition, self._stored, after, gathered.change()):
            self._position = self._stored = after
            metrics.END.labels(self._partition).set(after)
        else:
            self._forget()

    async def _read(self, stored: StoredRow, gathered: Gathered) -> None:
        if _nothing_to_see(stored.row.body):
            known = self._live.get(stored.row.table_id)
            if known is not None and not known.lost:
                del self._live[stored.row.table_id]  # behind from here on: loaded again when it matters
            return
        live = await self._live_before(stored, gathered.rounds)
        if live.lost:
            return
        before, line = live.state, live.line
        try:
            record = _codec(before, stored.row.body).decode_record(stored.row.body)
            after = live.state = fold(before, record)
        except Exception as fault:  # whatever is wrong with one table's bytes must not hold up the others
            live.lost = True
            _unreadable(stored, fault)
            return
        happened = record.events or ()
        live.line = lines.round_line(line, stored, happened, after)
        if live.line is not None and live.line is not line:
            gathered.rounds[live.line.table_id, live.line.round] = live.line
        if lines.shows(before, after):
            gathered.tables[stored.row.table_id] = lines.table_line(self._partition, after)
        if before is not None:
            ended = lines.result(GAMES[after.game], stored, happened, before, after)
            gathered.results.extend([] if ended is None else [ended])
        if before is not None and live.line is not None and live.line.position == stored.position:
            gathered.races.extend(await self._races(live.line, before))
        self._note(stored, after)

    async def _races(self, line: RoundLine, before: State) -> Sequence[Hit]:
        rows = await self._log.table_rows(line.table_id, line.first_version, line.last_version)
        try:
            return disputes.hits(rows, line, before.stop, before.game, len(before.table.seats))
        except Exception as fault:
            metrics.UNREADABLE.inc()
            _log.error("round_unreadable", table=line.table_id, round=line.round, exc_info=fault)
            return ()

    def _note(self, stored: StoredRow, after: State) -> None:
        if after.phase == "scoring":
            self.waiting[stored.row.table_id] = Stopped(stored.row.round, after.first_version)
        else:
            self.waiting.pop(stored.row.table_id, None)
        if after.phase == "closed":
            self._live.pop(stored.row.table_id, None)

    async def _live_before(self, stored: StoredRow, changed: dict[tuple[str, int], RoundLine]) -> Live:
        table = stored.row.table_id
        live = self._live.get(table)
        if live is None:
            live = self._live[table] = await self._load(stored, changed)
            if len(self._live) > LIVE_MOST:
                self._live.popitem(last=False)
        self._live.move_to_end(table)
        return live

    async def _load(self, stored: StoredRow, changed: dict[tuple[str, int], RoundLine]) -> Live:
        row = stored.row
        if row.version == 1:
            return Live(None, None)
        line = await self._line(row.table_id, row.round, changed)
        if line is not None and line.first_version >= row.version:
            line = None  # another scorer is ahead of us: what we make of this row won't be stored
        begun = line or await self._line(row.table_id, row.round - 1, changed)
        first = 1 if begun is None else begun.first_version  # the seating has no line, and is short
        rows = await self._log.table_rows(row.table_id, first, row.version - 1)
        try:
            return Live(await aside(rows, partial(rebuild, rows)), line)
        except Exception as fault:  # one before it: a scorer that began behind that one has not met it yet
            _unreadable(stored, fault)
            return Live(None, line, lost=True)

    async def _line(self, table: str, round: int, changed: dict[tuple[str, int], RoundLine]) -> RoundLine | None:
        return changed.get((table, round)) or await self._store.round(table, round)

    def _forget(self) -> None:
        self._position = None
        self._live.clear()


def _unreadable(stored: StoredRow, fault: Exception) -> None:
    metrics.UNREADABLE.inc()
    _log.error("record_unreadable", table=stored.row.table_id, record=stored.row.version, exc_info=fault)


def _nothing_to_see(body: bytes) -> bool:
    """Whether the record was refused, or is one of many that only move cards about."""
    try:
        events = _peek.decode(body).events
    except msgspec.MsgspecError:
        return False
    return all(event.type in _QUIET for event in events)


_QUIET = frozenset(kind.__name__ for game in GAMES.values() for kind in game.quiet)


def _codec(state: State | None, body: bytes) -> Codec:
    return codec_of_table(body) if state is None else codec(GAMES[state.game])
