"""Given a drawn table, when seats ask, then this came of it: the form of the rule tests of Kwartet."""

from inspect import cleandoc
from typing import assert_never

from msgspec.structs import replace

from shared.games.kwartet import events, game, notation
from shared.games.kwartet.commands import Ask, PassAbsent
from shared.games.kwartet.state import Last
from shared.kernel import HOUSE, Decision, LostTo, Refused, Seat
from tests.kwartet import play as plays
from tests.kwartet.play import START, Play

SECOND = 1_000_000


class Scene:
    """An open game that begins with a drawn table, at second 0."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.outcomes: list[str] = []
        self.refusals: list[Refused] = []

    def when(self, *sentences: str) -> "Scene":
        """`0 asks 1 QH`, `host passes`, each with `at 12.5` (seconds since the opening) if it matters."""
        for sentence in sentences:
            words, _, at = sentence.partition(" at ")
            self._do(words.split(), START + round(float(at) * SECOND) if at else self.play.at)
        return self

    def until(self, second: float) -> "Scene":
        """Time passes."""
        known = len(self.play.events)
        self.play.until(START + round(second * SECOND))
        self.outcomes += [told(event) for _, event in self.play.events[known:]]
        return self

    def seat(self, number: int, at: float = 0, **changed: object) -> "Scene":
        """A seat is another from a second on: `connected=False`, `bot="careful"`, `player=None`."""
        seats = list(self.play.table.seats)
        since = START + round(at * SECOND)
        seats[number] = replace(seats[number], since=since, **changed)
        self.play.table = replace(self.play.table, seats=tuple(seats))
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

    def lost_to(self) -> LostTo | None:
        """What the last refusal lost to."""
        return self.refusals[-1].lost_to

    def points(self) -> tuple[int, ...]:
        """What the game gives."""
        return game.award(self.play.table, self.play.state)

    def winners(self) -> tuple[int, ...] | None:
        """Who wins it."""
        return game.winners(self.play.state.rules, self.points(), self.play.state)

    def _do(self, words: list[str], at: int) -> None:
        known = len(self.play.events)
        self.play.until(at)
        self.outcomes += [told(event) for _, event in self.play.events[known:]]
        match words:
            case ["host", "passes"]:
                self._note(self.play.send(0, PassAbsent(), at))
            case [by, "asks", to, card]:
                self._note(self.play.send(int(by), Ask(int(to), notation.card(card)), at))
            case _:
                raise ValueError(words)

    def _note(self, decision: Decision) -> None:
        if isinstance(decision, Refused):
            self.refusals.append(decision)
            self.outcomes.append(decision.code)
        else:
            self.outcomes += [told(event) for event in decision]


def told(event: object) -> str:
    """An event in a few words."""
    assert isinstance(event, events.Any)
    match event:
        case events.CardsDealt(dealer):
            return f"{dealer} deals"
        case events.CardAsked(by, to, card, given):
            return f"{by} asked {to} {notation.write(card)} {'given' if given else 'no'}"
        case events.CardDrawn(seat, card):
            return f"{seat} draws {notation.write(card)}"
        case events.FamilyExposed(seat, family):
            return f"{seat} lays {family}"
        case events.HandEmptied(seat):
            return f"{seat} out"
        case events.TurnTimedOut(seat):
            return f"{seat} timed out"
        case events.TurnPassed(seat):
            return f"{seat} passed"
        case events.TurnCame(seat):
            return f"turn {seat}"
        case events.GameEnded(by, how, complete):
            return f"over by {by} {how}" + ("" if complete else " incomplete")
        case _:
            assert_never(event)


def given(text: str, **rules: object) -> Scene:
    """An open game of the ordinary pack with these cards; every seat is a connected person, seat 0 is host."""
    players = sum(line.split()[0].isdigit() for line in text.strip().splitlines())
    play = Play(plays.table(players), plays.rules(players, **rules))
    play.version = 1
    dealt = Last(1, START, HOUSE, "dealt")
    play.state = replace(notation.read(text, play.state), since=START, last=dealt)
    return Scene(play)


__all__ = ["Scene", "Seat", "given", "told"]
