"""The deal of Kwartet from the round's key ("Chance, to the byte" in the rulings)."""

from shared.games.kwartet.events import CardsDealt
from shared.games.kwartet.rules import Rules
from shared.kernel import Table
from shared.shuffle import Stream

LABEL = "deal/0"


def deal(table: Table, rules: Rules) -> CardsDealt:
    """First the dealer is drawn, then the pack is shuffled and dealt clockwise from the dealer's left (K-DEAL-1)."""
    if table.key is None:
        raise ValueError("a table is opened with its key")
    players = len(table.seats)
    stream = Stream(table.key, LABEL)
    dealer = stream.draw(players)
    cards = stream.shuffle(list(rules.pack.cards()))
    dealt = len(cards) if players > 2 else players * (len(cards) // 4)  # K-VAR-2
    hands = tuple(tuple(cards[(seat - dealer - 1) % players : dealt : players]) for seat in range(players))
    return CardsDealt(dealer, hands, tuple(cards[dealt:]))
