"""How fast a player may send (T-LIMIT-1): a bucket of tokens that fills with time."""

BURST = 40
PER_SECOND = 20
_TOKEN_MICROS = 1_000_000 // PER_SECOND


class Bucket:
    """Full at first. It keeps the time at which it would be full again, which is all there is to know."""

    __slots__ = ("_full_at",)

    def __init__(self) -> None:
        self._full_at = 0

    def take(self, now: int) -> bool:
        """Take a token at `now` (µs); False when there is none, and then nothing is taken."""
        full_at = max(self._full_at, now) + _TOKEN_MICROS
        if full_at - now > BURST * _TOKEN_MICROS:
            return False
        self._full_at = full_at
        return True
