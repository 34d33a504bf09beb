"""Dash, a race that is nobody's product: what can be asked for in it, and what can happen."""

from shared.kernel import Command, Event


class PickCharm(Command, frozen=True):
    """In the preparation, secretly: what helps this seat's steps."""

    charm: str


class Step(Command, frozen=True):
    """On one's turn: run as far as a card in the own hand says."""

    card: int


class Grab(Command, frozen=True):
    """At any time: take the shortcut, which only the first gets."""


class SkipTurn(Command, frozen=True):
    """The host passes the turn on."""


class EndTurn(Command, frozen=True):
    """The house: the time of a turn is over."""


class Gust(Command, frozen=True):
    """The house: a gust blows, and somebody is blown back."""


class TimeUp(Command, frozen=True):
    """The house: the round's time is over."""


class CharmPicked(Event, frozen=True):
    seat: int
    charm: str


class CardsDealt(Event, frozen=True):
    hands: tuple[tuple[int, ...], ...]
    turn: int
    turn_ends: int
    next_gust: int
    ends: int


class Stepped(Event, frozen=True):
    seat: int
    card: int
    field: int
    drawn: int


class ShortcutGrabbed(Event, frozen=True):
    seat: int
    field: int


class TurnPassed(Event, frozen=True):
    seat: int
    why: str
    turn_ends: int


class GustBlew(Event, frozen=True):
    seat: int
    field: int
    next_gust: int


class LineReached(Event, frozen=True):
    seat: int


class TimeRanOut(Event, frozen=True):
    pass


AnyCommand = PickCharm | Step | Grab | SkipTurn | EndTurn | Gust | TimeUp
AnyEvent = CharmPicked | CardsDealt | Stepped | ShortcutGrabbed | TurnPassed | GustBlew | LineReached | TimeRanOut
