"""The table's clock: the database's time carried on by the monotonic clock. Wall clocks decide nothing."""

from collections.abc import Callable

_SLEW = 100  # one part in a hundred
_AHEAD_MICROS_MAX = 1_000_000


class TableClock:
    """Times in µs. Never backwards; at most 1 % faster or slower than the monotonic clock, but for the jump of `at`."""

    def __init__(self, monotonic: Callable[[], int], on_alarm: Callable[[int], None] | None = None) -> None:
        """`on_alarm` is told by how much (µs) a table's last record was ahead of this clock, when over 1 s."""
        self._monotonic = monotonic
        self._on_alarm = on_alarm
        self._since = monotonic()
        self._base: int | None = None
        self._error = 0

    def note(self, database: int, sent: int, received: int) -> None:
        """A renewal read `database` time between the monotonic times `sent` and `received`.

        The first one sets the clock; by later ones it is slewed.
        """
        measured = database + (received - sent) // 2 + (self._monotonic() - received)
        self._set(measured if self._base is None else self.now())
        self._error = measured - self.now()

    @property
    def ready(self) -> bool:
        """Whether database time was ever noted; before, `now` has no meaning."""
        return self._base is not None

    def now(self) -> int:
        """The time now."""
        assert self._base is not None, "database time was never noted"
        passed = self._monotonic() - self._since
        slew = min(abs(self._error), passed // _SLEW)
        return self._base + passed + (slew if self._error > 0 else -slew)

    def at(self, last: int) -> int:
        """The time of a table's next record: max(now, last at). Over 1 s ahead, the clock counts on from `last`."""
        now = self.now()
        if last - now > _AHEAD_MICROS_MAX:
            self._set(last)
            if self._on_alarm is not None:
                self._on_alarm(last - now)
        return max(now, last)

    def _set(self, time: int) -> None:
        self._base, self._since, self._error = time, self._monotonic(), 0
