"""A game of Kwartet for the dispute room: a request that crosses a change of turn, and one after the last family."""

from itertools import chain
from typing import Any

from tests.web.disputed import Disputed, Table
from tests.web.house import House

Card = dict[str, Any]
NAMES = ("Ada", "Cas", "Bo")


class Cards:
    """Who holds what, as those say who hold it."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.hands: list[list[Card]] = [table.view(who)["own"]["hand"] for who in range(len(table.people))]

    def holder(self, card: Card) -> int | None:
        """Whose hand it is in; None: it lies open."""
        return next((who for who, hand in enumerate(self.hands) if card in hand), None)

    def askable(self, who: int) -> list[tuple[int, Card]]:
        """Whom this player may ask for what."""
        return [(one["seat"], card) for one in self._table.view(who)["own"]["can_ask"] for card in one["cards"]]

    def right(self, who: int) -> tuple[int, Card]:
        """A request that is granted."""
        return next((seat, card) for seat, card in self.askable(who) if self.holder(card) == seat)

    def wrong(self, who: int) -> tuple[int, Card]:
        """One that is not: of another player than `right` asks."""
        return next((seat, card) for seat, card in self.askable(who) if self.holder(card) != seat)

    def took(self, who: int, card: Card) -> None:
        """The card came to this player; a family that is complete is laid down."""
        holder = self.holder(card)
        assert holder is not None, "asked for what somebody holds"
        self.hands[holder].remove(card)
        self.hands[who].append(card)
        family = [held for held in self.hands[who] if held["family"] == card["family"]]
        if len(family) == 4:
            self.hands[who] = [held for held in self.hands[who] if held not in family]


def crossed(house: House) -> Disputed:
    """Who is on turn asks in vain and, before seeing that, again; then all requests are granted; one comes too late."""
    table = Table(house.url, NAMES, game="kwartet")
    table.open()
    cards, first = Cards(table), _turn(table)
    (seat, card), (other, granted) = cards.wrong(first), cards.right(first)
    assert table.does(first, "Ask", seat=seat, card=card)["accepted"]
    crossing = table.does(first, "Ask", seat=other, card=granted)
    assert crossing["refused"] == "not_your_turn"
    house.stop_scoring()
    while any(chain(*cards.hands)):
        who = _turn(table)
        seat, card = cards.right(who)
        assert table.does(who, "Ask", seat=seat, card=card)["accepted"]
        cards.took(who, card)
    late = table.does((who + 1) % len(NAMES), "Ask", seat=who, card=card)
    assert late["refused"] == "round_over"
    house.start_scoring()
    return table.ended([crossing, late])


def _turn(table: Table) -> int:
    return int(table.view(0)["public"]["turn"])
