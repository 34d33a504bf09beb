"""The state of one game of Kwartet: immutable, and all that the rules need to know. Times are µs."""

from collections.abc import Iterable

from msgspec import Struct

from shared.games.kwartet.cards import Card, Hand, Label
from shared.games.kwartet.commands import Number
from shared.games.kwartet.rules import Rules
from shared.kernel import By, LostTo, Stop, Table

ASKS_SHOWN = 20
BARREN_PER_CARD = 16
"""K-END-4: so many requests and time-outs a card, in a row and without a family, end the game."""


class Asked(Struct, frozen=True):
    """A request and its answer, as all see it (K-ASK-6)."""

    by: Number
    to: Number
    card: Card
    given: bool


class Exposed(Struct, frozen=True):
    """A family that lies open, and whose it is (K-VIEW-1)."""

    family: Label
    seat: Number


class Last(Struct, frozen=True):
    """The record that last decided about the turn (K-ASK-7); `why` is None for a request."""

    version: int
    at: int
    by: By
    why: str | None = None

    def lost(self, at: int) -> LostTo:
        """What a request out of turn that comes at `at` lost to."""
        return LostTo(self.version, self.by, at - self.at, self.why)


class Carry(Struct, frozen=True):
    """What stays on the table when a game is over."""

    dealer: Number | None = None
    exposed: tuple[Exposed, ...] = ()
    asks: tuple[Asked, ...] = ()


class State(Struct, frozen=True):
    """One game, from the first moment of its preparation. Until the deal hands are empty and nobody is on turn.

    `since`: the turn's clock runs from here; `barren`: requests and time-outs since a family was completed.
    """

    rules: Rules
    hands: tuple[Hand, ...]
    stock: Hand = ()
    dealer: int | None = None
    turn: int | None = None
    since: int = 0
    exposed: tuple[Exposed, ...] = ()
    asks: tuple[Asked, ...] = ()
    barren: int = 0
    last: Last | None = None
    stop: Stop | None = None
    complete: bool = False

    @property
    def open(self) -> bool:
        """Whether cards can be asked for."""
        return self.turn is not None and self.stop is None

    @property
    def points(self) -> tuple[int, ...]:
        """One a family (K-END-2)."""
        owners = [each.seat for each in self.exposed]
        return tuple(owners.count(seat) for seat in range(len(self.hands)))

    @property
    def deadline(self) -> int | None:
        """When the turn runs out, if it does (K-TIME-1)."""
        limit = self.rules.turn_ms * 1000
        return self.since + limit if self.open and limit else None

    def is_exposed(self, family: str) -> bool:
        """Whether this family lies open."""
        for each in self.exposed:  # noqa: SIM110 - a loop is twice as fast as any()
            if each.family == family:
                return True
        return False


def begin(table: Table, rules: Rules, carry: Carry | None) -> State:
    """The state of a game when its preparation begins; nothing is left of the last one."""
    return State(rules, ((),) * len(table.seats))


def clockwise(players: int, first: int) -> Iterable[int]:
    """All seats, this one first."""
    return ((first + step) % players for step in range(players))


def next_with_cards(play: State, after: int) -> int:
    """The next seat clockwise that holds cards, at last `after` itself (K-EMPTY-2)."""
    hands, players, seat = play.hands, len(play.hands), after
    for _ in range(players):
        seat = (seat + 1) % players
        if hands[seat]:
            return seat
    raise ValueError("nobody holds cards")


def stop(play: State) -> Stop | None:
    """What ended the game."""
    return play.stop


def carry_of(play: State) -> Carry:
    """What stays to be seen after the Award."""
    return Carry(play.dealer, play.exposed, play.asks)
