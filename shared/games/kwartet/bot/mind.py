"""A Kwartet bot's mind: it asks where a card most likely is. Three levels remember and infer differently well."""

from math import exp

from shared.games.kwartet.bot import guess, memory
from shared.games.kwartet.bot.memory import Memory
from shared.games.kwartet.bot.view import View
from shared.games.kwartet.cards import Card
from shared.games.kwartet.commands import Ask
from shared.kernel import SECOND, Bot, Random, Thought

LEVELS = ("forgetful", "careful", "perfect")
HEARD_LATELY = 2
"""Of the requests a forgetful bot still has only this many in its ear."""
DELAY_US_MIN = SECOND // 4
MEDIAN_US, SPREAD = 1_400_000, 0.45
AT_EASE_US = 60 * SECOND

NEAR, TOLD, SURE = 0.6, 0.3, 0.999
"""What a perfect bot adds for each card of the family it holds, and for a family that it asked for before."""

Choice = tuple[int, Card]
Score = tuple[float, float]


def think(view: View, before: object | None, now: int, random: Random, level: str) -> Thought:
    """What to ask next, or only what to remember. Never faster than a person (C-27)."""
    if view.public.phase != "playing":
        return Thought(None, None, AT_EASE_US)
    known = _remember(view, before if isinstance(before, Memory) else Memory(), level)
    choices = [(each.seat, card) for each in view.own.can_ask for card in each.cards]
    if not choices:
        return Thought(known, None, AT_EASE_US)
    seat, card = _choose(view, known, choices, random, level)
    return Thought(known, Ask(seat, card), _delay(view.public.deadline, now, random))


def _remember(view: View, before: Memory, level: str) -> Memory:
    if level == "forgetful":
        lately = Memory(view.public.round, view.public.asks[:-HEARD_LATELY], view.public.stock)
        return memory.learn(lately, view)
    return memory.learn(before, view)


def _choose(view: View, known: Memory, choices: list[Choice], random: Random, level: str) -> Choice:
    scored = _SCORES[level](view, known, choices)
    best = max(score for score, _ in scored)
    good = [choice for score, choice in scored if score == best]
    return good[random.randrange(len(good))]


def _vague(view: View, known: Memory, choices: list[Choice]) -> list[tuple[Score, Choice]]:
    """What it just heard, else anything that it did not just hear refused: who forgets must not ask by a fixed rule."""
    chances = guess.places(known, view)
    found = [(chances[card].get(seat, 0.0), (seat, card)) for seat, card in choices]
    return [((float(chance > SURE), float(chance > 0)), choice) for chance, choice in found]


def _likely(view: View, known: Memory, choices: list[Choice]) -> list[tuple[Score, Choice]]:
    """Where the card most likely is; of equals the one that brings a family furthest."""
    chances, held = guess.places(known, view), [card.family for card in view.own.hand]
    return [((round(chances[card].get(seat, 0.0), 6), held.count(card.family)), (seat, card)) for seat, card in choices]


def _perfect(view: View, known: Memory, choices: list[Choice]) -> list[tuple[Score, Choice]]:
    """First what is certain; else what is likely, nearly complete, and tells the others least."""
    chances, held = guess.infer(known, view), [card.family for card in view.own.hand]
    told = {card.family for each in known.some if each.seat == view.own.seat for card in each.cards}
    scored: list[tuple[Score, Choice]] = []
    for seat, card in choices:
        chance = chances[card].get(seat, 0.0)
        worth = 1 + NEAR * (held.count(card.family) - 1) + TOLD * (card.family in told)
        scored.append(((float(chance > SURE), round(chance * worth, 6)), (seat, card)))
    return scored


_SCORES = {"forgetful": _vague, "careful": _likely, "perfect": _perfect}


def _delay(deadline: int | None, now: int, random: Random) -> int:
    """Log-normal like a person's; at most half of what is left of the turn."""
    normal = sum(random.random() for _ in range(12)) - 6
    wanted = int(MEDIAN_US * exp(SPREAD * normal))
    left = (deadline - now) // 2 if deadline is not None else wanted
    return max(DELAY_US_MIN, min(wanted, left))


bot = Bot(levels=LEVELS, view=View, think=think)
