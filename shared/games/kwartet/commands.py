"""What a seat, or the house, can ask for in Kwartet. Meaning is checked in `decide`; here only shape and size."""

from typing import Annotated

from msgspec import Meta

from shared.games.kwartet.cards import Card
from shared.kernel import Command

Number = Annotated[int, Meta(ge=-(2**53), le=2**53)]


class Ask(Command, frozen=True):
    """ "Seat, may I have this card?" (K-ASK-1)."""

    seat: Number
    card: Card


class PassAbsent(Command, frozen=True):
    """The host passes the turn of a player who is away or silent (K-DISC-1)."""


class EndTurn(Command, frozen=True):
    """The house: the time of the turn has run out (K-TIME-1)."""


Own = Ask | PassAbsent
House = EndTurn
