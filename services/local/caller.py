"""A caller on the bus without a gateway: sends commands as one kind of sender and watches tables as spectators do.

For the demo without servers, for operators, and for tests; what players may do goes through gateways.
"""

import asyncio
import time
from collections.abc import Callable
from uuid import uuid4

import msgspec

from shared.bus import subjects
from shared.bus.port import Bus, Subscription
from shared.eventlog.port import partition_of
from shared.kernel import Command
from shared.wire.courier import Courier
from shared.wire.messages import Envelope, Frames, Held, HeldTable, Here, Owner, Want, decoder, encode
from shared.wire.owners import Owners

BEAT_SECONDS = 1.0

Watcher = Callable[[bytes, bytes], None]
"""(public view, news), each as JSON; news may be empty."""

_frames = decoder(Frames)
_owner = decoder(Owner)


class Caller:
    """One instance on the bus. `start` before anything else, `stop` at the end."""

    def __init__(self, bus: Bus, instance: str, kind: subjects.Kind, here: subjects.Listener = "other") -> None:
        self._bus, self._instance, self._here = bus, instance, here
        seconds = asyncio.get_running_loop().time
        self.owners = Owners(bus, instance, seconds)
        self._courier = Courier(bus, self.owners, instance, kind, seconds)
        self._watched: dict[str, Watcher] = {}
        self._running: list[asyncio.Task[None]] = []
        self._subscription: Subscription | None = None

    async def start(self) -> None:
        """Listen, and say that we live so that owners announce themselves."""
        self._subscription = await self._bus.subscribe(subjects.to(self._instance, ">"), self._heard)
        self._running = [asyncio.create_task(self._courier.run()), asyncio.create_task(self._beat())]

    async def stop(self) -> None:
        """Say and hear nothing any more."""
        for task in self._running:
            task.cancel()
        await asyncio.wait(self._running)
        if self._subscription is not None:
            await self._subscription.stop()

    async def send(self, table: str, player: str, command: Command, id: str | None = None) -> bytes | None:
        """The verdict's JSON; None: none came in 5 s."""
        payload, now = msgspec.json.encode(command), time.time_ns() // 1_000
        verdict: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        envelope = Envelope(table, player, id or str(uuid4()), payload, self._instance, received=now)
        self._courier.send(envelope, verdict.set_result)
        return await verdict

    def watch(self, table: str, watcher: Watcher) -> None:
        """See a table as spectators do, from its newest view on."""
        self._watched[table] = watcher
        self._hold(table)
        self._want(table)

    async def _beat(self) -> None:
        while True:
            self._bus.publish(subjects.here(self._here), encode(Here(self._instance)))
            for table in self._watched:
                self._hold(table)
            await asyncio.sleep(BEAT_SECONDS)

    def _hold(self, table: str) -> None:
        held = Held(self._instance, (HeldTable(table, (), 1),))
        self._bus.publish(subjects.held(partition_of(table)), encode(held))

    def _want(self, table: str) -> None:
        self._bus.publish(subjects.want(partition_of(table)), encode(Want(self._instance, table, "")))

    def _heard(self, subject: str, payload: bytes, _: str | None) -> None:
        match subjects.what(subject):
            case "frames":
                self._see(_frames.decode(payload))
            case "owner":
                self.owners.heard(_owner.decode(payload))
            case _:
                pass  # what comes back to `lost` needs no reading

    def _see(self, frames: Frames) -> None:
        watcher = self._watched.get(frames.table)
        for part in frames.parts:
            if watcher is not None and part.player == "" and frames.public:
                watcher(frames.public, part.news)
        for answer in frames.answers:
            self._courier.answered(answer)
