"""The deck, hands and signs of Quatro, as values: a card is rank then suit, `QS`, `10H`. Nothing here knows a round."""

from collections.abc import Sequence

from msgspec import Struct

from shared.shuffle import Stream

Card = str
Hand = tuple[Card, ...]

RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6")
SUITS = ("S", "H", "D", "C")
HAND_CARDS = 4
PLACES = 4

SIGNS = tuple("🍍⚡🔔🚀🍇⛵🐢🚲🦊⚽👻🎲🦋🌈☔🎩🎸🧦🌵🎁🥨🍄🥕🔑")
"""Q-SIGN-1, in this order."""

_RANK = {rank + suit: rank for rank in RANKS for suit in SUITS}


class Replaced(Struct, frozen=True):
    """A seat whose hand was replaced at the deal, and how often. Not more: Q-DEAL-3."""

    seat: int
    times: int


class Deal(Struct, frozen=True):
    """What a shuffled deck gives: a hand for each seat, the centre, and who was dealt again."""

    hands: tuple[Hand, ...]
    centre: Hand
    replaced: tuple[Replaced, ...]


def deck(seats: int) -> tuple[Card, ...]:
    """Q-DECK-1: one rank more than seats, four cards of each, in the order in which they are shuffled."""
    return tuple(rank + suit for rank in RANKS[: seats + 1] for suit in SUITS)


def rank(card: Card) -> str:
    """The rank of a card of any deck."""
    return _RANK[card]


def four(hand: Sequence[Card]) -> str | None:
    """The rank of four of a kind, None for any other hand."""
    if len(hand) != HAND_CARDS:
        return None
    first = _RANK[hand[0]]
    return first if all(_RANK[card] == first for card in hand) else None


def deal(stream: Stream, seats: int) -> Deal:
    """Deals the whole deck; a hand of three or four of a rank is dealt again at once (Q-DEAL-1, Q-DEAL-2)."""
    undealt = stream.shuffle(list(deck(seats)))
    hands: list[Hand] = []
    replaced: list[Replaced] = []
    for seat in range(seats):
        times = 0
        while _almost_won(undealt[:HAND_CARDS]):
            undealt = stream.shuffle(undealt[HAND_CARDS:] + undealt[:HAND_CARDS])
            times += 1
        hands.append(tuple(undealt[:HAND_CARDS]))
        undealt = undealt[HAND_CARDS:]
        if times:
            replaced.append(Replaced(seat, times))
    return Deal(tuple(hands), tuple(undealt), tuple(replaced))


def draw_sign(stream: Stream, last: str | None) -> str:
    """A sign for a team that picked none, never its last one (Q-SIGN-4, Q-SIGN-5)."""
    free = [sign for sign in SIGNS if sign != last]
    return free[stream.draw(len(free))]


def _almost_won(hand: Sequence[Card]) -> bool:
    ranks = [_RANK[card] for card in hand]
    return any(ranks.count(each) >= 3 for each in ranks[:2])
