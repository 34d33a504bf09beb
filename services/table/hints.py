"""Tells scoring in which partitions there is something new to read. Hints get lost; scoring looks by itself too."""

from shared.bus import subjects
from shared.bus.port import Bus


class Hints:
    """A stopped round is told at once; what only the lobby shows can wait a moment."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._waiting: set[int] = set()

    def now(self, partition: int) -> None:
        """Look at once."""
        self._waiting.discard(partition)
        self._bus.publish(subjects.stopped(partition), b"")

    def soon(self, partition: int) -> None:
        """Look with the next `send_waiting`."""
        self._waiting.add(partition)

    def send_waiting(self) -> None:
        """Send what waited."""
        for partition in tuple(self._waiting):
            self.now(partition)
