"""Whole games through the real table in any order of doings, on a virtual clock; every round verifies afterwards."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from shared.games.kwartet import commands as k
from shared.games.kwartet.cards import Card
from shared.games.kwartet.state import State
from shared.kernel import Refused
from shared.table import commands as t
from shared.table.view import own, public
from tests.kwartet.play import TINY
from tests.kwartet.test_at_the_table import PEOPLE, Desk, can_ask, opened, verified
from tests.kwartet.test_laws import check_laws

SEATS = st.integers(0, 5)
STRANGE = (Card("Q", "H"), Card("ape", "ape1"), Card("7", "S"), Card("", ""))


class Kwartet(RuleBasedStateMachine):
    """People ask, go, come back, dawdle; the host passes; owners vanish."""

    desk: Desk

    @initialize(
        players=st.integers(2, 5),
        tiny=st.booleans(),
        miss=st.sampled_from(["asked", "clockwise"]),
        turn=st.sampled_from([0, 5, 60]),
    )
    def lay(self, players: int, tiny: bool, miss: str, turn: int) -> None:
        """A table of people, opened."""
        pack: dict[str, Any] = {"pack": TINY} if tiny and players < 4 else {}
        self.desk = opened(players, after_miss=miss, turn_seconds=turn, **pack)

    @property
    def playing(self) -> bool:
        """Whether a game is open."""
        return self.desk.s.phase == "playing"

    @precondition(lambda self: self.playing)
    @rule(number=st.integers(0, 999))
    def ask(self, number: int) -> None:
        """A listed request is accepted, unless the turn's time is over."""
        asks = [k.Ask(each.seat, card) for each in can_ask(self.desk) for card in each.cards]
        ask, version = asks[number % len(asks)], self.desk.s.version
        decided = self.desk.send(PEOPLE[self.desk.turn], ask)
        if self.desk.s.version == version + 1:
            assert not isinstance(decided, Refused)

    @rule(seat=SEATS, to=st.integers(-1, 6), number=st.integers(0, 999))
    def ask_anything(self, seat: int, to: int, number: int) -> None:
        """Any request by anyone: a refusal changes nothing."""
        before, play = self.desk.s.version, self.desk.s.play
        cards = (*STRANGE, *(play.rules.pack.cards() if isinstance(play, State) else ()))
        decided = self.desk.send(PEOPLE[seat], k.Ask(to, cards[number % len(cards)]))
        if isinstance(decided, Refused) and self.desk.s.version <= before + 1:
            assert self.desk.s.play is play

    @rule(seconds=st.sampled_from([0.000001, 1, 4.999999, 30, 61]))
    def wait(self, seconds: float) -> None:
        """Time passes at a table with an owner."""
        self.desk.wait(round(seconds * 1_000_000))

    @rule(seconds=st.integers(1, 400))
    def lose_the_owner(self, seconds: int) -> None:
        """Time passes and nobody owns the table."""
        self.desk.sleep(seconds * 1_000_000)

    @rule(seat=SEATS)
    def go(self, seat: int) -> None:
        """A player's connection is gone."""
        self.desk.disconnect(PEOPLE[seat])

    @rule(seat=SEATS)
    def come(self, seat: int) -> None:
        """A player is back."""
        self.desk.connect(PEOPLE[seat])

    @rule(seat=SEATS)
    def pass_absent(self, seat: int) -> None:
        """The host, or somebody who would like to be, passes the turn."""
        self.desk.send(PEOPLE[seat], k.PassAbsent())

    @precondition(lambda self: self.desk.s.phase == "scoring")
    @rule()
    def score(self) -> None:
        """The scorer awards; a new game follows."""
        self.desk.award()
        assert self.desk.s.phase == "over"
        self.desk.send(PEOPLE[0], t.NewGame())
        self.desk.wait(31_000_000)

    @invariant()
    def laws(self) -> None:
        """K-END-3, and the view's sums."""
        play = self.desk.s.play
        if not isinstance(play, State) or play.dealer is None:
            return
        check_laws(play)
        shown = public(self.desk.s, {}, 0)
        assert shown["points"] == list(play.points)
        for seat in range(len(play.hands)):
            assert own(self.desk.s, seat)["hand"] is not None

    def teardown(self) -> None:
        """The log is what the rules make of it."""
        if hasattr(self, "desk"):
            verified(self.desk)


Kwartet.TestCase.settings = settings(max_examples=20, stateful_step_count=50, deadline=None)
TestKwartet = Kwartet.TestCase
