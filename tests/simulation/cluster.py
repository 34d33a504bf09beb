"""Services that share one database and one network: each may be started, killed, cut off, or told to leave."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.bots.service import Bots
from services.local.single import Nameless
from services.scoring.memory import MemoryProjections
from services.scoring.service import Scoring
from services.table.office import Tables
from shared.bus import subjects
from shared.bus.memory import MemoryBus, MemoryNetwork
from shared.eventlog.memory import MemoryEventLog
from shared.games.registry import GAMES
from shared.leases.memory import LeaseBook, MemoryLeases
from shared.ledger.memory import MemoryLedger
from shared.proof.keys import Keys
from shared.proof.note import Signer
from shared.proof.seal import Leaf
from tests.simulation.database import DistantLeases, DistantLog
from tests.simulation.told import Told
from tests.simulation.weather import Weather
from tests.virtual import database_micros, monotonic_micros

Role = Literal["table", "scoring", "bots"]
ROLES: tuple[Role, ...] = ("table", "scoring", "bots")
PACE = 4.0
SIGNER = Signer("simulation.invalid/log", Ed25519PrivateKey.from_private_bytes(bytes(32)))


@dataclass(slots=True)
class Running:
    """A service that runs. `leave` hands over what it has; None: it has nothing to hand over."""

    role: Role
    bus: MemoryBus
    task: "asyncio.Task[None]"
    leave: Callable[[], Coroutine[Any, Any, None]] | None


class Cluster:
    """Two of each role, when all is well; a service that comes back is a new instance."""

    def __init__(self, weather: Weather, told: Told) -> None:
        self.weather, self.told = weather, told
        self.network = MemoryNetwork(weather.fate)
        self.log = MemoryEventLog(database_micros)
        self.projections = MemoryProjections(Nameless().of)
        self.running: dict[str, Running] = {}
        self._book = LeaseBook(database_micros)
        self._ledger = MemoryLedger(self.projections.awarded_leaves)
        self._started = 0

    def start(self, role: Role) -> None:
        """One more of a role."""
        self._started += 1
        name = f"{role}-{self._started}" if role == "table" else subjects.instance(role, str(self._started))
        bus = self.network.join(name)
        match role:
            case "table":
                tables = Tables(
                    bus, self.distant_log(name), self._leases(name), Nameless(), name, monotonic_micros, SIGNER
                )
                self._run(name, role, bus, tables.run(), tables.drain)
            case "scoring":
                scoring = Scoring(
                    bus, self.distant_log(name), self._leases(name), self.projections, name, _seconds,
                    ledger=self._ledger, keys=Keys((SIGNER,)),
                )  # fmt: skip
                self._run(name, role, bus, scoring.run(), scoring.drain)
            case "bots":
                bots = Bots(bus, GAMES, name, _seconds, PACE, self.told.witness)
                self._run(name, role, bus, bots.run(), None)

    async def kill(self, name: str) -> None:
        """As kill -9 does: nothing more is said, and the session at the database ends."""
        gone = self.running.pop(name)
        await gone.bus.close()
        gone.task.cancel()
        await asyncio.wait([gone.task])
        self._book.end_session(name)
        if not gone.task.cancelled() and gone.task.exception() is not None:
            raise AssertionError(f"{name} had died") from gone.task.exception()

    async def leave(self, name: str) -> None:
        """As SIGTERM does; one that takes too long in bad weather is killed."""
        leave = self.running[name].leave
        if leave is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(leave(), 5)
        await self.kill(name)

    def check(self) -> None:
        """Nobody may end by itself."""
        for name, each in self.running.items():
            if each.task.done():
                raise AssertionError(f"{name} ended by itself") from each.task.exception()

    async def leaves(self) -> list[Leaf]:
        """Every sealed round, once."""
        newest = await self._ledger.newest()
        return [
            msgspec.json.decode(each, type=Leaf)
            for each in await self._ledger.leaves(0, 0 if newest is None else newest.size)
        ]

    async def close(self) -> None:
        """End them all."""
        for name in tuple(self.running):
            await self.kill(name)

    def _run(
        self,
        name: str,
        role: Role,
        bus: MemoryBus,
        work: Coroutine[Any, Any, None],
        leave: Callable[[], Coroutine[Any, Any, None]] | None,
    ) -> None:
        self.running[name] = Running(role, bus, asyncio.create_task(work, name=name), leave)

    def distant_log(self, service: str) -> DistantLog:
        """The log as one service reaches it."""
        return DistantLog(self.log, self.weather, service)

    def _leases(self, service: str) -> DistantLeases:
        return DistantLeases(MemoryLeases(self._book), self.weather, service)


def _seconds() -> float:
    return asyncio.get_running_loop().time()
