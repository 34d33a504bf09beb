"""The memory adapters of log and leases behind a network that delays and fails: each statement takes time, may never
arrive, or be carried out and its answer lost. An append on its way is carried out even if its sender dies meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any, TypeVar

from shared.eventlog.memory import MemoryEventLog
from shared.eventlog.port import AppendFailed, Commit, Entry, Head, Outcome, Row, StoredRow, Tenure, Unreachable
from shared.leases.memory import MemoryLeases
from shared.leases.port import Holding, Lease, LeaseLost
from tests.simulation.weather import Weather

T = TypeVar("T")


async def through(
    weather: Weather,
    service: str,
    statement: Callable[[], Awaitable[T]],
    lost: Callable[[str], Exception],
    sure: bool = False,
) -> T:
    """A statement there, and its answer back. `sure`: who asked it may be gone before it is carried out."""
    if not await weather.database(service):
        raise lost("the statement did not arrive")
    answer = await (asyncio.shield(_carried_out(weather, service, statement)) if sure else statement())
    if not await weather.database(service):
        raise lost("the answer did not arrive")
    return answer


_under_way: set["asyncio.Task[Any]"] = set()


def _carried_out(weather: Weather, service: str, statement: Callable[[], Awaitable[T]]) -> "asyncio.Task[T]":
    async def carry_out() -> T:
        await weather.database(service)
        return await statement()

    task = asyncio.create_task(carry_out())
    _under_way.add(task)
    task.add_done_callback(_under_way.discard)
    return task


class DistantLog:
    """The EventLog port."""

    def __init__(self, log: MemoryEventLog, weather: Weather, service: str) -> None:
        self._log, self._weather, self._service = log, weather, service

    async def append(self, owner: str, entries: Sequence[Entry]) -> Mapping[int, Outcome]:
        return await through(
            self._weather, self._service, lambda: self._log.append(owner, entries), AppendFailed, sure=True
        )

    async def take(self, owner: str, partition: int) -> Tenure:
        return await self._ask(lambda: self._log.take(owner, partition))

    async def tenure(self, partition: int) -> Tenure | None:
        return await self._ask(lambda: self._log.tenure(partition))

    async def ends(self) -> Mapping[int, int]:
        return await self._ask(self._log.ends)

    async def heads(self, partition: int) -> Sequence[Head]:
        return await self._ask(lambda: self._log.heads(partition))

    async def table_rows(self, table_id: str, first_version: int = 1, last_version: int | None = None) -> Sequence[Row]:
        return await self._ask(lambda: self._log.table_rows(table_id, first_version, last_version))

    async def round_rows(self, table_id: str, round: int) -> Sequence[Row]:
        return await self._ask(lambda: self._log.round_rows(table_id, round))

    async def partition_rows(
        self, partition: int, after: int = 0, batch: int = 500
    ) -> AsyncIterator[Sequence[StoredRow]]:
        async for rows in self._log.partition_rows(partition, after, batch):
            if not await self._weather.database(self._service):
                raise Unreachable("the rows did not arrive")
            yield rows

    async def commit_of(self, table_id: str, version: int) -> Commit | None:
        return await self._ask(lambda: self._log.commit_of(table_id, version))

    async def commits_of(self, table_id: str, first_version: int, last_version: int) -> Sequence[tuple[int, Commit]]:
        return await self._ask(lambda: self._log.commits_of(table_id, first_version, last_version))

    async def tables(self, partition: int) -> Sequence[str]:
        return await self._ask(lambda: self._log.tables(partition))

    async def close(self) -> None:
        return None

    async def _ask(self, statement: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return await through(self._weather, self._service, statement, Unreachable)


class DistantLeases:
    """The Leases port."""

    def __init__(self, leases: MemoryLeases, weather: Weather, service: str) -> None:
        self._leases, self._weather, self._service = leases, weather, service

    async def renew(self, instance: str, role: str, leaving: bool = False) -> int:
        return await self._ask(lambda: self._leases.renew(instance, role, leaving))

    async def live(self, role: str) -> Sequence[Lease]:
        return await self._ask(lambda: self._leases.live(role))

    async def dead(self, role: str) -> Sequence[Lease]:
        return await self._ask(lambda: self._leases.dead(role))

    async def release(self, instance: str) -> None:
        await self._ask(lambda: self._leases.release(instance))

    async def holdings(self, role: str) -> Mapping[int, Holding]:
        return await self._ask(lambda: self._leases.holdings(role))

    async def ask(self, role: str, partitions: Sequence[int], instance: str) -> None:
        await self._ask(lambda: self._leases.ask(role, partitions, instance))

    async def claim(self, role: str, partition: int, instance: str, held_by: str | None) -> bool:
        return await self._ask(lambda: self._leases.claim(role, partition, instance, held_by))

    async def hand_over(self, role: str, partition: int, instance: str) -> None:
        await self._ask(lambda: self._leases.hand_over(role, partition, instance))

    async def close(self) -> None:
        await self._leases.close()

    async def _ask(self, statement: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return await through(self._weather, self._service, statement, LeaseLost)
