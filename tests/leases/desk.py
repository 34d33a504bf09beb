"""A tenant for tests: it knows what it works on; of all in one room no two may work on one partition."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from shared.leases.port import Leases
from shared.leases.tenancy import Tenancy

PARTITIONS = 16
ALL = frozenset(range(PARTITIONS))


def monotonic() -> int:
    return time.monotonic_ns() // 1_000


@dataclass
class Room:
    """Which desk works on which partition: only whoever lost one, or died, may be followed by another unasked."""

    at_work: dict[int, "Desk"] = field(default_factory=dict)


@dataclass
class Desk:
    """Takes and hands over; `stuck` holds up a hand-over until it is set, `refusing` refuses that many takes."""

    room: Room
    taken: list[int] = field(default_factory=list)
    handed_over: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    refusing: int = 0
    stuck: asyncio.Event | None = None
    dead: bool = False

    async def take(self, partition: int) -> None:
        if self.refusing:
            self.refusing -= 1
            raise ConnectionError
        before = self.room.at_work.get(partition)
        assert before is None or before.dead or before.stuck is not None
        self.room.at_work[partition] = self
        self.taken.append(partition)

    async def hand_over(self, partition: int) -> None:
        if self.stuck is not None:
            await self.stuck.wait()
        if self.room.at_work.get(partition) is self:
            del self.room.at_work[partition]
        self.handed_over.append(partition)

    def lose(self, partition: int) -> None:
        if self.room.at_work.get(partition) is self:
            del self.room.at_work[partition]
        self.lost.append(partition)


@dataclass
class Instance:
    """An instance at work."""

    name: str
    desk: Desk
    leases: Leases
    tenancy: Tenancy
    task: asyncio.Task[None]

    @property
    def holds(self) -> frozenset[int]:
        """What it may speak for now."""
        return frozenset(p for p in ALL if self.tenancy.holds(p))

    async def crash(self) -> None:
        """What kill -9 does: its loop and its sessions are gone."""
        self.desk.dead = True
        self.task.cancel()
        with suppress(asyncio.CancelledError):
            await self.task
        await self.leases.close()


@asynccontextmanager
async def working(
    leases: Leases, name: str, desk: Desk, on_time: Callable[[int, int, int], None] | None = None
) -> AsyncIterator[Instance]:
    """An instance whose loop runs; an error of the loop fails the test."""
    tenancy = Tenancy(leases, name, "table", desk, PARTITIONS, monotonic, on_time)
    instance = Instance(name, desk, leases, tenancy, asyncio.create_task(tenancy.run()))
    try:
        yield instance
    finally:
        instance.task.cancel()
        with suppress(asyncio.CancelledError):
            await instance.task
