"""What happens in a game of Kwartet, as it is stored for ever."""

from typing import Literal

from shared.games.kwartet.cards import Card, Hand
from shared.kernel import By, Event

How = Literal["ask", "timeout", "pass", "dealt"]
"""The kind of record that ended a game."""


class CardsDealt(Event, frozen=True):
    """The deal, each hand in the order in which it was dealt; the stock's first card is its top (K-DEAL-1, K-VAR-2)."""

    dealer: int
    hands: tuple[Hand, ...]
    stock: Hand


class CardAsked(Event, frozen=True):
    """A request and its true answer; a given card has moved (K-ASK-3)."""

    by: int
    to: int
    card: Card
    given: bool


class CardDrawn(Event, frozen=True):
    """A seat drew the top of the stock (K-VAR-2)."""

    seat: int
    card: Card


class FamilyExposed(Event, frozen=True):
    """Kwartet! The family left the hand and lies open before the seat (K-SET-1)."""

    seat: int
    family: str


class HandEmptied(Event, frozen=True):
    """A seat holds no card any more and is out of all further requests (K-EMPTY-1)."""

    seat: int


class TurnTimedOut(Event, frozen=True):
    """The seat's time ran out (K-TIME-1)."""

    seat: int


class TurnPassed(Event, frozen=True):
    """The host passed the turn of the seat (K-DISC-1)."""

    seat: int


class TurnCame(Event, frozen=True):
    """The turn is the seat's from now on."""

    seat: int


class GameEnded(Event, frozen=True):
    """All families are exposed (K-END-1), or nothing came of too many requests (K-END-4: not `complete`)."""

    by: By
    how: How
    complete: bool


Any = (
    CardsDealt | CardAsked | CardDrawn | FamilyExposed | HandEmptied | TurnTimedOut | TurnPassed | TurnCame | GameEnded
)
