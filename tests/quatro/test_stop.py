"""Before the opening and after the stop nothing is played; who comes second hears to whom, and all see everything."""

import pytest

from shared.games.quatro import commands as q
from shared.kernel import SECOND, Command, Refused
from tests.quatro.house import House, code, opened, prepared
from tests.rules import rule

PLAYING: list[Command] = [
    q.SwapCard("QS", 0, "QH"),
    q.TakeChannel(),
    q.GiveChannel(),
    q.ShowEmoji("🍍"),
    q.CallQuatro(),
    q.CallCounter(),
    q.AskReshuffle(),
    q.AnswerReshuffle(agree=True),
]


@rule("Q-SWAP-8", "Q-STOP-1")
@pytest.mark.parametrize("command", PLAYING, ids=lambda each: type(each).__name__)
def test_before_the_opening_and_after_the_stop_nothing_can_be_played(command: Command) -> None:
    house = House()
    house.create(4)
    assert code(house.send(0, command, 0)) == "round_not_open"
    house = prepared()
    assert code(house.send(0, command, SECOND)) == "round_not_open"
    house = opened()
    house.send(2, q.CallQuatro(), 5 * SECOND)
    assert code(house.send(0, command, 6 * SECOND)) == "round_over"


@rule("Q-STOP-1")
@pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 0)])
@pytest.mark.parametrize("late", [q.CallQuatro(), q.CallCounter()])
def test_of_two_calls_the_first_stops_the_round_and_the_second_hears_by_how_much(
    first: int, second: int, late: Command
) -> None:
    house = opened()
    house.send(first, q.CallCounter(), 5 * SECOND)
    version = house.table.version
    refused = house.send(second, late, 5 * SECOND + 38_000)
    assert isinstance(refused, Refused)
    assert refused.lost_to is not None
    assert (refused.code, refused.lost_to.version) == ("round_over", version)
    assert (refused.lost_to.by, refused.lost_to.margin_us) == (first, 38_000)


@rule("Q-STOP-1", "Q-TIME-1")
def test_a_call_at_the_end_of_the_round_lost_to_time() -> None:
    house = opened()
    refused = house.send(0, q.CallQuatro(), 181 * SECOND)
    assert isinstance(refused, Refused)
    assert refused.lost_to is not None
    assert (refused.code, refused.lost_to.by, refused.lost_to.why, refused.lost_to.margin_us) == (
        "round_over",
        "house",
        "time",
        0,
    )


@rule("Q-SIGN-6", "Q-STOP-2")
def test_from_the_stop_on_everyone_sees_hands_fours_and_signs() -> None:
    house = opened()
    state = house.play
    house.send(2, q.CallQuatro(anyway=True), 5 * SECOND)
    for seat in (None, 0, 1, 2, 3):
        public = house.frame(seat)["public"]
        assert isinstance(public, dict)
        assert public["last_round"]["hands"] == [list(hand) for hand in state.hands]
        assert public["last_round"]["signs"] == list(state.signs)
