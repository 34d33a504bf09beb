"""The table's clock: the database's time carried on by the monotonic clock. Wall clocks decide nothing."""

from collections.abc import Callable


class TableClock:
    """Times in µs. Never backwards, at most 1 % faster or slower than the monotonic clock."""

    def __init__(self, monotonic: Callable[[], int], on_alarm: Callable[[int], None] | None = None) -> None:
        """`on_alarm` is told by how much (µs) a table's last record was ahead of this clock, when over 1 s."""

    def note(self, database: int, sent: int, received: int) -> None:
        """A renewal read `database` time between the monotonic times `sent` and `received`."""

    @property
    def ready(self) -> bool:
        """Whether database time was ever noted; before, `now` has no meaning."""

    def now(self) -> int:
        """The time now."""

    def at(self, last: int) -> int:
        """The time of a table's next record: max(now, last at); T-LATE: over 1 s ahead, the clock counts on from it."""
