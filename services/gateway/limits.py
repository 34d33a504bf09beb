"""How often someone may do something at this gateway. Memory is bounded: who has been quiet is forgotten."""

from collections.abc import Callable

SWEEP_SIZE = 10_000


class Meters:
    """`count` times in `seconds`, all at once if they like, for each key (an address or a player)."""

    def __init__(self, count: int, seconds: float, clock: Callable[[], float]) -> None:
        self._step = seconds / count
        self._burst = seconds - self._step / 2
        self._clock = clock
        self._full_at: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._full_at)

    def spent(self, key: str) -> bool:
        """Whether nothing is left for this key now."""
        return self._full_at.get(key, 0.0) - self._clock() > self._burst

    def take(self, key: str) -> bool:
        """Take one; False (and nothing is taken) if none is left."""
        now = self._clock()
        full_at = max(self._full_at.get(key, 0.0), now)
        if full_at - now > self._burst:
            return False
        if len(self._full_at) >= SWEEP_SIZE and key not in self._full_at:
            self._sweep(now)
        self._full_at[key] = full_at + self._step
        return True

    def _sweep(self, now: float) -> None:
        self._full_at = {key: at for key, at in self._full_at.items() if at > now}
