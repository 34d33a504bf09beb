"""What a bot makes of what it saw: how likely a seat holds four of a kind. It reads view and memory only."""

import math

from shared.games.quatro.bot.memory import Memory
from shared.games.quatro.bot.view import View
from shared.games.quatro.cards import HAND_CARDS, RANKS, Card, deck, rank

STILL_US = 8_000_000
"""Who could swap and does not for this long has a reason; likelier with every such span."""

HIDDEN_MAX = 12
"""As everyone collects, four of a kind are hardly rarer with a larger deck than with four seats' (12 cards hidden)."""

SHOWS_ODDS = 4.0
STILL_ODDS = 3.0
KEEPS_ODDS = 4.0


def possible(view: View, memory: Memory, seat: int) -> list[str]:
    """The ranks of which that seat can hold all four, as far as I can see."""
    elsewhere = {rank(card) for card in (*view.own.hand, *view.public.centre)}
    for other, cards in enumerate(memory.known):
        if other not in (seat, view.own.seat):
            elsewhere |= {rank(card) for card in cards}
    held = {rank(card) for card in memory.known[seat]}
    return [each for each in RANKS[: len(memory.known) + 1] if each not in elsewhere and held <= {each}]


def chance(view: View, memory: Memory, seat: int, now: int) -> float:
    """How likely that seat holds four of a kind, 0 to 1: the cards' odds times what its behaviour says."""
    known = len(memory.known[seat])
    shows = view.public.seats[seat].channel.emoji is not None
    if not known and not shows:
        return 0.0  # who took nothing and shows nothing is not accused
    if known >= HAND_CARDS:  # more: of two swaps in one view it missed what was put down and taken again
        return 1.0 if possible(view, memory, seat) else 0.0
    hidden = min(max(len(_hidden(view, memory)), HAND_CARDS), HIDDEN_MAX)
    ways = math.comb(hidden, HAND_CARDS - known)
    prior = min(len(possible(view, memory, seat)) / ways, 0.9)
    odds = prior / (1 - prior) * math.pow(KEEPS_ODDS, known) * math.pow(STILL_ODDS, _still(view, memory, seat, now))
    if shows:
        odds *= SHOWS_ODDS
    return odds / (1 + odds)


def _hidden(view: View, memory: Memory) -> set[Card]:
    """The cards of which I don't know where they are."""
    seen = set(view.own.hand) | set(view.public.centre)
    return set(deck(len(memory.known))) - seen - {card for cards in memory.known for card in cards}


def _still(view: View, memory: Memory, seat: int, now: int) -> float:
    ready = max(memory.moved[seat], view.public.seats[seat].swap_ready_at or 0)
    return min(max(now - ready, 0) / STILL_US, 4.0)
