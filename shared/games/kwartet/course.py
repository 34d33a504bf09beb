"""What follows from one command, event by event: families laid down, the stock drawn from, hands emptied, the turn."""

from collections.abc import Iterable

from shared.games.kwartet import events
from shared.games.kwartet.evolve import evolve
from shared.games.kwartet.state import BARREN_PER_CARD, State, clockwise, next_with_cards
from shared.kernel import By, Moment, Table


class Course:
    """Collects the events of one decision and keeps the state after them; it lives no longer than the decision."""

    def __init__(self, table: Table, play: State, now: Moment) -> None:
        self.events: list[events.Any] = []
        self.play = play
        self._table, self._now = table, now
        self._before = play

    def add(self, event: events.Any) -> None:
        """The event happens."""
        self.events.append(event)
        self.play = evolve(self._table, self.play, event, self._now)
        if type(event) is events.CardsDealt:
            self._before = self.play

    def draw(self, seat: int) -> None:
        """The seat draws the top of the stock (K-VAR-2)."""
        self.add(events.CardDrawn(seat, self.play.stock[0]))

    def lay_down(self, seats: Iterable[int]) -> None:
        """Complete families of these seats are exposed, each hand in the pack's order (K-SET-1, K-DEAL-3)."""
        for seat in seats:
            held: dict[str, int] = {}
            for card in self.play.hands[seat]:
                held[card.family] = held.get(card.family, 0) + 1
            if 4 in held.values():
                for family in self.play.rules.pack.families:
                    if held.get(family.name) == 4:
                        self.add(events.FamilyExposed(seat, family.name))

    def refill(self, first: int) -> None:
        """While there is stock an empty hand draws one, `first` first; without it is out (K-VAR-2, K-EMPTY-1)."""
        if () not in self.play.hands:
            return
        for seat in clockwise(len(self.play.hands), first):
            if not self.play.hands[seat] and self.play.stock:
                self.draw(seat)
            elif not self.play.hands[seat] and self._before.hands[seat]:
                self.add(events.HandEmptied(seat))

    def go_on(self, by: By, how: events.How, seat: int) -> None:
        """The game ends, or goes on with the seat or the next one that holds cards (K-END-1, K-END-4, K-EMPTY-2)."""
        pack = self.play.rules.pack
        complete = len(self.play.exposed) == len(pack.families)
        if complete or self.play.barren >= BARREN_PER_CARD * pack.size:
            self.add(events.GameEnded(by, how, complete))
            return
        turn = next_with_cards(self.play, seat - 1)
        if turn != self.play.turn:
            self.add(events.TurnCame(turn))
