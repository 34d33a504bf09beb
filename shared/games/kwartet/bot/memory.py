"""What a Kwartet bot remembers: every request and answer is public, so it keeps what can be where."""

from msgspec import Struct
from msgspec.structs import replace

from shared.games.kwartet.bot.view import View
from shared.games.kwartet.cards import Card, Hand
from shared.games.kwartet.state import Asked


class Some(Struct, frozen=True):
    """The seat holds at least one of these cards: it asked for another one of their family (K-ASK-2)."""

    seat: int
    cards: frozenset[Card]


class Memory(Struct, frozen=True):
    """Facts about other hands. `holds`: the card is there; `lacks`: it is not; `asks`: the last window of requests."""

    round: int = 0
    asks: tuple[Asked, ...] = ()
    stock: int = 0
    holds: tuple[tuple[Card, int], ...] = ()
    lacks: frozenset[tuple[int, Card]] = frozenset()
    some: tuple[Some, ...] = ()

    @property
    def where(self) -> dict[Card, int]:
        """The seat of each card whose place is known."""
        return dict(self.holds)


def learn(memory: Memory, view: View) -> Memory:
    """The memory after this view."""
    public = view.public
    if memory.round != public.round:
        memory = Memory(public.round, stock=public.stock)
    for ask in fresh(memory.asks, public.asks):
        memory = _heard(memory, ask, public.pack.family(ask.card.family))
    if public.stock < memory.stock:
        memory = _drawn(memory)
    memory = _without(memory, frozenset(each.family for each in public.exposed))
    return replace(memory, asks=public.asks, stock=public.stock)


def fresh(known: tuple[Asked, ...], shown: tuple[Asked, ...]) -> tuple[Asked, ...]:
    """The requests that are new in this window: as few as can be."""
    for new in range(len(shown) + 1):
        kept = len(shown) - new
        if known[len(known) - kept :] == shown[:kept] and kept <= len(known):
            return shown[kept:]
    return shown


def _heard(memory: Memory, ask: Asked, family: Hand) -> Memory:
    lacks = memory.lacks - {(ask.by, ask.card)}
    others = frozenset(family) - {ask.card}
    some = (*memory.some, Some(ask.by, others))
    if not ask.given:
        return replace(memory, lacks=lacks | {(ask.by, ask.card), (ask.to, ask.card)}, some=some)
    holds = ((card, seat) for card, seat in memory.holds if card != ask.card)
    still = tuple(each for each in some if each.seat != ask.to or ask.card not in each.cards)
    return replace(memory, holds=(*holds, (ask.card, ask.by)), lacks=lacks | {(ask.to, ask.card)}, some=still)


def _drawn(memory: Memory) -> Memory:
    """Someone drew: a card that nobody is known to hold may be anywhere now (K-VAR-2)."""
    return replace(memory, lacks=frozenset((seat, card) for seat, card in memory.lacks if card in memory.where))


def _without(memory: Memory, exposed: frozenset[str]) -> Memory:
    return replace(
        memory,
        holds=tuple((card, seat) for card, seat in memory.holds if card.family not in exposed),
        lacks=frozenset((seat, card) for seat, card in memory.lacks if card.family not in exposed),
        some=tuple(dict.fromkeys(each for each in memory.some if not any(c.family in exposed for c in each.cards))),
    )
