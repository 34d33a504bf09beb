"""What is looked at once in a while: who is gone, which gateway fell silent, which table nobody needs in memory."""

import asyncio
from collections.abc import Callable

import structlog

from services.table.botseats import Seating
from services.table.desk import Desk
from services.table.floor import BLIND_MICROS, Floor
from services.table.hearing import Hearing
from services.table.hints import Hints
from services.table.keeper import Keeper
from services.table.listeners import Listeners
from services.table.publisher import Publisher
from shared.bus.port import Bus

ANNOUNCE_SECONDS = 1.0
PRESENCE_SECONDS = 0.25
IDLE_MICROS = 60_000_000
"""A table that nobody holds and that is not due for so long is put away; its next command loads it again."""

_log = structlog.get_logger()


class Watch:
    """`now` in µs on the table's clock, `monotonic` in µs."""

    def __init__(
        self,
        bus: Bus,
        floor: Floor,
        hearing: Hearing,
        publisher: Publisher,
        listeners: Listeners,
        seating: Seating,
        hints: Hints,
        now: Callable[[], int],
        monotonic: Callable[[], int],
    ) -> None:
        self._bus, self._floor, self._hearing, self._publisher = bus, floor, hearing, publisher
        self._listeners, self._seating, self._hints = listeners, seating, hints
        self._now, self._monotonic = now, monotonic
        self._blind_until = 0

    async def run(self) -> None:
        """Until cancelled."""
        passed = 0.0
        while True:
            await asyncio.sleep(PRESENCE_SECONDS)
            passed += PRESENCE_SECONDS
            self._review_presence()
            self._hints.send_waiting()
            if passed >= ANNOUNCE_SECONDS:
                passed = 0.0
                self._hearing.announce(self._floor.desks)
                self._each(self._look_around)

    def _review_presence(self) -> None:
        now = self._monotonic()
        if not self._bus.connected:
            self._blind_until = now + BLIND_MICROS
        if now < self._blind_until:
            self._listeners.excuse(now)
            return
        for gateway in self._listeners.silent(now):
            self._hearing.holding.gone(gateway)
        self._each(lambda _, keeper: keeper.review())

    def _each(self, look: Callable[[Desk, Keeper], None]) -> None:
        for desk, keeper in self._floor.keepers():
            try:
                look(desk, keeper)
            except Exception as bug:  # in one table's rules: it must not end the service of all, here and wherever next
                _log.error("a table could not be looked after", table=keeper.id, exc_info=bug)

    def _look_around(self, desk: Desk, keeper: Keeper) -> None:
        self._seating.settle(keeper)
        if keeper.committed is not None and keeper.committed.phase == "scoring":
            self._hints.soon(keeper.partition)  # again, in case it was lost
        if keeper.idle(self._now(), IDLE_MICROS):
            del desk.keepers[keeper.id]
        elif self._publisher.watchers_changed(keeper) or self._publisher.checkpoint_due(keeper):
            self._publisher.refresh(keeper)
