"""What all leases promise, on the memory adapter and on a real Postgres."""

import asyncio
from collections.abc import Sequence

from shared.leases.port import LEASE_MICROS, Holding, Lease, Leases
from tests.eventlog.waiting import until
from tests.leases.conftest import OpenLeases


def names(leases: Sequence[Lease]) -> list[str]:
    return sorted(lease.instance for lease in leases)


async def test_a_renewal_tells_the_time_and_holds_for_a_second(open_leases: OpenLeases) -> None:
    leases = open_leases("a")
    first = await leases.renew("a", "table")
    (lease,) = await leases.live("table")
    assert (lease.instance, lease.role, lease.leaving) == ("a", "table", False)
    assert lease.expires_at == first + LEASE_MICROS
    assert await leases.renew("a", "table") > first


async def test_roles_do_not_see_each_other(open_leases: OpenLeases) -> None:
    leases = open_leases("a")
    await leases.renew("a", "table")
    await open_leases("s").renew("s", "scoring")
    assert names(await leases.live("table")) == ["a"]
    assert names(await leases.live("scoring")) == ["s"]


async def test_who_leaves_says_so_and_who_is_released_is_gone(open_leases: OpenLeases) -> None:
    leases = open_leases("a")
    await leases.renew("a", "table", leaving=True)
    assert [lease.leaving for lease in await leases.live("table")] == [True]
    await leases.release("a")
    assert await leases.live("table") == await leases.dead("table") == []


async def test_a_lease_that_is_not_renewed_runs_out_and_may_be_taken_up_again(open_leases: OpenLeases) -> None:
    leases = open_leases("a")
    await leases.renew("a", "table")
    await until(lambda: is_dead(leases, "a"))
    assert await leases.live("table") == []
    await leases.renew("a", "table")
    assert names(await leases.live("table")) == ["a"]


async def test_a_crash_is_seen_before_the_lease_is_over(open_leases: OpenLeases) -> None:
    crashing, watching = open_leases("a"), open_leases("b")
    renewed = await crashing.renew("a", "table")
    await crashing.close()
    await until(lambda: is_dead(watching, "a"))
    (lease,) = await watching.dead("table")
    assert lease.expires_at == renewed + LEASE_MICROS
    assert await watching.renew("b", "table") < lease.expires_at


async def test_who_comes_back_on_a_new_session_lives_again(open_leases: OpenLeases) -> None:
    leases = open_leases("a")
    await leases.renew("a", "table")
    (before,) = await leases.live("table")
    await leases.close()
    await leases.renew("a", "table")
    (after,) = await leases.live("table")
    assert after.backend != before.backend


async def test_a_partition_is_claimed_only_from_whom_one_believes_it_to_be(open_leases: OpenLeases) -> None:
    leases = open_leases("a")
    assert await leases.claim("table", 3, "a", None)
    assert not await leases.claim("table", 3, "b", None)
    assert await leases.claim("table", 3, "b", "a")
    assert await leases.holdings("table") == {3: Holding("b")}
    assert await leases.holdings("scoring") == {}


async def test_of_many_that_claim_at_once_one_succeeds(open_leases: OpenLeases) -> None:
    instances = [f"i{i}" for i in range(5)]
    claimed = await asyncio.gather(*(open_leases(name).claim("table", 3, name, None) for name in instances))
    assert claimed.count(True) == 1
    held = (await open_leases("x").holdings("table"))[3]
    assert held == Holding(instances[claimed.index(True)])


async def test_a_holder_is_asked_hands_over_and_another_claims(open_leases: OpenLeases) -> None:
    leases = open_leases("a")
    await leases.claim("table", 3, "a", None)
    await leases.ask("table", [3, 4], "b")
    await leases.ask("table", [3], "c")
    assert await leases.holdings("table") == {3: Holding("a", "c"), 4: Holding(None, "b")}
    await leases.hand_over("table", 3, "b")
    assert (await leases.holdings("table"))[3] == Holding("a", "c")
    await leases.hand_over("table", 3, "a")
    assert (await leases.holdings("table"))[3] == Holding(None, "c")
    assert await leases.claim("table", 3, "c", None)
    assert (await leases.holdings("table"))[3] == Holding("c")


async def is_dead(leases: Leases, instance: str) -> bool:
    return instance in names(await leases.dead("table"))
