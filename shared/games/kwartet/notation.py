"""A game as people read it: a line for whose turn it is, one for each seat, one for what lies open."""

from msgspec.structs import replace

from shared.games.kwartet.cards import Card, Hand
from shared.games.kwartet.state import Exposed, State
from shared.games.kwartet.view import in_order
from shared.kernel import SECOND

SUITS = ("S", "H", "D", "C")


def draw(play: State, at: int) -> str:
    """The game at a time (µs): whose turn and for how long, the hands, what lies open, the stock.

    turn 0  dealer 3  12 left
    0  QS QD QC 7H
    1  QH KS
    2  -
    open  A:1 10:0
    stock  8S 9D
    """
    lines = ["  ".join(_head(play, at))]
    pack = play.rules.pack
    lines += [f"{seat}  {_hand(in_order(pack, hand))}" for seat, hand in enumerate(play.hands)]
    if play.exposed:
        lines.append("open  " + " ".join(f"{each.family}:{each.seat}" for each in play.exposed))
    if play.stock:
        lines.append("stock  " + _hand(play.stock))
    return "\n".join(lines)


def read(text: str, play: State) -> State:
    """The game with the turn, dealer, hands, open families and stock of a drawn one of the ordinary pack."""
    rows = [line.split() for line in text.strip().splitlines()]
    found = {row[0]: row[1:] for row in rows}
    hands = tuple(_cards(found.get(str(seat), [])) for seat in range(len(play.hands)))
    opened = [each.rpartition(":") for each in found.get("open", [])]
    exposed = tuple(Exposed(family, int(seat)) for family, _, seat in opened)
    head = rows[0]
    turn, dealer = int(head[1]), int(head[3])
    stock = _cards(found.get("stock", []))
    return replace(play, hands=hands, exposed=exposed, turn=turn, dealer=dealer, stock=stock)


def card(text: str) -> Card:
    """A card of the ordinary pack: `10H`; of any pack: `Owls/barn owl`."""
    family, slash, member = text.partition("/")
    return Card(family, member) if slash else Card(text[:-1], text[-1])


def write(card: Card) -> str:
    """The card as `card` reads it."""
    return card.family + card.member if card.member in SUITS else f"{card.family}/{card.member}"


def _head(play: State, at: int) -> list[str]:
    turn = "over" if play.stop else f"turn {play.turn}"
    left = [] if play.deadline is None else [f"{(play.deadline - at) / SECOND:g} left"]
    return [turn, f"dealer {play.dealer}", *left]


def _hand(hand: Hand) -> str:
    return " ".join(write(each) for each in hand) or "-"


def _cards(words: list[str]) -> Hand:
    return tuple(card(word) for word in words if word != "-")
