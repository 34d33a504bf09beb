"""What a Kwartet bot sees: the part of its seat's view that its mind needs, decoded."""

from msgspec import Struct

from shared.games.kwartet.cards import Card, Hand
from shared.games.kwartet.state import Asked, Exposed


class Seat(Struct, frozen=True):
    """How many cards lie in a hand."""

    cards: int = 0


class Named(Struct, frozen=True):
    """A member of a family."""

    name: str


class Family(Struct, frozen=True):
    """A family of the pack."""

    name: str
    members: tuple[Named, ...]


class Pack(Struct, frozen=True):
    """The pack, as far as its cards go."""

    families: tuple[Family, ...] = ()

    def cards(self) -> Hand:
        """All cards."""
        return tuple(Card(family.name, member.name) for family in self.families for member in family.members)

    def family(self, name: str) -> Hand:
        """The cards of one family."""
        return tuple(card for card in self.cards() if card.family == name)


class Public(Struct, frozen=True):
    """What everyone sees."""

    phase: str = "seating"
    round: int = 0
    seats: tuple[Seat, ...] = ()
    turn: int | None = None
    deadline: int | None = None
    stock: int = 0
    pack: Pack = Pack()
    exposed: tuple[Exposed, ...] = ()
    asks: tuple[Asked, ...] = ()


class CanAsk(Struct, frozen=True):
    """Cards that can be asked of a seat now."""

    seat: int
    cards: Hand


class Own(Struct, frozen=True):
    """What this seat sees besides."""

    seat: int = 0
    hand: Hand = ()
    can_ask: tuple[CanAsk, ...] = ()


class View(Struct, frozen=True):
    """All that a bot knows."""

    public: Public
    own: Own
