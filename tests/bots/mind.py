"""A mind that does as it is told, in the place of a game's, and a world that a test moves by hand."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from msgspec import Struct

from services.bots.seat import World
from shared.games.quatro import game as quatro
from shared.kernel import Bot, Command, Game, Random, Thought
from shared.wire.messages import Seats


class Poke(Command, frozen=True):
    """All that this mind can want."""

    at: str


class Public(Struct):
    """`wish`: what to send; `hold_us`: how long to wait with it."""

    wish: str | None = None
    hold_us: int = 0
    broken: bool = False


class Own(Struct):
    """`secret`: what this seat alone sees."""

    secret: str = ""


class View(Struct):
    """The whole view."""

    public: Public
    own: Own


@dataclass
class Alarm:
    """A timer that the test rings."""

    seconds: float
    ring: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


@dataclass
class Bench:
    """Time as the test wants it, and all that a seat did."""

    now: int = 1_000_000
    alarms: list[Alarm] = field(default_factory=list)
    sent: list[tuple[str, Command]] = field(default_factory=list)
    reactions: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    looks: list[tuple[object, int]] = field(default_factory=list)

    def world(self, pace: float = 1.0) -> World:
        """The world as a seat has it."""
        return World(
            later=self._later,
            monotonic=lambda: self.now,
            send=lambda given, command: self.sent.append((given.player, command)),
            reacted=lambda _game, seconds: self.reactions.append(seconds),
            failed=lambda given, _fault: self.failures.append(given.player),
            pace=pace,
        )

    def pending(self) -> list[Alarm]:
        """The timers that are set."""
        return [alarm for alarm in self.alarms if not alarm.cancelled]

    def ring(self) -> None:
        """Let time pass until the only timer rings."""
        (alarm,) = self.pending()
        alarm.cancelled = True
        self.now += int(alarm.seconds * 1_000_000)
        alarm.ring()

    def game(self) -> Game:
        """Quatro with the mind of this bench in place of its own."""
        return replace(quatro, bot=Bot(("plain",), View, self._think))

    def _later(self, seconds: float, ring: Callable[[], None]) -> Alarm:
        self.alarms.append(Alarm(seconds, ring))
        return self.alarms[-1]

    def _think(self, view: View, memory: object | None, now: int, _: Random, level: str) -> Thought:
        if view.public.broken:
            raise LookupError(level)
        self.looks.append((memory, now))
        count = memory + 1 if isinstance(memory, int) else 1
        wish = None if view.public.wish is None else Poke(view.public.wish + view.own.secret)
        return Thought(count, wish, view.public.hold_us)


def given(player: str = "bot-1", seat: int = 1) -> Seats:
    """A seat as a table gives it."""
    return Seats("0190a000-0000-7000-8000-00000000000a", "quatro", seat, player, "plain")
