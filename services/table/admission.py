"""What turns a command away before the rules see it, and leaves no record: outages, queues, and too many commands."""

from shared.kernel import Refused
from shared.table import limits

EXPIRED_MICROS = 2_000_000

BUSY = Refused("busy")
EXPIRED = Refused("expired")
HALTED = Refused("stopped")


class Admission:
    """The players' rates at one table, and how often each seat was slowed since the round began."""

    __slots__ = ("_buckets", "_slowed")

    def __init__(self) -> None:
        self._buckets: dict[str, limits.Bucket] = {}
        self._slowed: dict[int, int] = {}

    def refusal(self, player: str, seat: int | None, waited: int, now: int, busy: bool) -> Refused | None:
        """Why a player's command is not decided, which waited so many µs in our queue; None: it is."""
        if waited > EXPIRED_MICROS:
            return EXPIRED
        if busy:
            return BUSY
        bucket = limits.take(self._buckets.get(player, limits.Bucket()), now)
        if bucket is None:
            self.slow(seat)
            return limits.SLOW_DOWN
        self._buckets[player] = bucket
        return None

    def slow(self, seat: int | None) -> None:
        """A command of this seat was too many."""
        if seat is not None:
            self._slowed[seat] = self._slowed.get(seat, 0) + 1

    def round_over(self, seats: int) -> tuple[int, ...] | None:
        """How often each seat was slowed in the round, for its last record; None: nobody was."""
        counts = tuple(self._slowed.get(seat, 0) for seat in range(seats))
        self._slowed.clear()
        return counts if any(counts) else None
