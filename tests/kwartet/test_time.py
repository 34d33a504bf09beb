"""The turn's clock and players who are away (K-TIME-1, K-DISC-1), with the races at the instant of the change."""

import pytest

from shared.games.kwartet import game
from shared.games.kwartet.commands import EndTurn
from shared.kernel import LostTo, Moment
from tests.kwartet.play import START
from tests.kwartet.scene import SECOND, given
from tests.rules import case, rule

THREE = """
turn 0 dealer 2
0  QS QD 7H
1  QH KS 7S
2  QC KH 7D
"""


@rule("K-TIME-1")
def test_when_the_time_runs_out_the_turn_passes_clockwise_and_nothing_else_changes() -> None:
    scene = given(THREE)
    hands = scene.play.state.hands
    scene.until(59.999999).then()
    scene.until(60).then("0 timed out", "turn 1")
    assert scene.play.state.hands == hands
    assert scene.play.public()["deadline"] == START + 120 * SECOND


@rule("K-TIME-1", "K-EMPTY-2")
def test_a_player_without_cards_is_passed_over() -> None:
    given("""
        turn 0 dealer 2
        0  QS QD 7H
        1  -
        2  QC QH 7D
        """).until(60).then("0 timed out", "turn 2")


@rule("K-TIME-1")
def test_each_answered_request_begins_the_time_anew() -> None:
    scene = given(THREE).when("0 asks 1 QH at 50").then("0 asked 1 QH given")
    scene.until(109.999999).then()
    scene.until(110).then("0 timed out", "turn 1")


@rule("K-TIME-1", "K-ASK-2")
def test_a_refused_request_does_not_touch_the_time() -> None:
    scene = given(THREE).when("0 asks 1 KH at 50", "1 asks 0 QS at 51").then("family_not_held", "not_your_turn")
    scene.until(60).then("0 timed out", "turn 1")


@rule("K-TIME-1")
def test_with_no_limit_no_turn_runs_out() -> None:
    scene = given(THREE, turn_seconds=0)
    assert scene.play.public()["deadline"] is None
    scene.until(86_400).then()


@rule("K-TIME-1", "K-ASK-7", "T-LATE-2")
def test_a_request_at_the_instant_of_the_time_out_comes_after_it() -> None:
    scene = given(THREE).when("0 asks 1 QH at 60").then("0 timed out", "turn 1", "not_your_turn")
    assert scene.lost_to() == LostTo(version=2, by="house", margin_us=0, why="timeout")


@rule("K-TIME-1", "K-ASK-7")
def test_a_request_a_microsecond_before_the_time_out_counts() -> None:
    given(THREE).when("0 asks 1 QH at 59.999999").then("0 asked 1 QH given").until(60).then()


@rule("K-TIME-1", "K-ASK-7")
def test_a_request_a_microsecond_after_the_time_out_lost_to_it() -> None:
    scene = given(THREE).when("0 asks 1 QH at 60.000001").then("0 timed out", "turn 1", "not_your_turn")
    assert scene.lost_to() == LostTo(version=2, by="house", margin_us=1, why="timeout")


@rule("T-LATE-1")
def test_the_end_of_a_turn_found_late_counts_at_its_own_time() -> None:
    due = game.deadlines(given(THREE).play.table, given(THREE).play.state)
    assert [(each.at, each.own_time, each.command) for each in due] == [(START + 60 * SECOND, True, EndTurn())]


@rule("T-LATE-1")
def test_a_turn_that_came_while_nobody_owned_the_table_begins_when_it_is_found() -> None:
    play = given(THREE).until(60).play
    found = Moment(play.version + 1, START + 100 * SECOND)
    assert game.resume(play.table, play.state, found).deadline == START + 160 * SECOND


@rule("T-LATE-1")
def test_a_turn_that_was_running_gets_no_time_back() -> None:
    play = given(THREE).when("0 asks 1 QH at 10").play
    found = Moment(play.version + 1, START + 50 * SECOND)
    assert game.resume(play.table, play.state, found).deadline == START + 70 * SECOND


@rule("T-LATE-1")
def test_a_turn_that_came_by_a_time_out_before_its_owner_was_lost_gets_no_time_back_either() -> None:
    play = given(THREE).until(60).play
    found = Moment(play.version + 2, START + 100 * SECOND)
    assert game.resume(play.table, play.state, found).deadline == START + 120 * SECOND


@rule("T-IDLE-1")
def test_only_the_end_of_a_turn_puts_a_table_to_sleep_and_waking_begins_the_turn_anew() -> None:
    play = given(THREE).play
    assert game.sleeps(EndTurn())
    woken = game.wake(play.table, play.state, Moment(9, START + 500 * SECOND))
    assert (woken.turn, woken.deadline) == (0, START + 560 * SECOND)


@rule("K-DISC-1")
def test_a_disconnected_player_keeps_the_hand_and_answers() -> None:
    given(THREE).seat(1, connected=False).when("0 asks 1 QH").then("0 asked 1 QH given")


@rule("K-DISC-1", "K-TIME-1")
def test_a_disconnected_players_turn_runs_out() -> None:
    given(THREE).seat(0, connected=False).until(60).then("0 timed out", "turn 1")


@rule("K-DISC-1")
def test_with_a_limit_nobody_is_passed() -> None:
    given(THREE).seat(0, connected=False).when("host passes at 59").then("turn_has_limit")


@pytest.mark.parametrize(
    ("gone", "at", "outcome"),
    [
        pytest.param(5, 64.999999, ["0 passed", "turn 1"], id="silent for 60 s, though gone for less"),
        pytest.param(-60, 0, ["0 passed", "turn 1"], id="gone for 60 s at the beginning of the turn"),
        pytest.param(-59, 0.999999, ["not_absent"], id="gone for a microsecond less"),
        pytest.param(-59, 1, ["0 passed", "turn 1"], id="gone for 60 s exactly"),
    ],
)
@rule("K-DISC-1")
def test_the_host_passes_who_is_disconnected_for_a_minute(gone: float, at: float, outcome: list[str]) -> None:
    scene = given(THREE, turn_seconds=0).seat(0, gone, connected=False)
    scene.when(f"host passes at {at:.6f}").then(*outcome)


@pytest.mark.parametrize("bot", [None, "careful"])
@rule("K-DISC-1")
def test_the_host_passes_who_has_not_asked_for_a_minute_a_bot_too(bot: str | None) -> None:
    scene = given(THREE, turn_seconds=0).seat(0, -1000, bot=bot, connected=bot is None)
    scene.when("0 asks 1 QH at 10", "host passes at 69.999999", "host passes at 70")
    scene.then("0 asked 1 QH given", "not_absent", "0 passed", "turn 1")


@rule("K-DISC-1")
@case("C-03")
def test_a_pass_said_twice_passes_once() -> None:
    scene = given(THREE, turn_seconds=0).when("host passes at 60", "host passes at 60.1")
    scene.then("0 passed", "turn 1", "not_absent")


@rule("K-DISC-1", "K-ASK-7")
def test_a_request_after_the_pass_lost_to_it() -> None:
    scene = given(THREE, turn_seconds=0).when("host passes at 60", "0 asks 1 QH at 60.002")
    scene.then("0 passed", "turn 1", "not_your_turn")
    assert scene.lost_to() == LostTo(version=2, by="house", margin_us=2000, why="pass")


@rule("K-DISC-1", "K-ASK-7")
def test_a_pass_after_the_request_finds_nobody_absent() -> None:
    scene = given(THREE, turn_seconds=0).when("0 asks 2 QH at 60", "host passes at 60.002")
    scene.then("0 asked 2 QH no", "turn 2", "not_absent")


@rule("K-DISC-1")
def test_who_comes_back_before_the_pass_is_not_absent() -> None:
    scene = given(THREE, turn_seconds=0).when("0 asks 1 QH at 30").seat(0, 40, connected=False)
    scene.seat(0, 89, connected=True).when("host passes at 89.5").then("0 asked 1 QH given", "not_absent")


@rule("K-DISC-1", "T-SEAT-2")
def test_who_left_the_game_counts_as_disconnected() -> None:
    scene = given(THREE, turn_seconds=0).when("1 asks 0 7H at 30").seat(0, -30, connected=False, left=True)
    scene.when("host passes at 30").then("not_your_turn", "0 passed", "turn 1")
