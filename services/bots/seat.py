"""One bot seat: its own view, memory and chance. It shares nothing with another and hears nothing but its frames."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Protocol

import msgspec

from shared.kernel import Command, Game
from shared.wire.messages import Frames, Part, Seats

REACTION_MICROS_MIN = 250_000


class Timer(Protocol):
    """What `call_later` of an event loop gives back."""

    def cancel(self) -> None:
        """It will not ring."""


@dataclass(frozen=True, slots=True)
class World:
    """All that a seat has of the world around it. Times in µs; `pace` is how many times faster than people it plays."""

    later: Callable[[float, Callable[[], None]], Timer]
    monotonic: Callable[[], int]
    send: Callable[[Seats, Command], None]
    reacted: Callable[[str, float], None]
    """(game, seconds between the wish and its sending), for the logged distribution (C-27)."""
    failed: Callable[[Seats, Exception], None]
    pace: float = 1.0


class Seat:
    """Frames come in, commands go out, one at a time, never within 250 ms of the wish for it."""

    def __init__(self, game: Game, given: Seats, world: World, random: Random) -> None:
        self.given = given
        self.last_heard = world.monotonic()
        self._game, self._world, self._random = game, world, random
        self._decode = msgspec.json.Decoder(game.bot.view).decode
        self._public = self._own = b""
        self._place = (-1, -1)
        self._offset = 0
        self._memory: object | None = None
        self._timer: Timer | None = None
        self._waiting = False
        self._wish: Command | None = None
        self._wished_at = 0

    @property
    def blind(self) -> bool:
        """Whether no view has come yet."""
        return not (self._public and self._own)

    def see(self, frame: Frames, part: Part) -> bool:
        """Take what a frame brings. False: something is missing, the whole view is wanted."""
        self.last_heard = self._world.monotonic()
        place = (frame.epoch, part.n)
        if place < self._place or (place == self._place and not frame.whole):
            return True
        if not frame.whole and place != (self._place[0], self._place[1] + 1):
            return False
        self._place = place
        self._public, self._own = frame.public or self._public, part.own or self._own
        self._offset = frame.now - self.last_heard
        self.think()
        return True

    def answered(self) -> None:
        """The verdict on what was sent is there, or there will be none: think again."""
        self._waiting = False
        self._wish = None
        self.think()

    def stop(self) -> None:
        """The seat is played no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def think(self) -> None:
        """Ask the mind and set the timer for what it wants."""
        self.stop()
        if self.blind or self._waiting:
            return
        now = self._world.monotonic()
        try:
            view = self._decode(b'{"own":%b,"public":%b}' % (self._own, self._public))
            thought = self._game.bot.think(view, self._memory, now + self._offset, self._random, self.given.level)
        except Exception as fault:  # a bug in one mind must not silence the others
            self._world.failed(self.given, fault)
            return
        self._memory = thought.memory
        if thought.command is None or thought.command != self._wish:
            self._wish, self._wished_at = thought.command, now
        delay = max(thought.delay_us, self._wished_at + REACTION_MICROS_MIN - now)
        self._timer = self._world.later(delay / self._world.pace / 1_000_000, self._ring)

    def _ring(self) -> None:
        if self._wish is None:
            self.think()
            return
        wish, seconds = self._wish, (self._world.monotonic() - self._wished_at) / 1_000_000
        self._waiting = True
        self._world.reacted(self._game.name, seconds)
        self._world.send(self.given, wish)
