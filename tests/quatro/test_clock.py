"""The round's clock: deadlines come first, at their own time, and in the order of the rules."""

import pytest

from shared.games.quatro import game
from shared.games.quatro.commands import AskReshuffle, Beat, EndVote, TimeUp
from shared.games.quatro.events import EmojiRepeated, RoundDrawn, VoteFailed
from shared.games.quatro.rules import Rules
from shared.games.quatro.view import last_round, public
from shared.kernel import HOUSE, Moment, Order, Refused
from tests.quatro.play import START
from tests.quatro.scene import Scene, given
from tests.rules import rule


def stopped(scene: Scene) -> tuple[float, str] | None:
    stop = game.stop(scene.play.state)
    return None if stop is None else ((stop.at - START) / 1e6, stop.how)


@rule("Q-TIME-1")
def test_after_three_minutes_it_is_a_draw_and_hands_are_turned_up() -> None:
    scene = given().until(179.999999)
    assert stopped(scene) is None
    assert stopped(scene.until(180)) == (180, "time")
    assert scene.points() == (0, 0)
    shown = last_round(scene.play.table, scene.play.state)
    assert (shown["how"], shown["by"], shown["team"], shown["right"]) == ("time", "house", None, None)
    assert shown["hands"] == [list(hand) for hand in scene.play.state.hands]


@rule("Q-TIME-1")
def test_a_draw_gives_nobody_the_game() -> None:
    scene = given().until(180)
    assert game.winners(Rules(), (4, 4), scene.play.state) is None


@rule("Q-TIME-1", "Q-DISC-2")
def test_the_round_ends_by_its_clock_with_nobody_there() -> None:
    scene = given().when("1 0 goes", "1 1 goes", "1 2 goes", "1 3 goes").until(200)
    assert stopped(scene) == (180, "time")


@rule("Q-TIME-1")
def test_the_house_rules_set_the_length_and_the_view_says_when_it_ends() -> None:
    scene = given(rules=Rules(round_ms=5_001))
    assert public(scene.play.table, scene.play.state.rules, None, scene.play.state)["deadline"] == START + 5_001_000
    assert stopped(scene.until(6)) == (5.001, "time")


@rule("Q-TIME-1", "Q-STOP-1")
def test_a_call_in_the_last_microsecond_stops_the_round() -> None:
    assert stopped(given().when("179.999999 2 calls").until(200)) == (179.999999, "call")


@rule("Q-TIME-1", "Q-VOTE-7", "Q-CHAN-2")
def test_at_the_end_of_the_round_neither_vote_nor_beat_comes() -> None:
    rules = Rules(round_ms=30_000)
    scene = given(rules=rules).when("1 0 takes", "10 0 asks", "10 0 shows 🍍")
    assert {each.at - START for each in game.deadlines(scene.play.table, scene.play.state)} == {15_000_000, 30_000_000}
    scene.until(60)
    assert stopped(scene) == (30, "time")
    assert not scene.happened(VoteFailed)
    assert [at for at, _ in scene.happened(EmojiRepeated)] == [15_000_000, 20_000_000, 25_000_000]


@rule("Q-VOTE-7", "Q-CHAN-2")
def test_of_deadlines_at_one_time_the_vote_comes_before_the_beats() -> None:
    scene = given().when("4 1 takes", "5 1 shows 🚀", "5 0 takes", "5 0 shows 🍍", "10 2 asks").until(29)
    due = sorted(game.deadlines(scene.play.table, scene.play.state), key=lambda each: (each.at, each.order, each.seat))
    assert [each.command for each in due] == [EndVote(), Beat(0), Beat(1), TimeUp()]
    assert [each.order for each in due] == [Order.END_OF_VOTE, Order.BEAT, Order.BEAT, Order.END_OF_ROUND]
    assert [each.own_time for each in due] == [True, False, False, True]


@rule("Q-DISC-2", "T-LATE-1")
def test_missed_beats_are_not_made_up_and_nobody_gets_time_back() -> None:
    scene = given().when("1 0 takes", "2 0 shows 🍍", "10 1 asks")
    play = scene.play
    now = Moment(play.version + 1, START + 26_000_000)
    resumed = game.resume(play.table, play.state, now)
    assert resumed.channels[0].next_beat == now.at
    assert (resumed.ends, resumed.vote) == (play.state.ends, play.state.vote)
    after = game.evolve(play.table, resumed, EmojiRepeated(0, "🍍"), now)
    assert after.channels[0].next_beat == now.at + 5_000_000


@rule("T-IDLE-1")
def test_a_round_never_sleeps() -> None:
    scene = given()
    assert not any(game.sleeps(command) for command in (TimeUp(), EndVote(), Beat(0)))
    assert game.wake(scene.play.table, scene.play.state, Moment(1, START)) is scene.play.state


@rule("Q-TIME-1", "Q-VOTE-2", "Q-CHAN-2")
@pytest.mark.parametrize("command", [TimeUp(), EndVote(), Beat(0), Beat(1), Beat(9), AskReshuffle()])
def test_the_house_can_not_do_what_is_not_due(command: object) -> None:
    scene = given().when("1 0 takes", "2 0 shows 🍍", "3 1 asks")
    now = Moment(9, START + 3_000_001)
    assert game.decide(scene.play.table, scene.play.state, HOUSE, command, now) == Refused("not_due")


@rule("Q-TIME-1")
def test_a_seat_can_not_end_the_round_by_the_clock() -> None:
    scene = given()
    late = Moment(9, START + 180_000_000)
    assert game.decide(scene.play.table, scene.play.state, 0, TimeUp(), late) == Refused("not_due")


@rule("Q-TIME-1")
def test_there_is_nothing_due_before_the_opening_or_after_the_stop() -> None:
    scene = given()
    assert not game.deadlines(scene.play.table, game.begin(scene.play.table, Rules(), None))
    assert [each.command for each in game.deadlines(scene.play.table, scene.play.state)] == [TimeUp()]
    scene.until(180)
    assert not game.deadlines(scene.play.table, scene.play.state)
    assert scene.happened(RoundDrawn) == [(180_000_000, RoundDrawn())]
