"""Scoring's share of the partitions, as the Tenant of the role "scoring": one task a partition."""

import asyncio
from collections.abc import Callable, Mapping

from services.scoring import metrics
from services.scoring.work import Work


class Scorer:
    """Nothing of it must survive: the log and the projections do. `new_work` makes the work on a partition."""

    def __init__(self, new_work: Callable[[int], Work]) -> None:
        self._new_work = new_work
        self._work: dict[int, tuple[Work, asyncio.Task[None]]] = {}

    @property
    def partitions(self) -> tuple[int, ...]:
        """What is worked on here, in order."""
        return tuple(sorted(self._work))

    async def take(self, partition: int) -> None:
        """Begin on a partition. Scoring writes no records: what fences it is the projections' position."""
        work = self._new_work(partition)
        self._work[partition] = work, asyncio.create_task(work.run(), name=f"partition {partition}")

    async def hand_over(self, partition: int) -> None:
        """Stop working on it."""
        work = self._work.pop(partition, None)
        if work is not None:
            work[1].cancel()
            await asyncio.wait((work[1],))

    def lose(self, partition: int) -> None:
        """Another has it: stop."""
        work = self._work.pop(partition, None)
        if work is not None:
            work[1].cancel()

    def hint(self, partition: int) -> None:
        """There is something to read."""
        work = self._work.get(partition)
        if work is not None:
            work[0].hint.set()

    def look(self, ends: Mapping[int, int]) -> None:
        """Where each partition ends."""
        for partition, (work, _) in self._work.items():
            work.look(ends.get(partition, 0))

    def check(self) -> None:
        """Raise what ended a partition's work: that is a bug, and the process must not go on without it."""
        metrics.WAITING.set(sum(work.waiting for work, _ in self._work.values()))
        for _, task in self._work.values():
            if task.done():
                task.result()
