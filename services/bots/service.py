"""The bots service on the bus: says that it lives, takes the seats tables give it, and carries frames and commands.

It sees nothing but what each seat's frames bring, and sends under the same limits as anyone.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from random import Random, SystemRandom
from uuid import uuid4

import msgspec
from msgspec import Struct

from services.bots import metrics
from services.bots.places import Places
from services.bots.seat import Seat, World
from shared.bus import subjects
from shared.bus.port import Bus
from shared.eventlog.port import partition_of
from shared.kernel import Command, Game
from shared.wire.courier import Courier
from shared.wire.messages import Envelope, Frames, Here, Owner, Seats, Want, decoder, encode
from shared.wire.owners import Owners

BEAT_SECONDS = 1.0
QUIET_MICROS = 10_000_000
"""A seat that has heard nothing for so long asks for its view: its last frame may have been lost."""


class Verdict(Struct):
    """As much of a verdict as is counted. An error, of a command that a table could not read, says nothing of it."""

    accepted: bool = False


_frames = decoder(Frames)
_seats = decoder(Seats)
_owner = decoder(Owner)
_verdict = msgspec.json.Decoder(Verdict)


class Bots:
    """All seats of one instance. `clock` is monotonic, in seconds; `pace` is how much faster than people they are."""

    def __init__(
        self,
        bus: Bus,
        games: Mapping[str, Game],
        instance: str,
        clock: Callable[[], float],
        pace: float = 1.0,
        witness: Callable[[str, bytes, float], None] | None = None,
    ) -> None:
        """`witness` gets (table, verdict, seconds it took) of every command that was answered."""
        self._bus, self._games, self._instance, self._clock, self._pace = bus, games, instance, clock, pace
        self._witness = witness
        self._owners = Owners(bus, instance, clock)
        self._courier = Courier(bus, self._owners, instance, "bot", clock)
        self._places = Places()
        self._chance = SystemRandom()
        self._connected = True
        self._owners.on_moved(lambda partition, _: self._hold(partition))

    def __len__(self) -> int:
        return len(self._places)

    async def run(self) -> None:
        """Play until cancelled; then every seat is given back."""
        subscription = await self._bus.subscribe(subjects.to(self._instance, ">"), self._message)
        courier = asyncio.create_task(self._courier.run())
        try:
            while True:
                self.beat()
                await asyncio.sleep(BEAT_SECONDS)
        finally:
            courier.cancel()
            await subscription.stop()
            self._leave()

    def beat(self) -> None:
        """Say that we live and which seats we play; ask for the views of seats that may have missed something."""
        self._bus.publish(subjects.here("bots"), encode(Here(self._instance, len(self))))
        metrics.SEATS.set(len(self))
        for partition, held in self._places.held(self._instance):
            self._bus.publish(subjects.held(partition), encode(held))
        back = self._bus.connected and not self._connected
        self._connected = self._bus.connected
        quiet = self._micros() - QUIET_MICROS
        for seat in self._places:
            if back or seat.blind or seat.last_heard < quiet:
                self._want(seat.given)

    def _message(self, subject: str, payload: bytes, _: str | None) -> None:
        match subjects.what(subject):
            case "frames":
                self._see(_frames.decode(payload))
            case "seats":
                self._take(_seats.decode(payload))
            case "owner":
                self._owners.heard(_owner.decode(payload))
            case _:
                pass  # what comes back to `lost` needs no reading

    def _see(self, frames: Frames) -> None:
        for part in frames.parts:
            seat = self._places.find(frames.table, part.player)
            if seat is not None and not seat.see(frames, part):
                self._want(seat.given)
        for answer in frames.answers:
            self._courier.answered(answer)

    def _take(self, given: Seats) -> None:
        known = self._places.find(given.table, given.player)
        if known is None or known.given != given:
            if known is not None:
                self._places.drop(known)
            if given.play and given.game in self._games:
                self._play(given)
        self._hold(partition_of(given.table))

    def _play(self, given: Seats) -> None:
        later = asyncio.get_running_loop().call_later
        world = World(later, self._micros, self._send, metrics.reacted, metrics.failed, self._pace)
        self._places.put(Seat(self._games[given.game], given, world, Random(self._chance.getrandbits(64))))
        self._want(given)

    def _send(self, given: Seats, command: Command) -> None:
        now, payload = time.time_ns() // 1_000, msgspec.json.encode(command)
        envelope = Envelope(given.table, given.player, str(uuid4()), payload, self._instance, received=now)
        sent = self._clock()
        self._courier.send(envelope, lambda verdict: self._answered(given, verdict, sent))

    def _answered(self, given: Seats, verdict: bytes | None, sent: float) -> None:
        metrics.answered(None if verdict is None else _verdict.decode(verdict).accepted)
        if self._witness is not None and verdict is not None:
            self._witness(given.table, verdict, self._clock() - sent)
        seat = self._places.find(given.table, given.player)
        if seat is not None and seat.given == given:
            seat.answered()

    def _want(self, given: Seats) -> None:
        want = Want(self._instance, given.table, given.player)
        self._bus.publish(subjects.want(partition_of(given.table)), encode(want))

    def _hold(self, partition: int) -> None:
        held = self._places.held_of(self._instance, partition)
        if held.tables:
            self._bus.publish(subjects.held(partition), encode(held))

    def _leave(self) -> None:
        for seat in tuple(self._places):
            self._places.drop(seat)
        for partition, held in self._places.held(self._instance):
            self._bus.publish(subjects.held(partition), encode(held))

    def _micros(self) -> int:
        return int(self._clock() * 1_000_000)
