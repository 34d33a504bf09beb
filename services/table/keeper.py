"""Keeps one table: decides what comes, deadlines first, appends it, and says what came of it once it is committed.

It trusts no sender: who speaks is what the subject and the gateway vouch for, never what a command says.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import msgspec
from msgspec import Raw, Struct

from services.table.audience import Audience
from services.table.botseats import BotSeats
from services.table.presence import Presence
from services.table.recall import Recall
from services.table.receipts import Receipts
from shared.eventlog.appender import Fate
from shared.eventlog.chain import genesis, link
from shared.eventlog.port import Head, Row
from shared.games.registry import GAMES
from shared.kernel import Command, Decision, Moment, Refused, Seat
from shared.table import boundary, decide, due, evolve, limits
from shared.table.codec import Codec, codec
from shared.table.commands import Award, Connect, Disconnect, Prepare, Stop
from shared.table.record import NO_CARRY, Record, Sender, Via, encode
from shared.table.state import State, is_boundary, seat_of
from shared.wire import verdict
from shared.wire.messages import Answer, Envelope

EXPIRED_MICROS = 2_000_000
CHANCE_BYTES = 32
SALT_BYTES = 16

BUSY = Refused("busy")
EXPIRED = Refused("expired")
ID_REUSED = Refused("id_reused")
HALTED = Refused("stopped")


class Office(Protocol):
    """What a keeper needs of its process."""

    def at(self, last: int) -> int:
        """The time of a record that follows one at `last`, in µs."""

    @property
    def busy(self) -> bool:
        """Whether too much waits to be committed."""

    def submit(self, keeper: "Keeper", row: Row, heads: tuple[Head, ...], done: Callable[[Fate], None]) -> None:
        """Append a record; `done` is called once its fate is known, in order."""

    @property
    def receipts(self) -> Receipts:
        """Signed receipts of what is committed."""

    def answer(self, keeper: "Keeper", gateway: str, answer: Answer) -> None:
        """Send a verdict that needs no commit."""

    def committed(self, keeper: "Keeper") -> None:
        """Something of this table was committed: publish what changed."""

    def wake_at(self, keeper: "Keeper", at: int | None) -> None:
        """Call `advance` then."""


@dataclass(slots=True)
class Decided:
    """A record on its way into the log, and what to say when it is there."""

    record: Record[Command, Struct]
    state: State
    gateways: list[str]
    verdict: bytes


class Keeper:
    """One table in memory: `state` is as decided, `committed` as acknowledged, which may be some records behind."""

    def __init__(self, office: Office, id: str, partition: int, epoch: int) -> None:
        """A table without a record yet; loading.py brings one from the log up to date."""
        self.office = office
        self.id = id
        self.partition = partition
        self.epoch = epoch
        self.codec: Codec | None = None
        self.state: State | None = None
        self.committed: State | None = None
        self.hash = genesis(id)
        self.stop_hash: bytes | None = None
        self.halted = False
        self.recall = Recall()
        self.presence = Presence()
        self.audience = Audience()
        self.bots = BotSeats()
        self.names: dict[str, str] = {}
        self.buckets: dict[str, limits.Bucket] = {}
        self.slowed: dict[int, int] = {}
        self.done: list[Decided] = []
        self.used_at = 0
        self.standing: tuple[str, tuple[Seat, ...]] | None = None
        self.watchers = 0
        self.checkpoint: str | None = None
        self.awarded = self.witnessed = 0

    def take(self, envelope: Envelope, command: Command, by: Sender | str, arrived: int) -> None:
        """A command came in at `arrived`. `by` is who the subject vouches for; a player's seat is looked up here."""
        who = by.player if isinstance(by, Sender) else by
        if self._remembered(envelope, command, who):
            return
        refusal = self._turned_away(who, by, arrived)
        if refusal is not None:
            self._answer(envelope, verdict.refused(envelope.id, refusal, None))
            return
        if self.state is not None:
            self.advance()
            if isinstance(by, Sender):
                if envelope.http:
                    self.asked_by_http(who)
                by = Sender(who, seat_of(self.state, who))
        via = Via(envelope.gateway, envelope.received, arrived, envelope.sent)
        self._decide(by, self._checked(command), self._now(), envelope, via)
        self.advance()

    def advance(self) -> None:
        """Decide every deadline up to now, each at its own time, and what is due at once."""
        assert self.state is not None
        now = self._now()
        late: tuple[Command, ...] = ()
        while not self.halted and (step := due.next_house(self.state, now, late)) is not None:
            command, late = step.command, step.late
            if isinstance(command, Prepare):
                command = Prepare(os.urandom(CHANCE_BYTES).hex())
            self._decide("house", command, step.at)
        self.office.wake_at(self, None if self.halted else self.state.next_due)

    def asked_by_http(self, player: str) -> None:
        """A request of theirs about this table counts as being connected for a while (T-PRES-1)."""
        self.presence.touch(player, self._now())
        self.observe(player, "http")

    def plays_bot(self, player: str) -> bool:
        """Whether this is one of the table's bots."""
        state = self.state
        return state is not None and any(s.player == player and s.bot is not None for s in state.table.seats)

    def observe(self, player: str, cause: str) -> None:
        """Record that a seated player or the host is connected now, or no longer, if that is news (T-PRES-1)."""
        if self.state is None or self.halted:
            return
        connected = self.presence.connected(player, self._now())
        if connected != _is_connected(self.state, player, connected):
            self.advance()
            self._decide("house", (Connect if connected else Disconnect)(player, cause), self._now())
            self.advance()

    def review(self) -> None:
        """Look whether someone who lingered is gone."""
        now = self._now()
        if self.state is not None and self.presence.expire(now):
            for player in _people(self.state):
                self.observe(player, "gone")

    def expect(self, until: int) -> None:
        """A new owner has heard of nobody yet: whoever was connected counts as such for a while."""
        if self.state is not None:
            for player in _people(self.state):
                if _is_connected(self.state, player, False):
                    self.presence.linger(player, until)

    def idle(self, now: int, after: int) -> bool:
        """Whether the table may be put away: nobody holds it, all is committed, nothing is due soon."""
        state = self.state
        if state is None or state is not self.committed or not self.presence.empty or now - self.used_at < after:
            return False
        return state.next_due is None or state.next_due - now > after

    def halt(self) -> None:
        """The database refuses this table's data: nothing more is decided until somebody looks at it."""
        self.halted = True
        self.office.wake_at(self, None)

    def _now(self) -> int:
        return self.office.at(0 if self.state is None else self.state.at)

    def _remembered(self, envelope: Envelope, command: Command, who: str) -> bool:
        seen = self.recall.find(who, envelope.id)
        if seen is None:
            return False
        if seen.command != command:
            self._answer(envelope, verdict.refused(envelope.id, ID_REUSED, None))
        elif seen.verdict is not None:
            self._answer(envelope, seen.verdict)
        elif envelope.gateway not in seen.gateways:
            seen.gateways.append(envelope.gateway)
        return True

    def _turned_away(self, who: str, by: Sender | str, arrived: int) -> Refused | None:
        """Refusals that leave no record: what the rules never see."""
        if self.halted:
            return HALTED
        if not isinstance(by, Sender):
            return None
        now = self._now()
        if now - arrived > EXPIRED_MICROS:
            return EXPIRED
        if self.office.busy:
            return BUSY
        bucket = limits.take(self.buckets.get(who, limits.Bucket()), now)
        if bucket is None:
            self._slow(by)
            return limits.SLOW_DOWN
        self.buckets[who] = bucket
        return None

    def _slow(self, by: Sender) -> None:
        seat = None if self.state is None else seat_of(self.state, by.player)
        if seat is not None:
            self.slowed[seat] = self.slowed.get(seat, 0) + 1

    def _checked(self, command: Command) -> Command:
        """An Award that names another chain head than ours verified other bytes: that stops the table (T-STOP-1)."""
        if isinstance(command, Award) and self.stop_hash is not None and self.state is not None:
            stop = self.state.stop
            if stop is not None and stop.version == command.version and command.head != self.stop_hash.hex():
                return Stop("the scorer verified another chain head")
        return command

    def _decide(
        self,
        by: Sender | str,
        command: Command,
        at: int,
        envelope: Envelope | None = None,
        via: Via | None = None,
    ) -> None:
        before = self.state
        now = Moment(1 if before is None else before.version + 1, at)
        meant = None if envelope is None else envelope.meant
        decision = decide.decide(before, by, command, now, meant)
        if not limits.recordable(before, by, decision):
            self._unrecorded(before, by, decision, envelope)
            return
        first = before is not None and is_boundary(before)
        record: Record[Command, Struct] = Record(
            v=1,
            table=self.id,
            n=now.version,
            round=0 if before is None else before.table.round,
            at=at,
            epoch=self.epoch,
            by=by,
            command=command,
            salt=os.urandom(SALT_BYTES).hex(),
            id="" if envelope is None else envelope.id,
            via=via,
            meant=meant,
            events=None if isinstance(decision, Refused) else decision,
            refused=decision if isinstance(decision, Refused) else None,
            carry=Raw(boundary.boundary(before)) if before is not None and first else NO_CARRY,
        )
        state = evolve.fold(before, record)
        if is_boundary(state):
            record = msgspec.structs.replace(record, slowed=self._slowed_counts(state))
        self._append(record, state, envelope)

    def _unrecorded(
        self, before: State | None, by: Sender | str, decision: Decision, envelope: Envelope | None
    ) -> None:
        if envelope is None:
            return
        answer = limits.unrecorded(before, by, decision)
        if isinstance(by, Sender) and answer is limits.SLOW_DOWN:
            self._slow(by)
        if isinstance(answer, Refused):
            self._answer(envelope, verdict.refused(envelope.id, answer, None))
        else:
            self._answer(envelope, verdict.accepted(envelope.id, None))

    def _slowed_counts(self, state: State) -> tuple[int, ...] | None:
        counts = tuple(self.slowed.get(seat, 0) for seat in range(len(state.table.seats)))
        self.slowed.clear()
        return counts if any(counts) else None

    def _append(self, record: Record[Command, Struct], state: State, envelope: Envelope | None) -> None:
        before = self.state
        body = encode(record)
        self.hash = link(self.hash, record.n, body)
        if state.stop is not None and state.stop.version == record.n:
            self.stop_hash = self.hash
        row = Row(self.id, record.n, record.round, record.at, body, self.hash)
        self.state = state
        if self.codec is None:
            self.codec = codec(GAMES[state.game])
        self.used_at = record.at
        receipt = self.hash.hex()
        decided = Decided(record, state, [], b"")
        if envelope is not None:
            decided.gateways = [envelope.gateway]
            decided.verdict = (
                verdict.accepted(envelope.id, receipt)
                if record.refused is None
                else verdict.refused(envelope.id, record.refused, receipt)
            )
            who = record.by.player if isinstance(record.by, Sender) else record.by
            remembered = self.recall.add(who, envelope.id, record.command)
            remembered.gateways = decided.gateways
            if envelope.signed:
                self.office.receipts.want(self.id, record.n)
        if is_boundary(state):
            self.recall.turn()
        self.office.submit(self, row, _heads(before, state, record), lambda fate: self._settle(decided, fate))

    def _settle(self, decided: Decided, fate: Fate) -> None:
        if fate is Fate.COMMITTED:
            self.committed = decided.state
            signed = self.office.receipts.take(self.id, decided.record.n)
            if signed is not None:
                decided.verdict = verdict.signed(decided.verdict, signed)
            self.done.append(decided)
            if decided.verdict:
                who = decided.record.by
                seen = self.recall.find(who.player if isinstance(who, Sender) else who, decided.record.id)
                if seen is not None:
                    seen.verdict = decided.verdict
            self.office.committed(self)
            return
        self.office.receipts.forget(self.id, decided.record.n)
        if fate is Fate.BAD:
            self.halt()

    def _answer(self, envelope: Envelope, frame: bytes) -> None:
        self.office.answer(self, envelope.gateway, Answer(envelope.player, envelope.id, frame))


def _people(state: State) -> set[str]:
    """Who is connected or not, as far as the table cares: seated persons and the host."""
    seated = {seat.player for seat in state.table.seats if seat.player is not None and seat.human}
    return seated | {state.host.player}


def _is_connected(state: State, player: str, unknown: bool) -> bool:
    """What the log says of a seated person or the host; of anyone else, bots too, it says nothing."""
    seat = seat_of(state, player)
    if seat is not None:
        place = state.table.seats[seat]
        return place.connected if place.human else unknown
    if state.host.player == player:
        return state.host.connected
    return unknown


def _heads(before: State | None, state: State, record: Record[Command, Struct]) -> tuple[Head, ...]:
    """A head is written when a record opens a round or changes the phase, so that a new owner finds the table."""
    if before is not None and not record.carry and before.phase == state.phase:
        return ()
    first = record.n if before is None or record.carry else state.first_version
    round = record.round
    if is_boundary(state):
        first, round = before.first_version if before is not None else 1, record.round
    return (Head(record.table, round, first, state.next_due, state.phase),)
