"""What a service that works on partitions does when one comes or goes."""

from typing import Protocol


class Tenant(Protocol):
    """The table's handler, or scoring. For one partition `take` and `hand_over` never overlap; `lose` may come in
    the middle of a `hand_over`."""

    async def take(self, partition: int) -> None:
        """Begin: take the partition's epoch, load its heads. A ConnectionError is tried again; all else is a bug."""

    async def hand_over(self, partition: int) -> None:
        """Stop: accept nothing more, finish what is queued, forget the partition. Afterwards another may take it."""

    def lose(self, partition: int) -> None:
        """Another has it already: forget everything of it, answer nothing."""
