"""The audit of a table's rows, one after another: every recorded command is decided again, and nothing may differ."""

import re

import msgspec
from msgspec import MsgspecError, Raw, Struct

from shared.eventlog.chain import genesis, link
from shared.eventlog.port import Row
from shared.games.registry import GAMES
from shared.kernel import HOUSE, Decision, Moment, Refused
from shared.replay.punctual import Finding, Punctuality
from shared.table import commands
from shared.table.boundary import boundary, canonical, restore
from shared.table.codec import AnyRecord, Codec, codec, codec_of_table
from shared.table.decide import OPERATOR, SCORING, decide
from shared.table.evolve import fold
from shared.table.limits import recordable
from shared.table.record import Sender, encode
from shared.table.state import State, is_boundary, seat_of

_SALT = re.compile("[0-9a-f]{32}")


class Fault(Struct, frozen=True):
    """The first record that is not what it must be: its version, what kind of fault, and in words."""

    version: int
    kind: str
    detail: str


class Audit:
    """Where an audit stands: `state` and `head` as of the last good row.

    It begins at a table's or a round's first row. With the state and the hash `before` that row its carry and its link
    are checked too; without, the carry is taken at its word.
    """

    def __init__(self, before: State | None = None, previous: bytes | None = None) -> None:
        self.state = before
        self.head = previous
        self.records = 0
        self._codec: Codec | None = None
        self._epoch = 0
        self._hashes: dict[int, bytes] = {}
        self._ids: set[tuple[str, str]] = set()
        self._ids_before: set[tuple[str, str]] = set()
        self._punctuality = Punctuality()

    @property
    def pending(self) -> Fault | None:
        """What is missing if no more rows come; None for a table as it may stand."""
        if self.state is None or not self._punctuality.waits_for_resumed:
            return None
        return Fault(self.state.version + 1, "missing_house", "a deadline was passed over and the table not resumed")

    def check(self, row: Row) -> Fault | None:
        """Take one more row, or say what is wrong with it; after a fault the audit is over."""
        try:
            found = self._check(row)
        except (MsgspecError, UnicodeDecodeError) as problem:
            return Fault(row.version, "bytes", str(problem))
        except Exception as problem:
            return Fault(row.version, "impossible", f"{type(problem).__name__}: {problem}")
        return None if found is None else Fault(row.version, *found)

    def _check(self, row: Row) -> Finding | None:
        if self._codec is None:
            self._codec = codec(GAMES[self.state.game]) if self.state else codec_of_table(row.body)
        record = self._codec.decode_record(row.body)
        return (
            self._form(row, record)
            or self._link(row)
            or self._place(record)
            or self._punctual(record)
            or self._decision(record)
            or self._accept(row, record)
        )

    def _form(self, row: Row, record: AnyRecord) -> Finding | None:
        """The bytes are canonical, and the columns copies of them."""
        if encode(record) != row.body:
            return "bytes", "not in canonical form"
        if (record.table, record.n, record.round, record.at) != (row.table_id, row.version, row.round, row.at):
            return "column", "a column is not what the record says"
        if record.v != 1 or not _SALT.fullmatch(record.salt) or (record.events is None) == (record.refused is None):
            return "form", "not a record of version 1"
        return None

    def _link(self, row: Row) -> Finding | None:
        if self.head is None and row.version == 1:
            self.head = genesis(row.table_id)
        if self.head is not None and link(self.head, row.version, row.body) != row.hash:
            return "hash", "the chain does not hold"
        return None

    def _place(self, record: AnyRecord) -> Finding | None:
        """The record is the next one of this table, of the round in progress, no earlier than the last."""
        fault = self._carry(record)
        state = self.state
        if fault is not None:
            return fault
        if state is None:
            first = record.n == 1 and record.round == 0
            return None if first else ("version", "the first record of a table is missing")
        if record.n != state.version + 1:
            return "version", f"version {state.version + 1} expected"
        if record.table != state.table.id or record.round != state.table.round:
            return "round", "of another table or round"
        if record.at < state.at or record.epoch < self._epoch:
            return "time", "time or epoch runs backwards"
        return None

    def _carry(self, record: AnyRecord) -> Finding | None:
        """The first record of a round, and no other, holds what the round needs from before."""
        carry, state = record.carry, self.state
        if state is None and carry:
            state = restore(record.table, carry)
            self.state = state
            if not _can_be(state):
                return "carry", "no table has so many seats, points or takings"
            if state.revision != GAMES[state.game].revision:
                return "revision", f"these rules are not revision {state.revision}"
        if state is None or not is_boundary(state):
            return ("carry", "not the first record of a round") if carry else None
        if bytes(carry) != boundary(state):
            return "carry", "not what the round before left"
        return None

    def _punctual(self, record: AnyRecord) -> Finding | None:
        return None if self.state is None else self._punctuality.check(self.state, record)

    def _decision(self, record: AnyRecord) -> Finding | None:
        """What the rules say to this command of this sender, and whether it is to be recorded at all."""
        state, by, command = self.state, record.by, record.command
        fault = self._sender(state, by, record)
        if fault is not None:
            return fault
        decision = decide(state, by, command, Moment(record.n, record.at), record.meant)
        award = isinstance(command, commands.Award)
        if decision != (record.events if record.refused is None else record.refused):
            return ("award" if award else "decision"), f"the rules give {_named(decision)}"
        if not recordable(state, by, decision):
            return "limit", "no record is made of this"
        if award and self._hashes.get(command.version, b"").hex() != command.head:
            return "award", "the head is not that record's hash"
        return _created(record, command) if isinstance(command, commands.CreateTable) else None

    def _sender(self, state: State | None, by: Sender | str, record: AnyRecord) -> Finding | None:
        if type(by) is Sender:
            if by.seat != (None if state is None else seat_of(state, by.player)):
                return "sender", "the seat is not the sender's"
            key = by.player, record.id
            if key in self._ids or key in self._ids_before:
                return "id", "the same command id a second time"
            return None
        known = by in (HOUSE, SCORING) or str(by).startswith(OPERATOR)
        return None if known else ("sender", "nobody of this name")

    def _accept(self, row: Row, record: AnyRecord) -> Finding | None:
        state = fold(self.state, record)
        if record.slowed is not None and not _last_of_round(state, record.slowed):
            return "slowed", "only a round's last record counts what was not recorded"
        self.state = state
        self.head = row.hash
        self.records += 1
        self._epoch = record.epoch
        self._hashes[row.version] = row.hash
        if type(record.by) is Sender:
            self._ids.add((record.by.player, record.id))
        if is_boundary(state):
            self._ids_before, self._ids, self._hashes = self._ids, set(), {}
        return None


def _can_be(state: State) -> bool:
    """Whether what a carry says of seats and points fits its game: nothing before it is here to tell."""
    game, seats = GAMES[state.game], len(state.table.seats)
    lengths = (len(state.table.points), len(state.takings))
    return seats in game.seat_counts and lengths == (game.sides(seats), seats)


def _last_of_round(state: State, slowed: tuple[int, ...]) -> bool:
    ended = is_boundary(state) or state.phase in ("stopped", "closed")
    return ended and len(slowed) == len(state.refusals)


def _created(record: AnyRecord, command: commands.CreateTable) -> Finding | None:
    if command.table != record.table:
        return "column", "another table's creation"
    return None if _rules(command) == command.rules else ("bytes", "house rules not in canonical form")


def _rules(command: commands.CreateTable) -> Raw:
    return canonical(msgspec.json.decode(command.rules, type=GAMES[command.game].rules))


def _named(decision: Decision) -> str:
    if isinstance(decision, Refused):
        return f"{decision.code}: {decision}"
    return ", ".join(type(event).__name__ for event in decision) or "nothing"
