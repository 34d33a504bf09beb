"""The handler: the one loop of a table service that loads, decides, appends and answers, for the partitions it owns."""

from collections.abc import Callable
from functools import partial

import structlog

from services.table.botseats import Seating
from services.table.desk import Desk
from services.table.floor import Floor
from services.table.hearing import Hearing
from services.table.hints import Hints
from services.table.keeper import Keeper
from services.table.listeners import Listeners
from services.table.names import NameBook
from services.table.publisher import Publisher
from services.table.receipts import Receipts
from services.table.watch import Watch
from shared.bus.port import Bus
from shared.eventlog.appender import Appender, Fate
from shared.eventlog.port import EventLog, Head, Row
from shared.leases.clock import TableClock
from shared.leases.tenancy import Tenancy
from shared.wire.messages import Answer

_log = structlog.get_logger()


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
        self.receipts = receipts
        self._instance, self._eventlog, self._appender, self._clock = instance, log, appender, clock
        listeners = Listeners()
        self._hints = Hints(bus)
        self._seating = Seating(bus, listeners, monotonic)
        self._publisher = Publisher(bus, clock.now, self._may_speak)
        self._floor = Floor(self, log, names, self._seating, clock.now)
        self._hearing = Hearing(instance, bus, self._floor, self._publisher, listeners, clock.now, monotonic)
        self._watch = Watch(
            bus,
            self._floor,
            self._hearing,
            self._publisher,
            listeners,
            self._seating,
            self._hints,
            clock.now,
            monotonic,
        )

    @property
    def loaded(self) -> int:
        """How many tables are in memory."""
        return sum(len(desk.keepers) for desk in self._floor.desks)

    async def listen(self) -> None:
        """Hear which gateways and bots live; must run before the first partition is taken."""
        await self._hearing.listen()

    async def run(self) -> None:
        """Announce, and watch over presence, until cancelled."""
        await self._watch.run()

    # --- the Tenant ---------------------------------------------------------------------------------------------

    async def take(self, partition: int) -> None:
        """Fence the partition, learn its tables, and load those that are under way."""
        tenure = await self._eventlog.take(self._instance, partition)
        self._appender.open(tenure)
        desk = self._floor.open(partition, tenure.epoch, tuple(await self._eventlog.heads(partition)))
        await self._hearing.attend(desk)
        self._floor.begin(desk)
        _log.info("partition taken", partition=partition, epoch=tenure.epoch, tables=len(desk.heads))

    async def hand_over(self, partition: int) -> None:
        """Accept nothing more, finish what is queued, forget the partition."""
        desk = self._floor.desk(partition)
        if desk is not None:
            for subscription in desk.subscriptions:
                await subscription.stop()
            await self._appender.finish(partition)
            self._publisher.finish(desk.keepers.values())  # while we may still speak for it
            self._floor.shut(desk)
            _log.info("partition handed over", partition=partition, epoch=desk.epoch)

    def lose(self, partition: int) -> None:
        """Another has it: forget everything, answer nothing."""
        desk = self._floor.desk(partition)
        if desk is not None:
            self._floor.shut(desk)
            self._appender.close(partition)
            self._floor.spawn(_stop_hearing(desk))
            _log.warning("partition lost", partition=partition, epoch=desk.epoch)

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
        desk = self._floor.desk(keeper.partition)
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
            (self._hints.now if state.phase == "scoring" else self._hints.soon)(keeper.partition)
            self._seating.settle(keeper)

    def wake_at(self, keeper: Keeper, at: int | None) -> None:
        """Call `advance` then."""
        self._floor.wake_at(keeper, at)

    def _settled(self, keeper: Keeper, done: Callable[[Fate], None], fate: Fate) -> None:
        if fate is Fate.FENCED and self.tenancy is not None:
            self.tenancy.fenced(keeper.partition)
        elif fate is Fate.BAD:
            _log.error("the database refuses this table's data; it is halted", table=keeper.id)
        done(fate)

    def _may_speak(self, partition: int) -> bool:
        return self.tenancy is not None and self.tenancy.holds(partition)


async def _stop_hearing(desk: Desk) -> None:
    for subscription in desk.subscriptions:
        await subscription.stop()
