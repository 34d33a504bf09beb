"""The laws, over whole games at the real table: whatever anyone does and whenever, these hold after every record."""

from typing import get_args

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from shared.games.quatro import commands as q
from shared.games.quatro import events as e
from shared.games.quatro import game
from shared.games.quatro.cards import SIGNS, deck
from shared.games.quatro.rules import Rules
from shared.games.quatro.state import State
from shared.kernel import SECOND, Command, Refused
from shared.table import commands as t
from shared.table.codec import codec
from shared.table.evolve import fold
from shared.table.record import encode
from shared.table.state import State as Whole
from tests import rules
from tests.quatro.house import AnyRecord, House

RULES = Rules(target_points=2, prepare_ms=2_000, break_ms=1_000, round_ms=30_000, vote_gap_ms=3_000, vote_ms=5_000)

BY_TIME_OR_CHOICE = {
    *("too_soon", "card_gone", "not_in_hand", "no_such_place", "own_four"),
    *("name_a_team", "no_such_team", "own_team", "no_such_sign", "sign_used_last_round"),
}
"""Refusals that `can` does not speak of: time, races, and what was chosen."""

seats = st.integers(0, 7)
few = st.integers(0, 3)
waits = st.sampled_from([0, 0, 1, 250_000, SECOND, 2 * SECOND - 1, 2 * SECOND])


class Games(RuleBasedStateMachine):
    """Games of Quatro by people who do anything at any time."""

    @initialize(count=st.sampled_from([4, 6, 8]), bots=st.frozensets(st.integers(2, 7), max_size=3), seed=few)
    def begin(self, count: int, bots: frozenset[int], seed: int) -> None:
        self.house = House(seed)
        self.house.create(count, RULES)
        self.house.fill(bots)
        self.at = SECOND
        self.house.send(0, t.StartGame(), self.at)
        self.house.until(self.at)

    @rule(wait=waits)
    def time_passes(self, wait: int) -> None:
        self.at += wait
        self.house.until(self.at)

    @rule(seat=seats, wait=waits, card=few, place=few)
    def a_seat_swaps(self, seat: int, wait: int, card: int, place: int) -> None:
        self._go(wait)
        play = self._play()
        if play and play.centre:
            hand = play.hands[self._seat(seat)]
            self._send(seat, q.SwapCard(hand[card], place, play.centre[place]), fits=True)

    @rule(
        seat=seats, card=st.sampled_from([*deck(8), "XX", ""]), place=st.integers(-1, 4), aim=st.sampled_from(deck(8))
    )
    def a_seat_swaps_anything(self, seat: int, card: str, place: int, aim: str) -> None:
        self._send(seat, q.SwapCard(card, place, aim), fits=False)

    @rule(seat=seats, wait=waits, sign=st.sampled_from([*SIGNS[:3], "x"]))
    def a_seat_picks_or_shows(self, seat: int, wait: int, sign: str) -> None:
        self._go(wait)
        self._send(seat, q.PickSign(sign), fits=False)
        self._send(seat, q.ShowEmoji(sign), fits=sign != "x")

    @rule(seat=seats, wait=waits, take=st.booleans())
    def a_seat_changes_its_channel(self, seat: int, wait: int, take: bool) -> None:
        self._go(wait)
        self._send(seat, q.TakeChannel() if take else q.GiveChannel(), fits=True)

    @rule(seat=seats, wait=waits)
    def a_seat_asks_for_a_reshuffle(self, seat: int, wait: int) -> None:
        self._go(wait)
        self._send(seat, q.AskReshuffle(), fits=True)

    @rule(seat=seats, agree=st.sampled_from([True, True, True, False]))
    def a_seat_answers(self, seat: int, agree: bool) -> None:
        self._send(seat, q.AnswerReshuffle(agree), fits=True)

    @precondition(lambda self: (play := self._play()) is not None and play.vote is not None)
    @rule(but=seats)
    def the_others_agree(self, but: int) -> None:
        for seat in range(len(self.house.table.table.seats)):
            if seat != but:
                self._send(seat, q.AnswerReshuffle(agree=True), fits=True)

    @precondition(lambda self: self.house.table.phase in ("preparing", "break"))
    @rule()
    def all_are_ready(self) -> None:
        for seat in range(len(self.house.table.table.seats)):
            self.house.send(seat, t.Ready(), self.at)
        self.house.until(self.at)

    @precondition(lambda self: self.at % 5 == 0)
    @rule(seat=seats, team=st.sampled_from([None, -1, 0, 1, 2, 3, 4]), call=st.booleans(), anyway=st.booleans())
    def a_seat_calls(self, seat: int, team: int | None, call: bool, anyway: bool) -> None:
        if call:
            self._send(seat, q.CallQuatro(anyway), fits=anyway)
        else:
            self._send(seat, q.CallCounter(team), fits=False)

    @rule(seat=seats, there=st.sampled_from([True, True, False]))
    def a_player_comes_or_goes(self, seat: int, there: bool) -> None:
        seat = self._seat(seat)
        if self.house.table.table.seats[seat].human:
            self.house.presence(seat, there, self.at)

    @rule(seat=seats)
    def a_player_is_ready_or_plays_again(self, seat: int) -> None:
        again = self.house.table.phase == "over"
        self.house.send(self._seat(seat), t.NewGame() if again else t.Ready(), self.at)
        self.house.until(self.at)

    @invariant()
    def hands_and_centre_are_the_deck(self) -> None:
        play = self._play()
        if play and play.centre:
            cards = [*play.centre, *(card for hand in play.hands for card in hand)]
            assert sorted(cards) == sorted(deck(len(play.hands)))
            assert {len(hand) for hand in play.hands} == {4}

    @invariant()
    def the_points_are_what_the_rounds_gave(self) -> None:
        if hasattr(self, "house"):
            points = self.house.table.table.points
            assert all(0 <= score <= RULES.target_points for score in points)
            assert (self.house.table.phase == "over") == (max(points) >= RULES.target_points)

    @invariant()
    def every_round_has_an_end_that_is_due(self) -> None:
        if hasattr(self, "house") and self.house.table.phase in ("preparing", "playing"):
            assert self.house.table.next_due is not None

    def teardown(self) -> None:
        if not hasattr(self, "house"):
            return
        round = self.house.table.table.round
        if self.house.table.phase == "playing":
            self.house.until(self.at + 31 * SECOND)
            assert self.house.table.table.round == round + 1
        assert replayed(self.house.records) == self.house.table
        assert [through_the_log(record) for record in self.house.records] == self.house.records

    def _go(self, wait: int) -> None:
        self.at += wait
        self.house.until(self.at)

    def _seat(self, seat: int) -> int:
        return seat % len(self.house.table.table.seats)

    def _play(self) -> State | None:
        play = self.house.table.play if hasattr(self, "house") else None
        return play if isinstance(play, State) else None

    def _send(self, seat: int, command: Command, fits: bool) -> None:
        """The command is accepted if and only if the view said so; `fits`: nothing chosen in it can be wrong."""
        seat = self._seat(seat)
        self.house.until(self.at)
        before = self.house.table
        own = self.house.frame(seat)["own"]
        assert isinstance(own, dict)
        said = type(command).__name__ in own["can"]
        decided = self.house.send(seat, command, self.at)
        if isinstance(decided, Refused):
            assert self.house.table.play is before.play
            assert not said or decided.code in BY_TIME_OR_CHOICE
            assert not (said and fits) or decided.code == "too_soon"
        else:
            assert said
        self.house.until(self.at)


def replayed(records: list[AnyRecord]) -> Whole | None:
    """Replay is play: the records folded again from nothing."""
    state: Whole | None = None
    for record in records:
        state = fold(state, record)
    return state


def through_the_log(record: AnyRecord) -> AnyRecord:
    """A record written to bytes and read again."""
    return codec(game).decode_record(encode(record))


TestGames = rules.rule("Q-DEAL-1", "Q-SWAP-2", "Q-WIN-2", "Q-TIME-1")(rules.case("C-01", "C-05")(Games.TestCase))
TestGames.settings = settings(max_examples=40, stateful_step_count=60, deadline=None)


@rules.rule("Q-SWAP-2", "Q-STOP-1")
def test_every_command_and_event_is_known_to_the_game() -> None:
    assert set(game.commands) == set(get_args(q.SeatCommand))
    assert set(game.events) == set(get_args(e.QuatroEvent))
    assert set(game.house_commands) == set(get_args(q.HouseCommand))


@rules.rule("Q-SWAP-6", "Q-COUNTER-1")
def test_what_no_client_of_ours_could_send_is_no_command() -> None:
    decode = codec(game).decode_command
    good = {"type": "SwapCard", "card": "QS", "place": 0, "aimed_at": "QH"}
    assert decode(msgspec.json.encode(good)) == q.SwapCard("QS", 0, "QH")
    for bad in (
        good | {"seat": 1},
        good | {"place": "0"},
        good | {"place": 1.5},
        good | {"card": "Q" * 17},
        {"type": "SwapCard", "card": "QS"},
        {"type": "TimeUp"},
        {"type": "Beat", "seat": 0},
        {"type": "CallCounter", "team": 2**60},
        {"type": "CallQuatro", "anyway": "yes"},
    ):
        assert not isinstance(decode(msgspec.json.encode(bad)), Command)
