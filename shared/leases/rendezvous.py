"""Which instance should have which partition: rendezvous hashing, pure. Who knows the same instances says the same."""

from collections.abc import Iterable, Mapping
from hashlib import sha256


def owner_of(partition: int, instances: Iterable[str]) -> str | None:
    """The instance with the highest weight for the partition; None if there is none.

    When an instance joins or leaves, only partitions that go to it or come from it move.
    """
    return max(instances, key=lambda instance: _weight(partition, instance), default=None)


def shares(partitions: int, instances: Iterable[str]) -> Mapping[int, str]:
    """Partition -> instance for all partitions; empty if there is no instance."""
    known = sorted(set(instances))
    return {p: owner for p in range(partitions) if (owner := owner_of(p, known)) is not None}


def _weight(partition: int, instance: str) -> tuple[bytes, str]:
    return sha256(f"{partition}/{instance}".encode()).digest(), instance
