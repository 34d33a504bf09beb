"""The tables in memory, by partition: loaded at first need, put away when nobody needs them."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator

import structlog

from services.table import loading
from services.table.botseats import Seating
from services.table.desk import Desk, Visitor
from services.table.keeper import Keeper
from services.table.names import NameBook
from services.table.port import Office
from services.table.timers import Timers
from shared.eventlog.port import EventLog, Head, Unreachable, partition_of

BLIND_MICROS = 5_000_000
"""So long after a table was loaded, or our own connection came back, nobody is judged gone."""
AGAIN_MICROS = 250_000
"""So long after a table could not be read it is tried again."""
LOOK_MICROS = 300_000_000
"""Within so long every table of a new partition is looked at once: what its head says is due is only a hint, and who
was connected may have gone meanwhile."""

_log = structlog.get_logger()


class Floor:
    """One process's desks. A keeper is given the `office`; `now` in µs on the table's clock."""

    def __init__(
        self, office: Office, log: EventLog, names: NameBook, seating: Seating, now: Callable[[], int]
    ) -> None:
        self._office, self._eventlog, self._names, self._seating, self._now = office, log, names, seating, now
        self._desks: dict[int, Desk] = {}
        self._timers = Timers(now, self._due)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def desks(self) -> tuple[Desk, ...]:
        """All that are open."""
        return tuple(self._desks.values())

    def desk(self, partition: int) -> Desk | None:
        """That of a partition, while it is ours."""
        return self._desks.get(partition)

    def keepers(self) -> Iterator[tuple[Desk, Keeper]]:
        """Every loaded table; tables may come and go meanwhile."""
        for desk in self.desks:
            for keeper in tuple(desk.keepers.values()):
                yield desk, keeper

    def open(self, partition: int, epoch: int, heads: tuple[Head, ...]) -> Desk:
        """A partition became ours."""
        desk = self._desks[partition] = Desk(partition, epoch, {head.table_id: head for head in heads})
        return desk

    def begin(self, desk: Desk) -> None:
        """Load what is under way; the rest when it is due, or asked for, or one after another for a look."""
        now, heads = self._now(), tuple(desk.heads.values())
        for place, head in enumerate(heads, 1):
            if head.phase in ("preparing", "playing", "scoring"):
                self.visit(desk, head.table_id, Keeper.advance)
            else:
                look = now + LOOK_MICROS * place // len(heads)
                self._timers.set(head.table_id, look if head.due is None else min(head.due, look))

    def shut(self, desk: Desk) -> None:
        """The partition is ours no longer: forget its tables."""
        desk.open = False
        if self._desks.get(desk.partition) is desk:
            del self._desks[desk.partition]
        for table_id in desk.heads.keys() | desk.keepers.keys():
            self._timers.set(table_id, None)

    def wake_at(self, keeper: Keeper, at: int | None) -> None:
        """Call `advance` then."""
        self._timers.set(keeper.id, at)

    def visit(self, desk: Desk, table_id: str, visitor: Visitor) -> None:
        """Call the visitor with the table's keeper, at once or when it is loaded; never if the partition was lost."""
        keeper = desk.keepers.get(table_id)
        if not desk.open:
            return
        if keeper is not None:
            visitor(keeper)
        elif table_id in desk.loading:
            desk.loading[table_id].append(visitor)
        elif partition_of(table_id) == desk.partition:
            desk.loading[table_id] = [visitor]
            self.spawn(self._load(desk, table_id))

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Run something that nobody waits for; what goes wrong in it is told."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._reap)

    async def _load(self, desk: Desk, table_id: str) -> None:
        keeper = Keeper(self._office, table_id, desk.partition, desk.epoch)
        try:
            await loading.load(keeper, self._eventlog, self._names, desk.heads.get(table_id))
        except Unreachable:
            if desk.open:
                self._timers.set(table_id, self._now() + AGAIN_MICROS)  # what was due by itself still is
            return
        finally:
            visitors = desk.loading.pop(table_id, [])  # if it failed, whoever asked asks again
        if not desk.open:
            return
        desk.keepers[table_id] = keeper
        if keeper.state is not None:
            keeper.expect(self._now() + BLIND_MICROS)
            keeper.advance()
            self._seating.settle(keeper)
        for visitor in visitors:
            visitor(keeper)
        if keeper.state is None:
            del desk.keepers[table_id]

    def _due(self, table_id: str) -> None:
        desk = self._desks.get(partition_of(table_id))
        if desk is not None:
            self.visit(desk, table_id, Keeper.advance)

    def _reap(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("a table could not be served", exc_info=task.exception())
