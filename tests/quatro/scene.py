"""Given a drawn table, when seats do things, then this came of it: the form of the rule tests of Quatro."""

from inspect import cleandoc

from msgspec.structs import replace

from shared.games.quatro import game, notation
from shared.games.quatro.rules import Rules
from shared.kernel import Event, Refused
from tests.quatro.play import START, Play, table
from tests.quatro.words import outcome, parse

FOUR = """
centre  QH JD 10C AS
0  QS QD QC KH
1  KS KD JC 10H
2  AH AD JS JH
3  AC 10S 10D KC
"""
"""Seat 0 lacks one queen, and it lies in place 0."""

SIX = """
centre  QH JD 10C AS
0  QS QD QC KH
1  KS KD JC 10H
2  AH AD JS JH
3  AC 10S 10D KC
4  9S 9H 8D 8C
5  9D 9C 8S 8H
"""

EIGHT = """
centre  QH JD 10C AS
0  QS QD QC KH
1  KS KD JC 10H
2  AH AD JS JH
3  AC 10S 10D KC
4  9S 9H 8D 8C
5  9D 9C 8S 8H
6  7S 7H 6D 6C
7  7D 7C 6S 6H
"""

PASSED = ("10 0 asks", "11 1 agrees", "11 2 agrees", "12 3 agrees")
"""A vote that passes at second 12 when all four are people."""


class Scene:
    """An open round that begins with a drawn table, at second 0."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.outcomes: list[str] = []
        self.refusals: list[Refused] = []

    def when(self, *sentences: str) -> "Scene":
        """Seats do things, at seconds since the opening, after everything that is due by then."""
        for sentence in sentences:
            at, seat, verb, command = parse(sentence)
            if command is None:
                self._presence(seat, verb == "comes", START + at)
                continue
            decision = self.play.send(seat, command, START + at)
            self.outcomes.append(outcome(decision, START))
            if isinstance(decision, Refused):
                self.refusals.append(decision)
        return self

    def until(self, second: float) -> "Scene":
        """Time passes."""
        self.play.until(START + round(second * 1_000_000))
        return self

    def then(self, *outcomes: str) -> "Scene":
        """What came of all that was done since."""
        assert self.outcomes == list(outcomes)
        self.outcomes = []
        return self

    def looks(self, text: str) -> "Scene":
        """The table as it is drawn now."""
        assert notation.draw(self.play.state, self.play.at) == cleandoc(text)
        return self

    def happened(self, kind: type[Event]) -> list[tuple[int, Event]]:
        """The events of one kind, with the µs since the opening."""
        return [(now.at - START, event) for now, event in self.play.events if isinstance(event, kind)]

    def points(self) -> tuple[int, ...]:
        """What the stopped round gives."""
        return game.award(self.play.table, self.play.state)

    def _presence(self, seat: int, connected: bool, at: int) -> None:
        self.play.until(at)
        seats = list(self.play.table.seats)
        seats[seat] = replace(seats[seat], connected=connected, since=at)
        self.play.table = replace(self.play.table, seats=tuple(seats))
        self.play.version, self.play.at = self.play.version + 1, at
        self.play.until(at)


def given(text: str = FOUR, rules: Rules | None = None, bots: frozenset[int] = frozenset()) -> Scene:
    """An open round of people (and bots) with these cards."""
    seats = len(text.strip().splitlines()) - 1
    play = Play(table(seats, bots), rules or Rules())
    play.open()
    play.state = notation.read(text, play.state)
    return Scene(play)
