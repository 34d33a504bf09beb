"""Keeps one table: decides what comes, deadlines first, appends it, and says what came of it once it is committed.

It trusts no sender: who speaks is what the subject and the gateway vouch for, never what a command says.
"""

import os
from dataclasses import dataclass

import msgspec
from msgspec import Struct

from services.table import metrics, writing
from services.table.admission import HALTED, Admission
from services.table.audience import Audience
from services.table.botseats import BotSeats
from services.table.people import is_connected, people, plays_bot
from services.table.port import Office
from services.table.presence import Presence
from services.table.recall import Recall
from shared.eventlog.appender import Fate
from shared.eventlog.chain import genesis, link
from shared.eventlog.port import Row
from shared.games.registry import GAMES
from shared.kernel import Command, Decision, Moment, Refused, Seat
from shared.table import decide, due, evolve, limits, refusals
from shared.table.codec import Codec, codec
from shared.table.commands import Award, Connect, Disconnect, Prepare, Stop
from shared.table.record import Record, Sender, Via, encode
from shared.table.state import State, is_boundary, seat_of
from shared.wire import verdict
from shared.wire.messages import Answer, Envelope

CHANCE_BYTES = 32
ID_REUSED = Refused("id_reused")


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
        self.admission = Admission()
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
            self._turn_away(envelope, refusal)
            return
        now = self._caught_up()
        if isinstance(by, Sender):
            if envelope.http:
                self.asked_by_http(who)
                now = self._caught_up()
            by = Sender(who, self._seat(who))
        via = Via(envelope.gateway, envelope.received, arrived, envelope.sent)
        self._decide(by, self._checked(command), now, envelope, via)
        self.advance()

    def advance(self) -> None:
        """Decide every deadline up to now, each at its own time, and what is due at once."""
        self._caught_up()

    def asked_by_http(self, player: str) -> None:
        """A request of theirs about this table counts as being connected for a while (T-PRES-1)."""
        self.presence.touch(player, self._now())
        self.observe(player, "http")

    def plays_bot(self, player: str) -> bool:
        """Whether this is one of the table's bots."""
        return self.state is not None and plays_bot(self.state, player)

    def observe(self, player: str, cause: str) -> None:
        """Record that a seated player or the host is connected now, or no longer, if that is news (T-PRES-1)."""
        if self.state is None or self.halted:
            return
        connected = self.presence.connected(player, self._now())
        if connected != is_connected(self.state, player, connected):
            now = self._caught_up()
            self._decide("house", (Connect if connected else Disconnect)(player, cause), now)
            self.advance()

    def review(self) -> None:
        """Look whether someone who lingered is gone."""
        now = self._now()
        if self.state is not None and self.presence.expire(now):
            for player in people(self.state):  # a host who left their seat and still looks on is there again
                self.observe(player, "socket" if self.presence.connected(player, now) else "gone")

    def expect(self, until: int) -> None:
        """A new owner has heard of nobody yet: whoever was connected counts as such for a while."""
        if self.state is not None:
            for player in people(self.state):
                if is_connected(self.state, player, False):
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

    def _caught_up(self) -> int:
        """Advance, and the time up to which that was done: what is decided next is decided then and no later, since a
        deadline could lie between two looks at the clock. Without a record yet nothing is due."""
        now = self._now()
        if self.state is None:
            return now
        late: tuple[Command, ...] = ()
        while not self.halted and (step := due.next_house(self.state, now, late)) is not None:
            command, late = step.command, step.late
            if isinstance(command, Prepare):
                command = Prepare(os.urandom(CHANCE_BYTES).hex())
            self._decide("house", command, step.at)
        self.office.wake_at(self, None if self.halted else self.state.next_due)
        return now

    def _now(self) -> int:
        return self.office.at(0 if self.state is None else self.state.at)

    def _remembered(self, envelope: Envelope, command: Command, who: str) -> bool:
        seen = self.recall.find(who, envelope.id)
        if seen is None:
            return False
        if seen.command != command:
            self._turn_away(envelope, self._ended() or ID_REUSED)
        elif seen.verdict is not None:
            self._answer(envelope, seen.verdict)
        elif envelope.gateway not in seen.gateways:
            seen.gateways.append(envelope.gateway)
        return True

    def _turn_away(self, envelope: Envelope, refusal: Refused) -> None:
        metrics.refused(self._game, refusal)
        self._answer(envelope, verdict.refused(envelope.id, refusal, None))

    @property
    def _game(self) -> str | None:
        return None if self.state is None else self.state.game

    def _turned_away(self, who: str, by: Sender | str, arrived: int) -> Refused | None:
        """Refusals that leave no record: what the rules never see."""
        if self.halted:
            return HALTED
        if not isinstance(by, Sender):
            return None
        ended = self._ended()
        if ended is not None:
            return ended
        now = self._now()
        return self.admission.refusal(who, self._seat(who), now - arrived, now, self.office.busy)

    def _ended(self) -> Refused | None:
        """Why nothing goes any more at this table: that comes before every other refusal."""
        phase = None if self.state is None else self.state.phase
        return refusals.CLOSED if phase == "closed" else refusals.STOPPED if phase == "stopped" else None

    def _seat(self, player: str) -> int | None:
        return None if self.state is None else seat_of(self.state, player)

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
        if envelope is not None and isinstance(decision, Refused):
            metrics.refused(self._game, decision)
        if not limits.recordable(before, by, decision):
            self._unrecorded(before, by, decision, envelope)
            return
        record = writing.record(self.id, self.epoch, before, by, command, now, decision, envelope, via)
        state = evolve.fold(before, record)
        if is_boundary(state):
            record = msgspec.structs.replace(record, slowed=self.admission.round_over(len(state.table.seats)))
        self._append(record, state, envelope)

    def _unrecorded(
        self, before: State | None, by: Sender | str, decision: Decision, envelope: Envelope | None
    ) -> None:
        if envelope is None:
            return
        answer = limits.unrecorded(before, by, decision)
        if isinstance(by, Sender) and answer is limits.SLOW_DOWN:
            self.admission.slow(self._seat(by.player))
        if isinstance(answer, Refused):
            self._answer(envelope, verdict.refused(envelope.id, answer, None))
        else:
            self._answer(envelope, verdict.accepted(envelope.id, None))

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
        decided = Decided(record, state, [], b"")
        if envelope is not None:
            decided.gateways = [envelope.gateway]
            decided.verdict = writing.verdict_of(record, self.hash.hex())
            remembered = self.recall.add(writing.sender_name(record), envelope.id, record.command)
            remembered.gateways = decided.gateways
            if envelope.signed:
                self.office.receipts.want(self.id, record.n)
        if is_boundary(state):
            self.recall.turn()
        heads = writing.heads(before, state, record)
        self.office.submit(self, row, heads, lambda fate: self._settle(decided, fate))

    def _settle(self, decided: Decided, fate: Fate) -> None:
        if fate is Fate.COMMITTED:
            self.committed = decided.state
            signed = self.office.receipts.take(self.id, decided.record.n)
            if signed is not None:
                decided.verdict = verdict.signed(decided.verdict, signed)
            self.done.append(decided)
            if decided.verdict:
                seen = self.recall.find(writing.sender_name(decided.record), decided.record.id)
                if seen is not None:
                    seen.verdict = decided.verdict
            self.office.committed(self)
            return
        self.office.receipts.forget(self.id, decided.record.n)
        if fate is Fate.BAD:
            self.halt()

    def _answer(self, envelope: Envelope, frame: bytes) -> None:
        self.office.answer(self, envelope.gateway, Answer(envelope.player, envelope.id, frame))
