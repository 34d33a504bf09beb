"""Tables that nobody is at: they sleep, wake and are closed (T-IDLE-1)."""

from shared.table.commands import AddBot, EndBreak, FreeSeat, Leave, NewGame, Sit, StartGame
from shared.table.view import public
from tests.rules import rule
from tests.table.desk import Desk, S, code, kinds
from tests.table.scenes import PEOPLE, awarded, over, playing, preparing, run, seating, stopped
from tests.toygame.messages import Step

MINUTE = 60 * S


def bots_only() -> Desk:
    """A host who does not sit, and two bots who play."""
    desk = Desk().create(sit=False, target_points=1)
    desk.send("ann", AddBot())
    desk.send("ann", AddBot())
    desk.send("ann", StartGame())
    desk.catch_up()
    return desk


def everyone_gone(desk: Desk) -> Desk:
    for player in PEOPLE[: len(desk.s.table.seats)]:
        desk.disconnect(player)
    return desk


@rule("T-IDLE-1")
def test_at_the_end_of_a_break_with_nobody_there_the_table_sleeps_without_a_deadline() -> None:
    desk = everyone_gone(awarded())
    desk.wait(30 * S)
    assert (desk.s.phase, desk.s.sleeping) == ("break", True)
    assert public(desk.s, {}, 0)["deadline"] is None
    desk.wait(20 * MINUTE)
    assert (desk.s.phase, desk.s.sleeping) == ("break", True)


@rule("T-IDLE-1")
def test_when_one_connects_the_break_begins_anew() -> None:
    desk = everyone_gone(awarded())
    desk.wait(10 * MINUTE)
    assert kinds(desk.connect("bob")) == ["PlayerConnected", "TableWoke"]
    assert (desk.s.sleeping, desk.s.deadline) == (False, desk.now + 30 * S)
    desk.wait(30 * S)
    assert desk.s.phase == "preparing"


@rule("T-IDLE-1")
def test_a_turn_that_runs_out_with_nobody_there_puts_the_round_to_sleep_and_begins_anew_on_waking() -> None:
    desk = everyone_gone(playing())
    desk.wait(15 * S)
    assert (desk.s.phase, desk.s.sleeping, public(desk.s, {}, 0)["deadline"]) == ("playing", True, None)
    turn = desk.play.turn
    desk.wait(5 * MINUTE)
    desk.connect("ann")
    play = desk.play
    assert (play.turn, play.turn_ends) == (turn, desk.now + 10 * S)


@rule("T-IDLE-1")
def test_who_sits_down_at_a_sleeping_table_wakes_it_and_a_host_without_a_seat_does_not() -> None:
    desk = Desk().create(sit=False, target_points=50)
    desk.send("bob", Sit())
    desk.send("ann", AddBot())
    desk.send("ann", StartGame())
    desk.wait(30 * S)
    run_out(desk)
    desk.send("ann", FreeSeat(0))
    desk.wait(30 * S)
    desk.disconnect("ann")
    desk.connect("ann")
    assert desk.s.sleeping
    assert kinds(desk.send("cas", Sit())) == ["SeatTaken", "TableWoke"]
    assert not desk.s.sleeping


@rule("T-IDLE-1")
def test_a_host_without_a_seat_can_end_a_sleeping_break() -> None:
    desk = everyone_gone(awarded(3))
    desk.wait(30 * S)
    desk.connect("ann")
    desk.send("ann", Leave())
    desk.wait(31 * S)
    assert desk.s.sleeping
    assert desk.s.host.player == "ann"
    assert kinds(desk.send("ann", EndBreak())) == ["BreakEnded"]
    desk.catch_up()
    assert (desk.s.phase, desk.s.sleeping) == ("preparing", False)


def run_out(desk: Desk) -> None:
    """The round ends by its clock."""
    desk.wait(120 * S)
    assert desk.s.phase == "scoring"
    desk.award()


@rule("T-IDLE-1")
def test_thirty_minutes_after_the_last_one_went_the_house_closes_the_table() -> None:
    for desk in (seating(), awarded(), over()):
        desk.disconnect("ann")
        desk.wait(MINUTE // 2)
        desk.disconnect("bob")
        gone = desk.now
        desk.wait(30 * MINUTE - 1)
        assert desk.s.phase != "closed"
        desk.wait(1)
        assert (desk.s.phase, desk.s.reason, desk.s.at) == ("closed", "alone", gone + 30 * MINUTE)


@rule("T-IDLE-1")
def test_one_who_comes_back_stops_the_count_and_it_starts_from_0_again() -> None:
    desk = everyone_gone(over())
    desk.wait(29 * MINUTE)
    desk.connect("bob")
    desk.wait(60 * MINUTE)
    desk.disconnect("bob")
    desk.wait(29 * MINUTE)
    assert desk.s.phase == "over"
    desk.wait(MINUTE)
    assert desk.s.phase == "closed"


@rule("T-IDLE-1", "T-AWARD-1")
def test_a_round_that_waits_for_its_award_is_not_closed_but_then_it_is() -> None:
    desk = everyone_gone(stopped(target_points=50))
    desk.wait(90 * MINUTE)
    assert desk.s.phase == "scoring"
    desk.award()
    desk.catch_up()
    assert (desk.s.phase, desk.s.reason) == ("closed", "alone")


@rule("T-IDLE-1")
def test_two_hours_of_seating_are_enough() -> None:
    for desk in (seating(), Desk().create(sit=False)):
        began = desk.s.created_at
        desk.wait(120 * MINUTE - 1)
        assert desk.s.phase == "seating"
        desk.wait(1)
        assert (desk.s.phase, desk.s.reason, desk.s.at) == ("closed", "seating", began + 120 * MINUTE)


@rule("T-IDLE-1")
def test_a_table_of_bots_plays_one_game_and_is_closed_ten_minutes_after_it() -> None:
    desk = bots_only()
    desk.disconnect("ann")
    assert desk.s.phase == "playing"
    run(desk)
    desk.award()
    assert desk.s.phase == "over"
    awarded_at = desk.now
    desk.connect("ann")
    assert code(desk.send("ann", NewGame())) == "seats_closed"
    desk.wait(10 * MINUTE - 1)
    assert desk.s.phase == "over"
    desk.wait(1)
    assert (desk.s.phase, desk.s.reason, desk.s.at) == ("closed", "finished", awarded_at + 10 * MINUTE)


@rule("T-IDLE-1")
def test_a_table_of_bots_neither_sleeps_nor_is_alone() -> None:
    desk = Desk().create(sit=False, target_points=50)
    desk.send("ann", AddBot())
    desk.send("ann", AddBot())
    desk.send("ann", StartGame())
    desk.catch_up()
    desk.disconnect("ann")
    for _ in range(12):
        desk.wait(120 * S)
        assert desk.s.phase == "scoring"
        desk.award()
        desk.wait(30 * S)
    assert (desk.s.phase, desk.s.sleeping, desk.s.alone_since) == ("playing", False, None)


@rule("T-IDLE-1")
def test_a_table_whose_only_human_left_sleeps() -> None:
    desk = Desk().create(target_points=50)
    desk.send("ann", AddBot())
    desk.send("ann", StartGame())
    desk.wait(30 * S)
    desk.send("ann", Leave())
    desk.wait(10 * S)
    assert desk.s.sleeping


@rule("T-IDLE-1")
def test_a_move_of_a_bot_at_a_sleeping_table_counts_and_wakes_nobody() -> None:
    desk = Desk().create(target_points=50)
    desk.send("ann", AddBot())
    desk.send("ann", StartGame())
    desk.wait(30 * S)
    desk.send("ann", Step(desk.play.hands[0][0]))
    desk.disconnect("ann")
    desk.wait(11 * S)
    bot = desk.s.table.seats[1].player
    assert bot is not None
    assert desk.s.sleeping
    assert kinds(desk.send(bot, Step(desk.play.hands[1][0])))[0] == "Stepped"
    assert desk.s.sleeping


@rule("T-IDLE-1")
def test_a_preparation_with_nobody_there_opens_by_its_clock() -> None:
    desk = everyone_gone(preparing())
    desk.wait(30 * S)
    assert desk.s.phase == "playing"
