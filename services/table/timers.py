"""When which table is due: one heap and one timer for all tables of a process."""

import asyncio
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import count

SLEEP_SECONDS_MAX = 1.0
"""The clock is slewed while we sleep, so look again at least this often."""
STALE_MAX = 1_000
"""A turn's end is set anew with every request: more times than this that no longer hold are thrown out."""


class Timers:
    """Calls back what is due, late by no more than the event loop. Setting a key again replaces its time."""

    def __init__(self, now: Callable[[], int], fire: Callable[[str], None]) -> None:
        """`now` in µs on the clock of the due times; `fire` gets the key."""
        self._now = now
        self._fire = fire
        self._due: dict[str, int] = {}
        self._heap: list[tuple[int, int, str]] = []
        self._serial = count()
        self._handle: asyncio.TimerHandle | None = None
        self._wake_at = 0

    def set(self, key: str, at: int | None) -> None:
        """Be called back about `key` at `at` (µs); None: not at all."""
        if at is None:
            self._due.pop(key, None)
        elif self._due.get(key) != at:
            self._due[key] = at
            heappush(self._heap, (at, next(self._serial), key))
            if len(self._heap) > STALE_MAX + 2 * len(self._due):
                self._heap = [(due, next(self._serial), one) for one, due in self._due.items()]
                heapify(self._heap)
            self._schedule()

    def _schedule(self) -> None:
        if not self._heap:
            return
        at = self._heap[0][0]
        if self._handle is not None:
            if at >= self._wake_at:
                return
            self._handle.cancel()
        self._wake_at = at
        delay = min(max(0, at - self._now()) / 1_000_000, SLEEP_SECONDS_MAX)
        self._handle = asyncio.get_running_loop().call_later(delay, self._run)

    def _run(self) -> None:
        self._handle = None
        now = self._now()
        try:
            while self._heap and self._heap[0][0] <= now:
                at, _, key = heappop(self._heap)
                if self._due.get(key) == at:
                    del self._due[key]
                    self._fire(key)
        finally:
            self._schedule()  # also when one fails: the others are due all the same
