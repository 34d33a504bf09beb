"""The bus within one process: for the simulation and for a table in one terminal. A network decides each message's
fate, so that loss, delay, doubling and reordering can be had on purpose; by default every message arrives once."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import count

from shared.bus.matching import matches
from shared.bus.port import Callback, NoResponders

Fate = Callable[[str, str, str, bytes], Sequence[float]]
"""(publisher, receiver, subject, payload) -> the delay in seconds of each copy that arrives; empty: lost."""


def arrives(_publisher: str, _receiver: str, _subject: str, _payload: bytes) -> Sequence[float]:
    """Every message, once, at once."""
    return (0.0,)


class MemoryNetwork:
    """What the buses of one process are connected to."""

    def __init__(self, fate: Fate = arrives) -> None:
        self.fate = fate
        self._members: list[MemoryBus] = []
        self._turns = count()

    def join(self, name: str) -> "MemoryBus":
        """A connected bus; `name` is what `fate` is told."""
        bus = MemoryBus(self, name)
        self._members.append(bus)
        return bus

    def leave(self, bus: "MemoryBus") -> None:
        """Forget a closed bus."""
        self._members = [member for member in self._members if member is not bus]

    def send(self, publisher: "MemoryBus", subject: str, payload: bytes, reply: str | None) -> bool:
        """Deliver to every subscription that matches and to one of each queue group; whether there was any."""
        hearing = [sub for bus in self._members if bus.connected for sub in bus.subscriptions if sub.hears(subject)]
        chosen = [sub for sub in hearing if sub.queue is None]
        for queue in dict.fromkeys(sub.queue for sub in hearing if sub.queue is not None):
            group = [sub for sub in hearing if sub.queue == queue]
            chosen.append(group[next(self._turns) % len(group)])
        for sub in chosen:
            for delay in self.fate(publisher.name, sub.bus.name, subject, payload):
                _later(delay, sub.deliver, subject, payload, reply)
        return bool(hearing)


class MemorySubscription:
    """One subscription of a memory bus."""

    def __init__(self, bus: "MemoryBus", pattern: str, callback: Callback, queue: str | None) -> None:
        self.bus = bus
        self.queue = queue
        self._pattern = pattern
        self._callback = callback
        self._running = True

    def hears(self, subject: str) -> bool:
        """Whether a message on this subject is for it."""
        return self._running and matches(self._pattern, subject)

    def deliver(self, subject: str, payload: bytes, reply: str | None) -> None:
        """Call back, unless it stopped or its bus lost the network meanwhile."""
        if self._running and self.bus.connected:
            self._callback(subject, payload, reply)

    async def stop(self) -> None:
        """No callback runs after this returns."""
        self._running = False
        if self in self.bus.subscriptions:
            self.bus.subscriptions.remove(self)


class MemoryBus:
    """One member of a memory network."""

    def __init__(self, network: MemoryNetwork, name: str) -> None:
        self.name = name
        self.subscriptions: list[MemorySubscription] = []
        self.dropped = 0
        self._network = network
        self._connected = True
        self._unheard: list[Callable[[str], None]] = []
        self._requests = count(1)

    @property
    def connected(self) -> bool:
        """Whether messages can be sent now."""
        return self._connected

    def cut(self) -> None:
        """Lose the network: what is published is dropped, what is under way does not arrive."""
        self._connected = False

    def heal(self) -> None:
        """Have it back, with all subscriptions."""
        self._connected = True

    def publish(self, subject: str, payload: bytes, reply: str | None = None) -> None:
        """Send without waiting; dropped (and counted) while disconnected."""
        if not self._connected:
            self.dropped += 1
            return
        if self._network.send(self, subject, payload, reply) or reply is None:
            return
        if any(sub.hears(reply) for sub in self.subscriptions):  # as NATS: only who listens for the reply is told
            for callback in self._unheard:
                asyncio.get_running_loop().call_soon(callback, reply)

    async def subscribe(self, subject: str, callback: Callback, queue: str | None = None) -> MemorySubscription:
        """Call back for each message; with `queue` one subscriber of that queue group gets each message."""
        sub = MemorySubscription(self, subject, callback, queue)
        self.subscriptions.append(sub)
        return sub

    async def request(self, subject: str, payload: bytes, timeout: float) -> bytes:
        """One answer. Raises NoResponders at once if nobody listens, TimeoutError after `timeout` seconds."""
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        inbox = f"_INBOX.{self.name}.{next(self._requests)}"

        def take(_subject: str, body: bytes, _reply: str | None) -> None:
            if not answer.done():
                answer.set_result(body)

        sub = await self.subscribe(inbox, take)
        try:
            if not self._connected:
                self.dropped += 1
            elif not self._network.send(self, subject, payload, inbox):
                raise NoResponders(subject)
            return await asyncio.wait_for(answer, timeout)
        finally:
            await sub.stop()

    def on_no_responders(self, callback: Callable[[str], None]) -> None:
        """Register for the reply subjects of published messages that had a `reply` and met no subscriber."""
        self._unheard.append(callback)

    async def close(self) -> None:
        """Leave the network."""
        self._connected = False
        self.subscriptions.clear()
        self._network.leave(self)


def _later(delay: float, callback: Callback, subject: str, payload: bytes, reply: str | None) -> None:
    loop = asyncio.get_running_loop()
    if delay:
        loop.call_later(delay, callback, subject, payload, reply)
    else:
        loop.call_soon(callback, subject, payload, reply)
