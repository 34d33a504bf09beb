"""One table service from its ports: bus, log and leases in, a running instance out. The caller chooses adapters."""

import asyncio
import contextlib
import time
from collections.abc import Callable

import structlog
from prometheus_client import Counter

from services.table.names import NameBook
from services.table.receipts import Receipts
from services.table.service import TableService
from shared.bus.port import Bus
from shared.eventlog.appender import Appender
from shared.eventlog.port import PARTITIONS, EventLog, Unreachable
from shared.leases.clock import TableClock
from shared.leases.port import Leases
from shared.leases.tenancy import TAKES_MAX, Tenancy
from shared.proof.note import Signer

_log = structlog.get_logger()
_alarms = Counter("quartet_clock_alarms", "Tables whose last record was over a second ahead of the database's clock")


def monotonic_micros() -> int:
    """The machine's monotonic clock in µs."""
    return time.monotonic_ns() // 1_000


class Tables:
    """One instance of the table service."""

    def __init__(
        self,
        bus: Bus,
        log: EventLog,
        leases: Leases,
        names: NameBook,
        instance: str,
        monotonic: Callable[[], int] = monotonic_micros,
        signer: Signer | None = None,
    ) -> None:
        """`instance` is unique to this process; `monotonic` gives µs; `signer` signs receipts, if there is one."""
        self._eventlog, self._instance = log, instance
        clock = TableClock(monotonic, _alarm)
        receipts = Receipts(signer, instance)
        self._appender = Appender(log, instance, monotonic, receipts.committed)
        self.service = TableService(instance, bus, log, self._appender, clock, names, receipts, monotonic)
        self._tenancy = Tenancy(leases, instance, "table", self.service, PARTITIONS, monotonic, clock.note)
        self.service.tenancy = self._tenancy

    @property
    def held(self) -> frozenset[int]:
        """The partitions held here."""
        return self._tenancy.held

    async def run(self) -> None:
        """Own partitions and serve their tables until drained or cancelled. Raises what is a bug in any part."""
        await asyncio.gather(self.service.listen(), self._warm_up())
        async with asyncio.TaskGroup() as tasks:
            others = [tasks.create_task(self._appender.run()), tasks.create_task(self.service.run())]
            await tasks.create_task(self._tenancy.run())
            for other in others:
                other.cancel()

    async def drain(self) -> None:
        """Hand every partition over (SIGTERM); `run` then returns."""
        await self._tenancy.drain()

    async def _warm_up(self) -> None:
        """Open what is needed to take partitions and to write: who hands one over no longer serves it meanwhile."""
        with contextlib.suppress(Unreachable):
            reading = (self._eventlog.ends() for _ in range(TAKES_MAX))
            await asyncio.gather(*reading, self._eventlog.append(self._instance, ()))


def _alarm(ahead: int) -> None:
    _alarms.inc()
    _log.error("a table's last record is ahead of the clock", ahead_us=ahead)
