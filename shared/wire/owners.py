"""Who owns which partition, and under which epoch: heard from announcements, else asked for. A hint, never truth."""

from collections.abc import Callable

from shared.bus import subjects
from shared.bus.port import Bus
from shared.wire.messages import Owner, Who, encode

ASK_SECONDS = 0.1

Moved = Callable[[int, int], None]
"""(partition, epoch): this partition has an owner that was not known before."""


class Owners:
    """The owners as one listener knows them. `clock` is monotonic, in seconds."""

    def __init__(self, bus: Bus, instance: str, clock: Callable[[], float]) -> None:
        self._bus = bus
        self._clock = clock
        self._who = encode(Who(instance))
        self._epochs: dict[int, int] = {}
        self._lost: dict[int, int] = {}
        self._asked: dict[int, float] = {}
        self._moved: list[Moved] = []

    def on_moved(self, moved: Moved) -> None:
        """Call back whenever a partition gets an owner: a newer epoch, or one found again."""
        self._moved.append(moved)

    def epoch(self, partition: int) -> int | None:
        """The epoch of a partition's owner; None while none is known, and then one is asked for."""
        epoch = self._epochs.get(partition)
        if epoch is None:
            self.ask(partition)
        return epoch

    def ask(self, partition: int) -> None:
        """Ask who owns a partition, at most every 100 ms."""
        now = self._clock()
        if now - self._asked.get(partition, -ASK_SECONDS) >= ASK_SECONDS:
            self._asked[partition] = now
            self._bus.publish(subjects.who(partition), self._who)

    def lost(self, partition: int) -> None:
        """Nobody listens at the owner we know: forget it and ask."""
        epoch = self._epochs.pop(partition, None)
        if epoch is not None:
            self._lost[partition] = epoch
            self.ask(partition)

    def heard(self, owner: Owner) -> None:
        """An owner announced its partitions; an older epoch than the known one is not believed."""
        for partition, epoch in owner.partitions:
            if epoch > self._epochs.get(partition, self._lost.get(partition, 0) - 1):
                self._epochs[partition] = epoch
                self._lost.pop(partition, None)
                for moved in self._moved:
                    moved(partition, epoch)
