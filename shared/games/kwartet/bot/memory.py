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
    """Facts about other hands, never changed in place. `holds`: the card is there; `lacks`: it was not, and how many
    cards the seat drew from the stock since; `asks`: the last window of requests."""

    round: int = 0
    asks: tuple[Asked, ...] = ()
    stock: int = 0
    holds: dict[Card, int] = {}
    lacks: dict[tuple[int, Card], int] = {}
    some: tuple[Some, ...] = ()


def learn(memory: Memory, view: View) -> Memory:
    """The memory after this view."""
    public = view.public
    if memory.round != public.round:
        memory = Memory(public.round, stock=public.stock)
    new = fresh(memory.asks, public.asks)
    for ask in new:
        memory = _heard(memory, ask, public.pack.family(ask.card.family))
    if public.stock < memory.stock:
        memory = _drawn(memory, new, memory.stock - public.stock, len(public.seats))
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
    others = frozenset(family) - {ask.card}
    some = (*memory.some, Some(ask.by, others))
    if not ask.given:
        lacks = memory.lacks | {(ask.by, ask.card): 0, (ask.to, ask.card): 0}
        return replace(memory, lacks=lacks, some=some)
    lacks = {place: drawn for place, drawn in memory.lacks.items() if place != (ask.by, ask.card)}
    still = tuple(each for each in some if each.seat != ask.to or ask.card not in each.cards)
    holds = memory.holds | {ask.card: ask.by}
    return replace(memory, holds=holds, lacks=lacks | {(ask.to, ask.card): 0}, some=still)


def _drawn(memory: Memory, asks: tuple[Asked, ...], count: int, players: int) -> Memory:
    """Who missed drew a card; what was drawn besides, into an empty hand, anyone may have drawn (K-VAR-2)."""
    drawers = [ask.by for ask in asks if not ask.given][-count:]
    drew = {seat: drawers.count(seat) + count - len(drawers) for seat in range(players)}
    return replace(memory, lacks={place: drawn + drew[place[0]] for place, drawn in memory.lacks.items()})


def _without(memory: Memory, exposed: frozenset[str]) -> Memory:
    some = (each for each in memory.some if not any(card.family in exposed for card in each.cards))
    return replace(
        memory,
        holds={card: seat for card, seat in memory.holds.items() if card.family not in exposed},
        lacks={place: drawn for place, drawn in memory.lacks.items() if place[1].family not in exposed},
        some=tuple(dict.fromkeys(some)),
    )
