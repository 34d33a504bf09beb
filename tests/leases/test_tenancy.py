"""Instances share the partitions: who joins, leaves, crashes, hangs or is fenced; on both adapters."""

import asyncio

import pytest

from shared.leases.rendezvous import shares
from tests.eventlog.waiting import until
from tests.leases.conftest import OpenLeases
from tests.leases.desk import ALL, PARTITIONS, Desk, Instance, Room, working
from tests.rules import case

SHARE = {name: frozenset(p for p, owner in shares(PARTITIONS, "ab").items() if owner == name) for name in "ab"}


@pytest.fixture
def room() -> Room:
    return Room()


def settled(*instances: Instance) -> bool:
    """Every instance speaks for its share of all these."""
    share = shares(PARTITIONS, [instance.name for instance in instances])
    return all(i.holds == {p for p, owner in share.items() if owner == i.name} for i in instances)


async def test_a_lone_instance_takes_everything_that_nobody_has(open_leases: OpenLeases, room: Room) -> None:
    async with working(open_leases("a"), "a", Desk(room)) as a:
        await until(lambda: a.holds == ALL)
        assert sorted(a.desk.taken) == sorted(ALL)
        assert a.tenancy.held == ALL


async def test_who_joins_is_handed_its_share_and_nothing_is_lost(open_leases: OpenLeases, room: Room) -> None:
    async with working(open_leases("a"), "a", Desk(room)) as a:
        await until(lambda: settled(a))
        async with working(open_leases("b"), "b", Desk(room)) as b:
            await until(lambda: settled(a, b))
            assert sorted(a.desk.handed_over) == sorted(b.desk.taken) == sorted(SHARE["b"])
            assert a.desk.lost == []


@case("C-18")
async def test_who_drains_hands_everything_over_and_is_gone(open_leases: OpenLeases, room: Room) -> None:
    leases = open_leases("b")
    async with working(open_leases("a"), "a", Desk(room)) as a, working(leases, "b", Desk(room)) as b:
        await until(lambda: settled(a, b))
        await a.tenancy.drain()
        await a.task
        assert a.holds == a.tenancy.held == frozenset()
        assert SHARE["a"] <= set(a.desk.handed_over)
        assert a.desk.lost == []
        await until(lambda: settled(b))
        assert [lease.instance for lease in [*await leases.live("table"), *await leases.dead("table")]] == ["b"]


@case("C-18")
async def test_the_successor_has_asked_before_who_drains_lets_go(open_leases: OpenLeases, room: Room) -> None:
    book = open_leases("x")
    async with working(open_leases("a"), "a", Desk(room)) as a:
        await until(lambda: settled(a))
        async with working(open_leases("b"), "b", Desk(room)) as b:
            await until(lambda: settled(a, b))
            a.desk.stuck = asyncio.Event()
            draining = asyncio.create_task(a.tenancy.drain())
            await until(lambda: asked(book, SHARE["a"], "b"))
            assert a.holds == SHARE["a"]
            a.desk.stuck.set()
            await draining


async def asked(book, partitions: frozenset[int], asker: str) -> bool:  # type: ignore[no-untyped-def]
    holdings = await book.holdings("table")
    return all(holdings[p].asker == asker for p in partitions)


async def test_who_drains_alone_gives_everything_up_and_the_next_takes_it_at_once(
    open_leases: OpenLeases, room: Room
) -> None:
    book = open_leases("x")
    async with working(open_leases("a"), "a", Desk(room)) as a:
        await until(lambda: settled(a))
        await a.tenancy.drain()
        assert {held.instance for held in (await book.holdings("table")).values()} == {None}
    async with working(open_leases("b"), "b", Desk(room)) as b:
        await until(lambda: settled(b))


async def test_all_may_drain_at_once(open_leases: OpenLeases, room: Room) -> None:
    async with working(open_leases("a"), "a", Desk(room)) as a, working(open_leases("b"), "b", Desk(room)) as b:
        await until(lambda: settled(a, b))
        await asyncio.gather(a.tenancy.drain(), b.tenancy.drain())
        assert room.at_work == {}


@case("C-06")
async def test_what_a_crashed_instance_had_is_taken(open_leases: OpenLeases, room: Room) -> None:
    async with working(open_leases("a"), "a", Desk(room)) as a, working(open_leases("b"), "b", Desk(room)) as b:
        await until(lambda: settled(a, b))
        given = list(b.desk.handed_over)  # what it had if it was the first of the two
        await a.crash()
        await until(lambda: settled(b))
        assert (b.desk.lost, b.desk.handed_over) == ([], given)


@case("C-06")
async def test_who_starts_after_a_crash_judges_only_after_four_renewals(open_leases: OpenLeases, room: Room) -> None:
    async with working(open_leases("a"), "a", Desk(room)) as a:
        await until(lambda: settled(a))
        await a.crash()
    leases = Counting(open_leases("b"))
    async with working(leases, "b", Desk(room)) as b:  # type: ignore[arg-type]
        await until(lambda: bool(b.desk.taken))
        assert leases.renewals >= 4
        await until(lambda: settled(b))


class Counting:
    """Leases whose renewals are counted."""

    def __init__(self, leases) -> None:  # type: ignore[no-untyped-def]
        self._leases = leases
        self.renewals = 0

    async def renew(self, instance: str, role: str, leaving: bool = False) -> int:
        self.renewals += 1
        renewed: int = await self._leases.renew(instance, role, leaving)
        return renewed

    def __getattr__(self, name: str) -> object:
        return getattr(self._leases, name)


@pytest.mark.slow
async def test_from_whom_is_asked_and_does_not_answer_it_is_taken_all_the_same(
    open_leases: OpenLeases, room: Room
) -> None:
    async with working(open_leases("a"), "a", Desk(room, stuck=asyncio.Event())) as a:
        await until(lambda: settled(a))
        async with working(open_leases("b"), "b", Desk(room)) as b:
            await until(lambda: b.holds == SHARE["b"])
            assert a.desk.handed_over == []
            assert a.desk.stuck is not None
            a.desk.stuck.set()
            await until(lambda: settled(a, b))


async def test_a_takeover_that_the_database_does_not_let_happen_is_tried_again(
    open_leases: OpenLeases, room: Room
) -> None:
    async with working(open_leases("a"), "a", Desk(room, refusing=20)) as a:
        await until(lambda: settled(a))
        assert a.desk.refusing == 0


async def test_a_bug_of_the_tenant_ends_the_loop(open_leases: OpenLeases, room: Room) -> None:
    class Broken(Desk):
        async def take(self, partition: int) -> None:
            raise KeyError(partition)

    with pytest.raises(KeyError):
        async with working(open_leases("a"), "a", Broken(room)) as a:
            await a.task


@case("C-15")
async def test_who_does_not_renew_says_nothing_when_its_lease_is_over_and_goes_on_when_nothing_moved(
    open_leases: OpenLeases, room: Room
) -> None:
    async with working(open_leases("a"), "a", Desk(room)) as a:
        await until(lambda: settled(a))
        a.task.cancel()
        await until(lambda: a.holds == frozenset())
        assert a.tenancy.held == ALL
        a.task = asyncio.create_task(a.tenancy.run())
        await until(lambda: settled(a))
        assert len(a.desk.taken) == PARTITIONS
        assert a.desk.lost == []


@case("C-15")
async def test_who_was_paused_says_nothing_before_it_has_seen_what_moved(open_leases: OpenLeases, room: Room) -> None:
    spoke: list[bool] = []
    async with working(open_leases("a"), "a", Desk(room), lambda *_: spoke.append(a.tenancy.holds(5))) as a:
        await until(lambda: settled(a))
        a.task.cancel()
        await until(lambda: a.holds == frozenset())
        assert await open_leases("x").claim("table", 5, "x", "a")
        spoke.clear()
        a.task = asyncio.create_task(a.tenancy.run())
        await until(lambda: a.desk.lost == [5])
        assert spoke
        assert not any(spoke)


@case("C-15")
async def test_who_is_fenced_loses_the_partition_and_may_take_it_anew(open_leases: OpenLeases, room: Room) -> None:
    async with working(open_leases("a"), "a", Desk(room)) as a:
        await until(lambda: settled(a))
        a.tenancy.fenced(5)
        assert a.desk.lost == [5]
        assert not a.tenancy.holds(5)
        await until(lambda: settled(a))
        assert a.desk.taken.count(5) == 2


@case("C-15")
async def test_who_is_fenced_while_it_takes_a_partition_does_not_hold_it(open_leases: OpenLeases, room: Room) -> None:
    class Fenced(Desk):
        async def take(self, partition: int) -> None:
            await super().take(partition)
            if self.taken.count(5) == 1 and partition == 5:
                a.tenancy.fenced(5)

    async with working(open_leases("a"), "a", Fenced(room)) as a:
        await until(lambda: a.desk.lost == [5])
        await until(lambda: settled(a))
        assert a.desk.taken.count(5) == 2


@case("C-15")
async def test_who_sees_that_another_has_its_partition_loses_it(open_leases: OpenLeases, room: Room) -> None:
    async with working(open_leases("a"), "a", Desk(room)) as a:
        await until(lambda: settled(a))
        assert await open_leases("x").claim("table", 5, "x", "a")
        await until(lambda: a.desk.lost == [5])
        assert not a.tenancy.holds(5)
