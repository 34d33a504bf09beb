"""The handler: the one loop of a table service that loads, decides, appends and answers, for the partitions it owns."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial

import msgspec
import structlog

from services.table import loading, reading
from services.table.desk import Desk, Visitor
from services.table.keeper import Keeper
from services.table.listeners import Listeners
from services.table.names import NameBook
from services.table.publisher import Publisher
from services.table.receipts import Receipts
from services.table.timers import Timers
from shared.bus import subjects
from shared.bus.port import Bus
from shared.eventlog.appender import Appender, Fate
from shared.eventlog.port import EventLog, Head, Row, Unreachable, partition_of
from shared.leases.clock import TableClock
from shared.leases.tenancy import Tenancy
from shared.table.botnames import bot_names
from shared.table.codec import BadMessage
from shared.wire.messages import (
    Answer,
    Envelope,
    Held,
    HeldTable,
    Here,
    Owner,
    Seats,
    View,
    Want,
    Who,
    decoder,
    encode,
)

ANNOUNCE_SECONDS = 1.0
PRESENCE_SECONDS = 0.25
IDLE_MICROS = 60_000_000
"""A table that nobody holds and that is not due for so long is put away; its next command loads it again."""
BLIND_MICROS = 5_000_000
"""So long after our own connection came back nobody is judged gone."""

_log = structlog.get_logger()
_envelope = decoder(Envelope)
_want = decoder(Want)
_held = decoder(Held)
_here = decoder(Here)
_who = decoder(Who)


class TableService:
    """One process's tables. It is the Tenant of its role's Tenancy and the Office of its keepers."""

    def __init__(
        self,
        instance: str,
        bus: Bus,
        log: EventLog,
        appender: Appender,
        clock: TableClock,
        names: NameBook,
        receipts: Receipts,
        monotonic: Callable[[], int],
    ) -> None:
        """`monotonic` gives µs. `tenancy` must be set before the first partition is taken."""
        self.tenancy: Tenancy | None = None
        self._instance = instance
        self._bus = bus
        self._eventlog = log
        self._appender = appender
        self._clock = clock
        self._names = names
        self.receipts = receipts
        self._monotonic = monotonic
        self._desks: dict[int, Desk] = {}
        self._listeners = Listeners()
        self._timers = Timers(clock.now, self._due)
        self._publisher = Publisher(bus, clock.now, self._may_speak)
        self._tasks: set[asyncio.Task[None]] = set()
        self._blind_until = 0
        self._hints: set[int] = set()

    @property
    def loaded(self) -> int:
        """How many tables are in memory."""
        return sum(len(desk.keepers) for desk in self._desks.values())

    # --- the Tenant ---------------------------------------------------------------------------------------------

    async def take(self, partition: int) -> None:
        """Fence the partition, learn its tables, and load those that are under way."""
        tenure = await self._eventlog.take(self._instance, partition)
        self._appender.open(tenure)
        heads = await self._eventlog.heads(partition)
        desk = Desk(partition, tenure.epoch, {head.table_id: head for head in heads})
        self._desks[partition] = desk
        for subject, callback in (
            (subjects.command(partition, tenure.epoch, "*"), self._command),
            (subjects.want(partition), self._wanted),
            (subjects.held(partition), self._holds),
            (subjects.who(partition), self._asked),
        ):
            desk.subscriptions.append(await self._bus.subscribe(subject, partial(callback, desk)))
        self._announce((desk,))
        for head in heads:
            if head.phase in ("preparing", "playing", "scoring"):
                self._visit(desk, head.table_id, Keeper.advance)
            else:
                self._timers.set(head.table_id, head.due)
        _log.info("partition taken", partition=partition, epoch=tenure.epoch, tables=len(heads))

    async def hand_over(self, partition: int) -> None:
        """Accept nothing more, finish what is queued, forget the partition."""
        desk = self._desks.get(partition)
        if desk is not None:
            for subscription in desk.subscriptions:
                await subscription.stop()
            await self._appender.finish(partition)
            self._put_away(desk)
            _log.info("partition handed over", partition=partition, epoch=desk.epoch)

    def lose(self, partition: int) -> None:
        """Another has it: forget everything, answer nothing."""
        desk = self._desks.get(partition)
        if desk is not None:
            self._put_away(desk)
            self._appender.close(partition)
            for subscription in desk.subscriptions:
                self._spawn(subscription.stop())
            _log.warning("partition lost", partition=partition, epoch=desk.epoch)

    def _put_away(self, desk: Desk) -> None:
        desk.open = False
        if self._desks.get(desk.partition) is desk:
            del self._desks[desk.partition]
        for table_id in desk.heads.keys() | desk.keepers.keys():
            self._timers.set(table_id, None)

    # --- the Office of the keepers ------------------------------------------------------------------------------

    def at(self, last: int) -> int:
        """The time of a record that follows one at `last`."""
        return self._clock.at(last)

    @property
    def busy(self) -> bool:
        """Whether too much waits to be committed."""
        return self._appender.busy

    def submit(self, keeper: Keeper, row: Row, heads: tuple[Head, ...], done: Callable[[Fate], None]) -> None:
        """Append a record of a keeper whose partition is still ours."""
        desk = self._desks.get(keeper.partition)
        if desk is None or desk.epoch != keeper.epoch:
            return
        for head in heads:
            if head.phase == "closed":
                desk.heads.pop(head.table_id, None)
            else:
                desk.heads[head.table_id] = head
        self._appender.submit(keeper.partition, keeper.id, (row,), heads, partial(self._settled, keeper, done))

    def answer(self, keeper: Keeper, gateway: str, answer: Answer) -> None:
        """Send a verdict that needs no commit."""
        self._publisher.answer(keeper, gateway, answer)

    def committed(self, keeper: Keeper) -> None:
        """Publish what changed; tell scoring and the bots' services what they should look at."""
        self._publisher.committed(keeper)
        state = keeper.committed
        if state is None:
            return
        standing = state.phase, state.table.seats
        if standing != keeper.standing:
            keeper.standing = standing
            if state.phase == "scoring":
                self._hint(keeper.partition)
            else:
                self._hints.add(keeper.partition)  # the lobby can wait a moment, a stopped round should not
            self._seat_bots(keeper)

    def _hint(self, partition: int) -> None:
        self._hints.discard(partition)
        self._bus.publish(subjects.stopped(partition), b"")

    def wake_at(self, keeper: Keeper, at: int | None) -> None:
        """Call `advance` then."""
        self._timers.set(keeper.id, at)

    def _settled(self, keeper: Keeper, done: Callable[[Fate], None], fate: Fate) -> None:
        if fate is Fate.FENCED and self.tenancy is not None:
            self.tenancy.fenced(keeper.partition)
        elif fate is Fate.BAD:
            _log.error("the database refuses this table's data; it is halted", table=keeper.id)
        done(fate)

    def _may_speak(self, partition: int) -> bool:
        return self.tenancy is not None and self.tenancy.holds(partition)

    # --- what comes over the bus --------------------------------------------------------------------------------

    async def listen(self) -> None:
        """Hear which gateways and bots live; must run before the first partition is taken."""
        await self._bus.subscribe(subjects.here("*"), self._heard)
        await self._bus.subscribe(subjects.CHECKPOINT, self._checkpoint)
        await self._bus.subscribe(subjects.FORGOTTEN, self._forgotten)

    def _command(self, desk: Desk, subject: str, payload: bytes, _: str | None) -> None:
        arrived = self._clock.now()
        kind = subject.rsplit(".", 1)[1]
        try:
            envelope = _envelope.decode(payload)
        except msgspec.MsgspecError:
            _log.warning("an envelope that can't be read", subject=subject)
            return
        keeper = desk.keepers.get(envelope.table)
        if keeper is not None and desk.open:
            self._hand_in(envelope, kind, arrived, keeper)
        else:
            self._visit(desk, envelope.table, partial(self._hand_in, envelope, kind, arrived))

    def _hand_in(self, envelope: Envelope, kind: str, arrived: int, keeper: Keeper) -> None:
        command = reading.command_of(keeper, kind, envelope)
        if isinstance(command, BadMessage):
            self._unread(keeper, envelope, command.detail)
            return
        if envelope.name is not None:
            keeper.names[envelope.player] = envelope.name
        if kind in ("player", "bot") and not envelope.http:
            self._has_socket(keeper, envelope)
        keeper.take(envelope, command, reading.sender_of(kind, envelope), arrived)

    def _has_socket(self, keeper: Keeper, envelope: Envelope) -> None:
        """Who sends by socket holds one: a new owner need not wait to be told, and the view still comes first."""
        gateway, player = envelope.gateway, envelope.player
        held = keeper.presence.players_at(gateway)
        desk = self._desks.get(keeper.partition)
        if player not in held and desk is not None and keeper.committed is not None:
            self._hold(desk, keeper, gateway, held | {player}, int(keeper.presence.watched_at(gateway)))
            self._publisher.whole(keeper, gateway, (player,))

    def _unread(self, keeper: Keeper, envelope: Envelope, why: str) -> None:
        """The gateway checks shapes, so this is a program of ours that is out of step, or no table."""
        code = "not_found" if keeper.state is None else "bad_command"
        error = msgspec.json.encode({"type": "error", "id": envelope.id, "code": code, "detail": why})
        self.answer(keeper, envelope.gateway, Answer(envelope.player, envelope.id, error))

    def _wanted(self, desk: Desk, _: str, payload: bytes, __: str | None) -> None:
        want = _want.decode(payload)
        self._visit(desk, want.table, partial(self._show, desk, want))

    def _show(self, desk: Desk, want: Want, keeper: Keeper) -> None:
        if not reading.may_hold(keeper, want.gateway, want.player):
            _log.warning("a view that is not for this listener", gateway=want.gateway, table=want.table)
        elif want.request:
            self._show_once(keeper, want)
        elif keeper.committed is not None:
            at_gateway = keeper.presence.players_at(want.gateway)
            watching = keeper.presence.watched_at(want.gateway) or not want.player
            self._hold(
                desk, keeper, want.gateway, at_gateway | {want.player} if want.player else at_gateway, int(watching)
            )
            self._publisher.whole(keeper, want.gateway, (want.player,))

    def _show_once(self, keeper: Keeper, want: Want) -> None:
        state = keeper.committed
        answer = View(want.request, want.table, False)
        if state is not None:
            if want.player:
                keeper.asked_by_http(want.player)
            answer = self._publisher.view(keeper, state, want)
        if self._may_speak(keeper.partition):
            self._bus.publish(subjects.to(want.gateway, "view"), encode(answer))

    def _holds(self, desk: Desk, _: str, payload: bytes, __: str | None) -> None:
        held = _held.decode(payload)
        tables = frozenset(one.table for one in held.tables)
        for table_id in desk.held.get(held.gateway, frozenset()) - tables:
            keeper = desk.keepers.get(table_id)
            if keeper is not None:
                self._hold(desk, keeper, held.gateway, frozenset(), 0)
        for one in held.tables:
            self._visit(desk, one.table, partial(self._hold_all, desk, held.gateway, one))

    def _hold_all(self, desk: Desk, gateway: str, one: HeldTable, keeper: Keeper) -> None:
        if keeper.committed is None:
            return
        players = frozenset(player for player in one.players if reading.may_hold(keeper, gateway, player))
        new = players - keeper.presence.players_at(gateway)
        starts_watching = one.watching and not keeper.presence.watched_at(gateway)
        self._hold(desk, keeper, gateway, players, one.watching)
        if new or starts_watching:  # an owner that is new to this table
            self._publisher.whole(keeper, gateway, (*sorted(new), *(("",) if starts_watching else ())))

    def _hold(self, desk: Desk, keeper: Keeper, gateway: str, players: frozenset[str], watching: int) -> None:
        before = keeper.presence.players_at(gateway)
        keeper.presence.hold(gateway, players, watching, self._clock.now())
        tables = desk.held.get(gateway, frozenset())
        desk.held[gateway] = tables | {keeper.id} if players or watching else tables - {keeper.id}
        for player in players - before:
            keeper.observe(player, "socket")

    def _asked(self, desk: Desk, _: str, payload: bytes, __: str | None) -> None:
        self._announce((desk,), (_who.decode(payload).instance,))

    def _heard(self, subject: str, payload: bytes, _: str | None) -> None:
        here = _here.decode(payload)
        if self._listeners.heard(subject.rsplit(".", 1)[1], here, self._monotonic()):
            self._announce(tuple(self._desks.values()), (here.instance,))

    def _checkpoint(self, _subject: str, payload: bytes, _: str | None) -> None:
        self._publisher.checkpoint(payload.decode())

    def _forgotten(self, _subject: str, payload: bytes, _: str | None) -> None:
        """A name is gone; those who look at a table of theirs are shown it without."""
        player = payload.decode()
        for desk in self._desks.values():
            for keeper in desk.keepers.values():
                if keeper.names.pop(player, None) is not None:
                    self._publisher.refresh(keeper)

    def _announce(self, desks: tuple[Desk, ...], to: tuple[str, ...] | None = None) -> None:
        message = encode(Owner(self._instance, tuple((desk.partition, desk.epoch) for desk in desks if desk.open)))
        for name in self._listeners.names() if to is None else to:
            self._bus.publish(subjects.to(name, "owner"), message)

    # --- loading and putting away -------------------------------------------------------------------------------

    def _visit(self, desk: Desk, table_id: str, visitor: Visitor) -> None:
        """Call the visitor with the table's keeper, at once or when it is loaded."""
        keeper = desk.keepers.get(table_id)
        if keeper is not None:
            visitor(keeper)
        elif table_id in desk.loading:
            desk.loading[table_id].append(visitor)
        elif partition_of(table_id) == desk.partition:
            desk.loading[table_id] = [visitor]
            self._spawn(self._load(desk, table_id))

    async def _load(self, desk: Desk, table_id: str) -> None:
        keeper = Keeper(self, table_id, desk.partition, desk.epoch)
        try:
            await loading.load(keeper, self._eventlog, self._names, desk.heads.get(table_id))
        except Unreachable:
            desk.loading.pop(table_id, None)  # whoever asked asks again
            return
        visitors = desk.loading.pop(table_id, [])
        if not desk.open:
            return
        desk.keepers[table_id] = keeper
        if keeper.state is not None:
            keeper.expect(self._clock.now() + BLIND_MICROS)
            keeper.advance()
            self._seat_bots(keeper)
        for visitor in visitors:
            visitor(keeper)
        if keeper.state is None:
            del desk.keepers[table_id]

    def _due(self, table_id: str) -> None:
        desk = self._desks.get(partition_of(table_id))
        if desk is not None:
            self._visit(desk, table_id, Keeper.advance)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._reap)

    def _reap(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("a table could not be served", exc_info=task.exception())

    # --- once in a while ----------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Announce, and watch over presence, until cancelled."""
        passed = 0.0
        while True:
            await asyncio.sleep(PRESENCE_SECONDS)
            passed += PRESENCE_SECONDS
            self._review_presence()
            for partition in tuple(self._hints):
                self._hint(partition)
            if passed >= ANNOUNCE_SECONDS:
                passed = 0.0
                self._announce(tuple(self._desks.values()))
                self._look_around()

    def _review_presence(self) -> None:
        now = self._monotonic()
        if not self._bus.connected:
            self._blind_until = now + BLIND_MICROS
        if now < self._blind_until:
            self._listeners.excuse(now)
            return
        for gateway in self._listeners.silent(now):
            self._forget(gateway)
        for desk in tuple(self._desks.values()):
            for keeper in tuple(desk.keepers.values()):
                keeper.review()

    def _forget(self, gateway: str) -> None:
        for desk in self._desks.values():
            for table_id in desk.held.pop(gateway, frozenset()):
                keeper = desk.keepers.get(table_id)
                if keeper is not None:
                    keeper.presence.hold(gateway, frozenset(), 0, self._clock.now())

    def _look_around(self) -> None:
        now = self._clock.now()
        for desk in tuple(self._desks.values()):
            for keeper in tuple(desk.keepers.values()):
                self._seat_bots(keeper)
                if keeper.committed is not None and keeper.committed.phase == "scoring":
                    self._hints.add(keeper.partition)  # again, in case it was lost
                if keeper.idle(now, IDLE_MICROS):
                    del desk.keepers[keeper.id]
                elif self._publisher.watchers_changed(keeper) or self._publisher.checkpoint_due(keeper):
                    self._publisher.refresh(keeper)

    def _seat_bots(self, keeper: Keeper) -> None:
        state = keeper.committed
        if state is None:
            return
        bots = [seat.player for seat in state.table.seats if seat.bot is not None and seat.player is not None]
        keeper.names.update(bot_names(bots, keeper.names))
        given = keeper.bots.settle(
            keeper.id, state, keeper.presence, self._listeners, self._monotonic(), self._tell_bots
        )
        for home, _ in given:
            _log.debug("bot seat given", table=keeper.id, bots=home)

    def _tell_bots(self, home: str, seats: Seats) -> None:
        self._bus.publish(subjects.to(home, "seats"), encode(seats))
