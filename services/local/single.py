"""Table, bots and scoring in one process on memory adapters: a demo without servers, and whole games in tests.

Nothing is kept: the log ends with the process.
"""

import asyncio
import time
from collections.abc import Coroutine, Iterable, Mapping
from typing import Any

from services.bots.service import Bots
from services.scoring.memory import MemoryProjections
from services.scoring.service import Scoring
from services.table.names import NameBook
from services.table.office import Tables
from shared.bus.memory import MemoryBus, MemoryNetwork
from shared.eventlog.memory import MemoryEventLog
from shared.games.registry import GAMES
from shared.leases.memory import LeaseBook, MemoryLeases
from shared.ledger.memory import MemoryLedger
from shared.proof.keys import Keys


class Nameless:
    """Nobody has a name but the bots, who bring theirs."""

    async def of(self, players: Iterable[str]) -> Mapping[str, str]:
        """No names."""
        return {}


class Single:
    """The services of one process, all on the running loop's time. Each `run_…` starts one; `stop` ends it."""

    def __init__(self, names: NameBook | None = None, keys: Keys | None = None) -> None:
        """With `keys` rounds are sealed and receipts signed."""
        self.seconds = asyncio.get_running_loop().time
        began = time.time_ns() // 1_000 - self._micros()
        self.network = MemoryNetwork()
        self.log = MemoryEventLog(lambda: began + self._micros())
        self._names = names or Nameless()
        self.projections = MemoryProjections(self._names.of)
        self._book = LeaseBook(lambda: began + self._micros())
        self.ledger = MemoryLedger(self.projections.awarded_leaves)
        self._keys = keys
        self._running: dict[str, asyncio.Task[None]] = {}

    def bus(self, name: str) -> MemoryBus:
        """A connection to the network, for whoever else takes part."""
        return self.network.join(name)

    def run_table(self, name: str = "table-1") -> None:
        """A table service; the partitions are shared by all that run."""
        signer = None if self._keys is None else self._keys.signer
        leases = MemoryLeases(self._book)
        tables = Tables(self.bus(name), self.log, leases, self._names, name, self._micros, signer)
        self._start(name, tables.run())

    def run_scoring(self, name: str = "scoring-1", audit_rate: float = 500.0, alone: bool = False) -> None:
        """A scoring service; `alone`: one that knows of no other and believes that it has every partition."""
        leases = MemoryLeases(LeaseBook(self._book.now) if alone else self._book)
        scoring = Scoring(
            self.bus(name), self.log, leases, self.projections, name, self.seconds, audit_rate, self.ledger, self._keys
        )
        self._start(name, scoring.run())

    def run_bots(self, name: str = "bots-1", pace: float = 1.0) -> None:
        """A bots service."""
        self._start(name, Bots(self.bus(name), GAMES, name, self.seconds, pace).run())

    def check(self) -> None:
        """Raise what ended a service."""
        for task in self._running.values():
            if task.done():
                task.result()

    async def stop(self, name: str) -> None:
        """End one service as a crash does: it hands nothing over."""
        task = self._running.pop(name)
        self._book.end_session(name)
        task.cancel()
        await asyncio.wait((task,))

    async def close(self) -> None:
        """End them all."""
        for name in tuple(self._running):
            await self.stop(name)

    def _micros(self) -> int:
        return round(self.seconds() * 1_000_000)

    def _start(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        self._running[name] = asyncio.create_task(work, name=name)
