"""Keeps one instance's lease and its share of the partitions of one role: takes, hands over, and loses them.

It knows no log: whoever takes a partition in `Tenant.take` fences its writers there (`EventLog.take`).
"""

from collections.abc import Callable
from typing import Protocol

from shared.leases.port import Leases


class Tenant(Protocol):
    """Who works on the partitions: the table's handler, or scoring. At most one call a partition runs at a time."""

    async def take(self, partition: int) -> None:
        """Begin: take the partition's epoch, load its heads. A ConnectionError: tried again; anything else is a bug."""

    async def hand_over(self, partition: int) -> None:
        """Stop: accept nothing more, finish what is queued, forget the partition. Afterwards another may take it."""

    def lose(self, partition: int) -> None:
        """Another has it already: forget everything of it, answer nothing."""


class Tenancy:
    """The loop of one instance in one role."""

    def __init__(
        self,
        leases: Leases,
        instance: str,
        role: str,
        tenant: Tenant,
        partitions: int,
        monotonic: Callable[[], int],
        on_time: Callable[[int, int, int], None] | None = None,
    ) -> None:
        """`instance` is unique to this process; `role` is "table" or "scoring"; `monotonic` gives µs.

        `on_time(database, sent, received)` gets each renewal's database time with the own monotonic times around it
        (TableClock.note).
        """

    def holds(self, partition: int) -> bool:
        """Whether this instance may speak for the partition now: taken here, and the lease not over. No I/O."""

    @property
    def held(self) -> frozenset[int]:
        """The partitions taken here, whether or not the lease holds at this moment."""

    def fenced(self, partition: int) -> None:
        """The log has refused a write here: another has the partition. Calls `Tenant.lose`."""

    async def run(self) -> None:
        """Renew, take and hand over until `drain` is done or the task is cancelled."""

    async def drain(self) -> None:
        """Hand everything over at once (SIGTERM): returns when nothing is held and the lease is released."""
