"""Commands on their way to tables, sent again until a verdict comes: the only retry loop there is for them."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from shared.bus import subjects
from shared.bus.port import Bus
from shared.eventlog.port import partition_of
from shared.wire.messages import Answer, Envelope, encode
from shared.wire.owners import Owners

RESEND_SECONDS = 0.3
GIVE_UP_SECONDS = 5.0
TICK_SECONDS = 0.05

Outcome = Callable[[bytes | None], None]
"""Called once: the verdict's JSON, or None when none came in time (the same id may be sent again)."""


@dataclass(slots=True, eq=False)
class Pending:
    """One command without a verdict yet, and everyone who waits for it."""

    envelope: Envelope
    payload: bytes
    partition: int
    began: float
    waiting: list[Outcome] = field(default_factory=list)
    done: bool = False


class Courier:
    """Sends for one listener `instance`, as one `kind` of sender. `clock` is monotonic, in seconds."""

    def __init__(
        self, bus: Bus, owners: Owners, instance: str, kind: subjects.Kind, clock: Callable[[], float]
    ) -> None:
        self._bus = bus
        self._owners = owners
        self._kind = kind
        self._clock = clock
        self._lost = subjects.to(instance, "lost")
        self._pending: dict[tuple[str, str], Pending] = {}
        self._by_partition: dict[int, dict[Pending, None]] = {}
        self._again: deque[tuple[float, Pending]] = deque()
        self._ways: dict[int, tuple[int, str, str]] = {}  # partition -> its epoch, where to, and where a loss is told
        self.sent = self.resent = self.given_up = 0  # counts since the start, for metrics
        owners.on_moved(self._moved)
        bus.on_no_responders(self._no_responders)

    def __len__(self) -> int:
        return len(self._pending)

    def send(self, envelope: Envelope, outcome: Outcome) -> bool:
        """Send a command; whoever sends the same again meanwhile gets the same verdict.

        False: another command of this player is on its way under this id, and `outcome` will not be called (T-ID-1).
        """
        key = envelope.player, envelope.id
        pending = self._pending.get(key)
        if pending is not None:
            if pending.envelope.table != envelope.table or pending.envelope.command != envelope.command:
                return False
            pending.waiting.append(outcome)
            return True
        now = self._clock()
        pending = Pending(envelope, encode(envelope), partition_of(envelope.table), now, [outcome])
        self._pending[key] = pending
        self._by_partition.setdefault(pending.partition, {})[pending] = None
        self._again.append((now + RESEND_SECONDS, pending))
        self.sent += 1
        self._publish(pending)
        return True

    def answered(self, answer: Answer) -> None:
        """A verdict came; one that nobody waits for (it came twice) is dropped."""
        pending = self._pending.get((answer.player, answer.id))
        if pending is not None:
            self._finish(pending, answer.verdict)

    def tick(self) -> None:
        """Send again what is due, give up what is too old."""
        now = self._clock()
        while self._again and self._again[0][0] <= now:
            _, pending = self._again.popleft()
            if pending.done:
                continue
            if now - pending.began >= GIVE_UP_SECONDS:
                self.given_up += 1
                self._finish(pending, None)
            else:
                self._again.append((now + RESEND_SECONDS, pending))
                self.resent += 1
                self._publish(pending)

    async def run(self) -> None:
        """Tick until cancelled."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self.tick()

    def _publish(self, pending: Pending) -> None:
        partition = pending.partition
        epoch = self._owners.epoch(partition)
        if epoch is None:
            return
        way = self._ways.get(partition)
        if way is None or way[0] != epoch:
            subject = subjects.command(partition, epoch, self._kind)
            way = self._ways[partition] = epoch, subject, f"{self._lost}.{partition}.{epoch}"
        self._bus.publish(way[1], pending.payload, way[2])

    def _finish(self, pending: Pending, verdict: bytes | None) -> None:
        pending.done = True
        del self._pending[pending.envelope.player, pending.envelope.id]
        self._by_partition[pending.partition].pop(pending)
        for outcome in pending.waiting:
            outcome(verdict)

    def _moved(self, partition: int, epoch: int) -> None:
        for pending in tuple(self._by_partition.get(partition, ())):
            if not pending.done:
                self._publish(pending)

    def _no_responders(self, reply: str) -> None:
        head, _, epoch = reply.rpartition(".")
        head, _, partition = head.rpartition(".")
        if head == self._lost and self._owners.epoch(int(partition)) == int(epoch):
            self._owners.lost(int(partition))
