"""Deadlines: their order, to the microsecond, and what a time without an owner makes of them (T-LATE-1, T-LATE-2)."""

from collections.abc import Callable

import pytest

from shared.kernel import HOUSE, Deadline, Order
from shared.table.commands import Leave, Resumed
from shared.table.due import deadlines, next_due, next_house
from tests.rules import case, rule
from tests.table.desk import Desk, S, code, kinds
from tests.table.scenes import awarded, playing, preparing, seating, stopped
from tests.toygame.messages import Grab, Step


def told(desk: Desk, since: int) -> list[tuple[str, int]]:
    """Which commands came after so many records, and how many µs after the start of `desk.now`'s round."""
    return [(type(record.command).__name__, record.at) for record in desk.records[since:]]


@rule("T-LATE-2")
def test_at_exactly_its_time_a_deadline_is_first() -> None:
    desk = playing()
    desk.now = desk.play.turn_ends - 1
    step = Step(desk.play.hands[0][0])
    assert kinds(desk.send("ann", step))[0] == "Stepped"
    desk = playing(gust_ms=600_000)
    desk.now = desk.play.turn_ends
    assert code(desk.send("ann", step)) == "not_your_turn"
    assert told(desk, -2) == [("EndTurn", desk.now), ("Step", desk.now)]


@rule("T-LATE-2")
def test_of_several_at_one_time_the_first_in_the_list_is_first() -> None:
    desk = playing(turn_ms=7_000, gust_ms=7_000, round_ms=14_000)
    before = len(desk.records)
    at = desk.now
    desk.wait(14 * S)
    assert told(desk, before) == [("Gust", at + 7 * S), ("EndTurn", at + 7 * S), ("TimeUp", at + 14 * S)]


@rule("T-LATE-2")
def test_the_tables_own_deadlines_come_after_a_games_turn_in_their_order() -> None:
    desk = seating(3)
    desk.disconnect("bob")
    desk.disconnect("cas")
    desk.wait(40 * S)
    desk.disconnect("ann")
    desk.connect("cas")
    desk.wait(20 * S)
    names = [name for name, at in told(desk, 0) if at == desk.now]
    assert names == ["PassHost", "FreeAbsent"]
    assert sorted(Order)[:4] == [Order.END_OF_ROUND, Order.END_OF_VOTE, Order.BEAT, Order.END_OF_TURN]
    assert sorted(Order)[4:9] == [Order.HOST, Order.FREE_SEAT, Order.OPENING, Order.END_OF_BREAK, Order.CLOSING]


@rule("T-LATE-2", "T-SEAT-3")
def test_seats_are_freed_in_the_order_of_their_numbers() -> None:
    desk = seating(4)
    for player in ("dee", "bob", "cas"):
        desk.disconnect(player)
    desk.wait(60 * S)
    assert [record.command.seat for record in desk.records[-3:]] == [1, 2, 3]


@rule("T-LATE-1")
def test_at_most_two_seconds_late_a_deadline_counts_at_its_own_time_and_what_follows_from_there() -> None:
    desk = playing(turn_ms=5_000)
    due = desk.play.turn_ends
    before = len(desk.records)
    desk.now = due
    desk.sleep(2 * S)
    assert told(desk, before) == [("EndTurn", due), ("Gust", due + 2 * S)]
    assert desk.play.turn_ends == due + 5 * S


@rule("T-LATE-1")
@case("C-13")
def test_a_turn_found_later_ends_at_its_own_time_and_the_next_begins_when_it_was_found() -> None:
    desk = playing(turn_ms=5_000, gust_ms=600_000)
    due = desk.play.turn_ends
    before = len(desk.records)
    desk.now = due
    desk.sleep(2 * S + 1)
    assert told(desk, before) == [("EndTurn", due), ("Resumed", desk.now)]
    assert desk.records[-1].command == Resumed(due, desk.now)
    play = desk.play
    assert (play.turn, play.turn_ends) == (1, desk.now + 5 * S)


@rule("T-LATE-1")
def test_only_one_turn_ends_in_the_past_however_long_nobody_owned_the_table() -> None:
    desk = playing(turn_ms=5_000)
    before = len(desk.records)
    began = desk.now
    desk.sleep(60 * S)
    assert told(desk, before) == [("EndTurn", began + 5 * S), ("Resumed", desk.now), ("Gust", desk.now)]


@rule("T-LATE-1")
def test_a_round_whose_end_was_missed_ended_then_and_nothing_else_happened() -> None:
    desk = playing(turn_ms=50_000, gust_ms=1_000, round_ms=20_000)
    ends = desk.play.ends
    before = len(desk.records)
    desk.sleep(300 * S)
    assert told(desk, before) == [("TimeUp", ends), ("Resumed", desk.now)]
    assert desk.s.phase == "scoring"
    assert desk.s.stop is not None
    assert desk.s.stop.at == ends


@rule("T-LATE-1")
def test_a_missed_gust_blows_once_when_found() -> None:
    desk = playing(turn_ms=60_000, gust_ms=1_000)
    before, began = len(desk.records), desk.now
    desk.sleep(30 * S)
    assert told(desk, before) == [("Resumed", desk.now), ("Gust", desk.now)]
    assert desk.records[before].command == Resumed(began, desk.now)


@rule("T-LATE-1")
def test_nothing_is_opened_or_prepared_in_the_past() -> None:
    desk = preparing()
    before = len(desk.records)
    desk.sleep(100 * S)
    assert told(desk, before) == [("Resumed", desk.now), ("Open", desk.now)]
    desk = awarded()
    before = len(desk.records)
    desk.sleep(100 * S)
    assert told(desk, before) == [("Resumed", desk.now), ("EndBreak", desk.now), ("Prepare", desk.now)]


@rule("T-LATE-1", "T-HOST-2", "T-SEAT-3")
def test_host_seats_and_closing_are_decided_when_found() -> None:
    desk = seating(3)
    desk.disconnect("ann")
    desk.disconnect("cas")
    before = len(desk.records)
    desk.sleep(100 * S)
    names = [("Resumed", desk.now), ("PassHost", desk.now), ("FreeAbsent", desk.now), ("FreeAbsent", desk.now)]
    assert told(desk, before) == names
    desk.sleep(7200 * S)
    assert (desk.s.phase, desk.s.at) == ("closed", desk.now)


@rule("T-LATE-1")
def test_a_time_without_an_owner_in_which_nothing_was_due_leaves_no_trace() -> None:
    desk = seating()
    before = len(desk.records)
    desk.sleep(600 * S)
    assert told(desk, before) == []


@rule("T-LATE-1")
def test_a_gust_long_missed_is_passed_over_for_an_end_that_is_less_late() -> None:
    desk = playing(turn_ms=60_000, gust_ms=8_000, round_ms=10_000)
    before, began = len(desk.records), desk.now
    desk.sleep(11 * S)
    assert told(desk, before) == [("TimeUp", began + 10 * S), ("Resumed", desk.now)]


@rule("T-AWARD-1")
def test_what_was_due_while_the_round_was_checked_is_due_at_the_award_and_not_before() -> None:
    desk = stopped(target_points=50)
    desk.disconnect("ann")
    desk.wait(3600 * S)
    before = len(desk.records)
    desk.award()
    desk.catch_up()
    assert told(desk, before) == [("Award", desk.now), ("PassHost", desk.now)]


@rule("T-LATE-2")
@pytest.mark.parametrize("make", [seating, preparing, playing, stopped, awarded])
def test_the_time_to_look_again_is_the_first_deadlines(make: Callable[[], Desk]) -> None:
    desk = make()
    desk.disconnect("bob")
    due: tuple[Deadline, ...] = deadlines(desk.s)
    first = due[0].at if due else None
    assert desk.s.next_due == next_due(desk.s) == first
    assert list(due) == sorted(due, key=lambda d: (d.at, d.order, d.seat))
    if first is not None:
        assert next_house(desk.s, first - 1) is None
        step = next_house(desk.s, first)
        assert step is not None
        assert (step.at, step.command) == (first, due[0].command)


@rule("T-LATE-2")
def test_a_command_after_a_deadline_finds_the_table_as_the_deadline_left_it() -> None:
    desk = playing(round_ms=10_000, turn_ms=60_000)
    desk.now += 10 * S
    assert code(desk.send("bob", Grab())) == "round_over"
    assert kinds(desk.send("bob", Leave())) == ["SeatLeft"]
    assert desk.records[-1].by != HOUSE
