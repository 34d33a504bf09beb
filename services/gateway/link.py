"""The gateway's link to the bus: the one subscription all it gets comes through, and what it says of itself."""

import asyncio
from collections.abc import Callable

import msgspec
import structlog

from services.gateway.shown import Audience, ShownTable
from shared.bus import subjects
from shared.bus.port import Bus, Subscription
from shared.eventlog.port import partition_of
from shared.wire.courier import Courier
from shared.wire.messages import Frames, Held, Here, Owner, View, Want, decoder, encode
from shared.wire.owners import Owners

PRESENCE_SECONDS = 1.0
WATCH_STEPS = 20
WANT_SECONDS = 0.3
VIEW_TRIES = 8

log = structlog.get_logger("gateway")


class Link:
    """Everything between this gateway and the tables. `clock` is monotonic, in seconds."""

    def __init__(self, bus: Bus, instance: str, clock: Callable[[], float]) -> None:
        self.bus = bus
        self.instance = instance
        self.clock = clock
        self.owners = Owners(bus, instance, clock)
        self.courier = Courier(bus, self.owners, instance, "player", clock)
        self.shown: dict[str, ShownTable] = {}
        self._spoken: set[int] = set()
        self._questions: dict[int, asyncio.Future[View]] = {}
        self._question = 0
        self._subscription: Subscription | None = None
        self._running: list[asyncio.Task[None]] = []
        self.missed = False
        self.gaps = 0
        self.owners.on_moved(self._moved)

    async def start(self) -> None:
        """Listen, and say every second that we live and whom we hold."""
        self._subscription = await self.bus.subscribe(subjects.to(self.instance, ">"), self._heard)
        self._running = [asyncio.create_task(self.courier.run()), asyncio.create_task(self._presence())]

    async def stop(self) -> None:
        """Say and hear nothing any more."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        if self._subscription is not None:
            await self._subscription.stop()

    def audience(self, table: str, player: str) -> Audience:
        """The audience of a player at a table, from now on among those we hold."""
        shown = self.shown.get(table)
        if shown is None:
            shown = self.shown[table] = ShownTable(table, self.clock)
        audience = shown.audiences.get(player)
        if audience is None:
            audience = shown.audiences[player] = Audience(shown, player)
        return audience

    def dropped(self, audience: Audience) -> None:
        """Forget an audience whose last line has closed."""
        if audience.lines:
            return
        audience.table.audiences.pop(audience.player, None)
        if not audience.table.audiences:
            self.shown.pop(audience.table.id, None)

    def want(self, audience: Audience) -> None:
        """Ask the owner for a whole view of this audience; it is shown to those who wait for one, or if it is news."""
        table = audience.table
        self.bus.publish(subjects.want(table.partition), encode(Want(self.instance, table.id, audience.player)))

    async def view(self, table: str, player: str) -> View | None:
        """The newest view as the owner has it now; None if no owner answered in time, though asked again and again."""
        self._question += 1
        number = self._question
        answer: asyncio.Future[View] = asyncio.get_running_loop().create_future()
        self._questions[number] = answer
        subject = subjects.want(partition_of(table))
        payload = encode(Want(self.instance, table, player, number))
        try:
            for _ in range(VIEW_TRIES):
                self.bus.publish(subject, payload)
                done, _ = await asyncio.wait((answer,), timeout=WANT_SECONDS)
                if done:
                    return answer.result()
            return None
        finally:
            del self._questions[number]

    def _heard(self, subject: str, payload: bytes, reply: str | None) -> None:
        try:
            self._take(subjects.what(subject), payload)
        except msgspec.DecodeError:  # ValidationError is one
            log.warning("message not understood", subject=subject)

    def _take(self, what: str, payload: bytes) -> None:
        if what == "frames":
            message = _frames.decode(payload)
            shown = self.shown.get(message.table)
            if shown is not None:
                for audience in shown.take(message):
                    self.gaps += 1
                    self.want(audience)
            for answer in message.answers:
                self.courier.answered(answer)
        elif what == "owner":
            self.owners.heard(_owner.decode(payload))
        elif what == "view":
            view = _view.decode(payload)
            question = self._questions.get(view.request)
            if question is not None and not question.done():
                question.set_result(view)

    def _moved(self, partition: int, epoch: int) -> None:
        """A new owner knows nobody: say whom we hold, and have everyone shown where the table stands now."""
        for shown in tuple(self.shown.values()):
            if shown.partition == partition:
                self._want_all(shown)

    def _want_all(self, shown: ShownTable) -> None:
        for audience in tuple(shown.audiences.values()):
            self.want(audience)

    async def _presence(self) -> None:
        while True:
            self._speak()
            for _ in range(WATCH_STEPS):
                await asyncio.sleep(PRESENCE_SECONDS / WATCH_STEPS)
                self._watch()

    def _watch(self) -> None:
        """After the bus was away everyone is shown anew, for what came meanwhile is lost."""
        if not self.bus.connected:
            self.missed = True
        elif self.missed:
            self.missed = False
            self._speak()
            for shown in tuple(self.shown.values()):
                self._want_all(shown)

    def _speak(self) -> None:
        self.bus.publish(subjects.here("gateway"), encode(Here(self.instance)))
        by_partition: dict[int, list[ShownTable]] = {}
        for shown in self.shown.values():
            by_partition.setdefault(shown.partition, []).append(shown)
        for partition in self._spoken - by_partition.keys():
            self.bus.publish(subjects.held(partition), encode(Held(self.instance, ())))
        for partition, tables in by_partition.items():
            held = Held(self.instance, tuple(shown.held() for shown in tables))
            self.bus.publish(subjects.held(partition), encode(held))
        self._spoken = set(by_partition)


_frames = decoder(Frames)
_owner = decoder(Owner)
_view = decoder(View)
