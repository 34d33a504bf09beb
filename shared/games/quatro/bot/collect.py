"""Which card a bot swaps: for the rank it collects, and now and then just to bring cards into play."""

from shared.games.quatro.bot.memory import Memory
from shared.games.quatro.bot.view import View
from shared.games.quatro.cards import Card, rank
from shared.games.quatro.commands import SwapCard
from shared.kernel import Random


def goal(view: View, memory: Memory) -> str:
    """The rank to collect: much of it in hand and centre, little of it seen in others' hands, not given up."""
    hand = [rank(card) for card in view.own.hand]
    centre = [rank(card) for card in view.public.centre]
    taken = [rank(card) for seat, cards in enumerate(memory.known) if seat != view.own.seat for card in cards]

    def worth(each: str) -> tuple[int, str]:
        return 4 * hand.count(each) + 3 * centre.count(each) - 3 * taken.count(each) - 9 * (each == memory.shun), each

    return max({*hand, *centre}, key=worth)


def improving(view: View, memory: Memory) -> SwapCard | None:
    """A swap that brings one more of the rank collected, None if the centre has none."""
    wanted = goal(view, memory)
    places = [place for place, card in enumerate(view.public.centre) if rank(card) == wanted]
    spare = _spare(view, memory, wanted)
    return SwapCard(spare[0], places[0], view.public.centre[places[0]]) if places and spare else None


def stirring(view: View, memory: Memory, random: Random) -> SwapCard | None:
    """A swap of a card of no use for a chance one: the centre changes only if somebody changes it."""
    spare = _spare(view, memory, goal(view, memory))
    if not spare:
        return None
    place = random.randrange(len(view.public.centre))
    return SwapCard(spare[0], place, view.public.centre[place])


def _spare(view: View, memory: Memory, wanted: str) -> list[Card]:
    """The cards of no use, best given away first: what the partner collects, last what an opponent does."""
    hand = [rank(card) for card in view.own.hand]
    held = [[rank(card) for card in cards] for cards in memory.known]
    across = (view.own.seat + len(held) // 2) % len(held)
    partner = held[across]
    theirs = [ranks for seat, ranks in enumerate(held) if seat not in (across, view.own.seat)]

    def cost(card: Card) -> tuple[int, int, str]:
        of = rank(card)
        return max(ranks.count(of) for ranks in theirs) - partner.count(of), hand.count(of), card

    return sorted((card for card in view.own.hand if rank(card) != wanted), key=cost)
