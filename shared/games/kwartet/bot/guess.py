"""How likely each card is in each hand, from what a bot remembers. Pure arithmetic; draws nothing."""

from math import prod

from shared.games.kwartet.bot.memory import Memory, Some
from shared.games.kwartet.bot.view import View
from shared.games.kwartet.cards import Card

STOCK = -1
"""Where cards lie that nobody holds yet."""
ROUNDS, LEAST = 12, 0.05

Chances = dict[Card, dict[int, float]]
"""For each card that is not mine: the places where it can be, each with its chance."""


def places(memory: Memory, view: View) -> Chances:
    """What is certain is certain; the rest lies where nothing speaks against it, by the sizes of the hands."""
    public, own = view.public, view.own
    out, mine = {each.family for each in public.exposed}, frozenset(own.hand)
    sizes = {seat: float(each.cards) for seat, each in enumerate(public.seats) if seat != own.seat and each.cards}
    sizes |= {STOCK: float(public.stock)} if public.stock else {}
    chances: Chances = {}
    for card in public.pack.cards():
        if card.family not in out and card not in mine:
            slots = {seat: min(size, memory.lacks.get((seat, card), size)) for seat, size in sizes.items()}
            able = {seat: float(free) for seat, free in slots.items() if free}
            known = memory.holds.get(card)
            chances[card] = {known: 1.0} if known in able and known is not None else _shares(able or sizes)
    return chances


def infer(memory: Memory, view: View) -> Chances:
    """Perfect memory, all that follows from it, and the likeliest spread of what does not (iterative fitting)."""
    chances = places(memory, view)
    slots = {seat: each.cards for seat, each in enumerate(view.public.seats) if seat != view.own.seat}
    slots[STOCK] = view.public.stock
    some = tuple(each for each in memory.some if each.seat != view.own.seat)
    while _settle(chances, slots, some):
        pass
    for _ in range(ROUNDS):
        _fit_hands(chances, slots)
        _fit_cards(chances)
    _weigh_some(chances, some)
    _fit_cards(chances)
    return chances


def _settle(chances: Chances, slots: dict[int, int], some: tuple[Some, ...]) -> bool:
    """One round of what must be: a full hand takes no more, a hand needs all that it still can hold."""
    changed = False
    for seat, size in slots.items():
        here = [card for card, where in chances.items() if seat in where]
        sure = [card for card in here if len(chances[card]) == 1]
        if len(sure) == size and len(here) > size:
            changed = True
            for card in here:
                if len(chances[card]) > 1:
                    chances[card].pop(seat)
        elif len(here) == size and len(sure) < size:
            changed = _put(chances, here, seat) or changed
    for each in some:
        able = [card for card in each.cards if each.seat in chances.get(card, {})]
        if len(able) == 1:
            changed = _put(chances, able, each.seat) or changed
    return changed


def _put(chances: Chances, cards: list[Card], seat: int) -> bool:
    moved = [card for card in cards if len(chances[card]) > 1]
    for card in moved:
        chances[card] = {seat: 1.0}
    return bool(moved)


def _weigh_some(chances: Chances, some: tuple[Some, ...]) -> None:
    """A seat that holds at least one of some cards holds each of them more likely, by the chance that it holds none.

    Of several such facts about one seat and family the narrowest counts.
    """
    narrowest: dict[tuple[int, str], list[Card]] = {}
    for each in some:
        able = [card for card in each.cards if each.seat in chances.get(card, {})]
        if able:
            place = (each.seat, able[0].family)
            narrowest[place] = min(narrowest.get(place, able), able, key=len)
    for (seat, _), able in narrowest.items():
        none = prod(1 - chances[card][seat] for card in able)
        for card in able:
            chances[card][seat] /= max(1 - none, LEAST)


def _fit_hands(chances: Chances, slots: dict[int, int]) -> None:
    totals = dict.fromkeys(slots, 0.0)
    for where in chances.values():
        for seat, chance in where.items():
            totals[seat] += chance
    for where in chances.values():
        if len(where) > 1:
            for seat in where:
                where[seat] *= slots[seat] / totals[seat] if totals[seat] else 1.0


def _fit_cards(chances: Chances) -> None:
    for card, where in chances.items():
        chances[card] = _shares(where)


def _shares(where: dict[int, float]) -> dict[int, float]:
    total = sum(where.values())
    return {seat: chance / total for seat, chance in where.items()} if total else where
