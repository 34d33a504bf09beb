"""What comes over the bus: commands for the partitions held here, and what gateways and others say to all."""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial

import msgspec
import structlog

from services.table import reading
from services.table.desk import Desk
from services.table.floor import Floor
from services.table.holding import Holding
from services.table.keeper import Keeper
from services.table.listeners import Listeners
from services.table.publisher import Publisher
from shared.bus import subjects
from shared.bus.port import Bus
from shared.table.codec import BadMessage
from shared.wire.messages import Answer, Envelope, Held, Here, Owner, Want, Who, decoder, encode

_log = structlog.get_logger()
_envelope = decoder(Envelope)
_want = decoder(Want)
_held = decoder(Held)
_here = decoder(Here)
_who = decoder(Who)


class Hearing:
    """The ears of `instance`. `now` in µs on the table's clock, `monotonic` in µs."""

    def __init__(
        self,
        instance: str,
        bus: Bus,
        floor: Floor,
        publisher: Publisher,
        listeners: Listeners,
        now: Callable[[], int],
        monotonic: Callable[[], int],
    ) -> None:
        self.holding = Holding(floor, publisher, now)
        self._instance, self._bus, self._floor, self._publisher = instance, bus, floor, publisher
        self._listeners, self._now, self._monotonic = listeners, now, monotonic

    async def listen(self) -> None:
        """Hear what is said to all; must run before the first partition is taken."""
        await self._bus.subscribe(subjects.here("*"), self._lives)
        await self._bus.subscribe(subjects.CHECKPOINT, self._checkpoint)
        await self._bus.subscribe(subjects.FORGOTTEN, self._forgotten)

    async def attend(self, desk: Desk) -> None:
        """Hear what is said to a partition, and then say whose it is."""
        desk.subscriptions += await asyncio.gather(
            self._bus.subscribe(subjects.command(desk.partition, desk.epoch, "*"), partial(self._command, desk)),
            self._bus.subscribe(subjects.want(desk.partition), partial(self._wanted, desk)),
            self._bus.subscribe(subjects.held(desk.partition), partial(self._holds, desk)),
            self._bus.subscribe(subjects.who(desk.partition), partial(self._asked, desk)),
        )
        self.announce((desk,))

    def announce(self, desks: Iterable[Desk], to: Iterable[str] | None = None) -> None:
        """Say that these partitions are ours, to some listeners or to all."""
        message = encode(Owner(self._instance, tuple((desk.partition, desk.epoch) for desk in desks if desk.open)))
        for name in self._listeners.names() if to is None else to:
            self._bus.publish(subjects.to(name, "owner"), message)

    def _command(self, desk: Desk, subject: str, payload: bytes, _: str | None) -> None:
        arrived = self._now()
        kind = subject.rsplit(".", 1)[1]
        try:
            envelope = _envelope.decode(payload)
        except msgspec.MsgspecError:
            _log.warning("an envelope that can't be read", subject=subject)
            return
        keeper = desk.keepers.get(envelope.table)
        if keeper is not None and desk.open:
            self._hand_in(envelope, kind, arrived, keeper)
        else:
            self._floor.visit(desk, envelope.table, partial(self._hand_in, envelope, kind, arrived))

    def _hand_in(self, envelope: Envelope, kind: str, arrived: int, keeper: Keeper) -> None:
        command = reading.command_of(keeper, kind, envelope)
        if isinstance(command, BadMessage):
            self._unread(keeper, envelope, command.detail)
            return
        if envelope.name is not None:
            keeper.names[envelope.player] = envelope.name
        if kind in ("player", "bot") and not envelope.http:
            self.holding.sent(keeper, envelope)
        keeper.take(envelope, command, reading.sender_of(kind, envelope), arrived)

    def _unread(self, keeper: Keeper, envelope: Envelope, why: str) -> None:
        """The gateway checks shapes, so this is a program of ours that is out of step, or no table."""
        code = "not_found" if keeper.state is None else "bad_command"
        error = msgspec.json.encode({"type": "error", "id": envelope.id, "code": code, "detail": why})
        self._publisher.answer(keeper, envelope.gateway, Answer(envelope.player, envelope.id, error))

    def _wanted(self, desk: Desk, _subject: str, payload: bytes, _: str | None) -> None:
        self.holding.wanted(desk, _want.decode(payload))

    def _holds(self, desk: Desk, _subject: str, payload: bytes, _: str | None) -> None:
        self.holding.held(desk, _held.decode(payload))

    def _asked(self, desk: Desk, _subject: str, payload: bytes, _: str | None) -> None:
        self.announce((desk,), (_who.decode(payload).instance,))

    def _lives(self, subject: str, payload: bytes, _: str | None) -> None:
        here = _here.decode(payload)
        if self._listeners.heard(subject.rsplit(".", 1)[1], here, self._monotonic()):
            self.announce(self._floor.desks, (here.instance,))

    def _checkpoint(self, _subject: str, payload: bytes, _: str | None) -> None:
        self._publisher.checkpoint(payload.decode())

    def _forgotten(self, _subject: str, payload: bytes, _: str | None) -> None:
        """A name is gone; those who look at a table of theirs are shown it without."""
        player = payload.decode()
        for _desk, keeper in self._floor.keepers():
            if keeper.names.pop(player, None) is not None:
                self._publisher.refresh(keeper)
