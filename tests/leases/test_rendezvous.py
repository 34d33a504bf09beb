"""Who should have which partition."""

from collections import Counter

from shared.leases.rendezvous import owner_of, shares

INSTANCES = ["a", "b", "c", "d"]


def test_everyone_says_the_same_whatever_order_they_know_the_instances_in() -> None:
    assert shares(64, INSTANCES) == shares(64, [*reversed(INSTANCES), "a"])


def test_every_partition_has_an_owner_and_every_instance_a_fair_share() -> None:
    share = shares(6_400, INSTANCES)
    assert sorted(share) == list(range(6_400))
    assert all(1_450 < count < 1_750 for count in Counter(share.values()).values())


def test_when_one_joins_partitions_move_to_it_alone() -> None:
    before, after = shares(64, INSTANCES), shares(64, [*INSTANCES, "e"])
    assert {after[p] for p in after if after[p] != before[p]} == {"e"}


def test_when_one_leaves_only_its_partitions_move() -> None:
    before, after = shares(64, INSTANCES), shares(64, ["a", "b", "d"])
    assert {before[p] for p in after if after[p] != before[p]} == {"c"}


def test_nobody_owns_anything_where_nobody_is() -> None:
    assert shares(64, []) == {}
    assert owner_of(3, []) is None
