"""Who sits where: T-SEAT, T-HOST-1, T-START."""

from collections.abc import Callable

import pytest

from shared.kernel import Command, LostTo, Refused
from shared.table.commands import AddBot, EndBreak, FreeSeat, Leave, NewGame, Ready, RemoveBot, Sit, StartGame
from shared.table.state import seat_of
from tests.rules import case, rule
from tests.table.desk import Desk, S, code, kinds
from tests.table.scenes import awarded, over, playing, preparing, run, seating, stopped


@rule("T-HOST-1")
def test_the_creator_is_host_in_seat_0() -> None:
    desk = Desk().create()
    assert (desk.s.host.player, desk.s.table.host_seat, seat_of(desk.s, "ann")) == ("ann", 0, 0)


@rule("T-HOST-1")
def test_a_host_who_does_not_sit_is_host_all_the_same() -> None:
    desk = Desk().create(sit=False)
    assert (desk.s.table.host_seat, seat_of(desk.s, "ann")) == (None, None)
    assert kinds(desk.send("ann", AddBot())) == ["BotAdded"]
    assert code(desk.send("ann", Leave())) == "not_seated"


@rule("T-SEAT-1")
def test_a_race_for_a_seat_is_recorded_with_what_it_was_lost_to() -> None:
    desk = Desk().create(seats=3)
    desk.send("bob", Sit(1))
    desk.now += 1234
    lost = desk.send("cas", Sit(1))
    assert lost == Refused("seat_taken", LostTo(2, 1, 1234))
    assert desk.records[-1].refused == lost
    assert desk.s.lost_races == 1


@rule("T-SEAT-1")
@case("C-04")
def test_of_two_who_want_the_last_seat_one_gets_it_and_the_other_hears_so() -> None:
    desk = Desk().create(seats=2)
    assert kinds(desk.send("bob", Sit())) == ["SeatTaken"]
    assert desk.send("cas", Sit()) == Refused("table_full", LostTo(2, 1, 0))


@rule("T-SEAT-1")
def test_who_sits_elsewhere_moves() -> None:
    desk = Desk().create(seats=3)
    assert kinds(desk.send("ann", Sit(2))) == ["SeatTaken"]
    assert [seat.player for seat in desk.s.table.seats] == [None, None, "ann"]
    assert desk.s.table.host_seat == 2


@rule("T-SEAT-1")
@pytest.mark.parametrize(
    ("command", "refused"),
    [
        (Sit(0), "already_seated"),
        (Sit(), "already_seated"),
        (Sit(1), "seat_taken"),
        (Sit(7), "no_such_seat"),
        (Sit(-1), "no_such_seat"),
    ],
)
def test_sitting_down_has_its_refusals(command: Sit, refused: str) -> None:
    assert code(seating(2).send("ann", command)) == refused


@rule("T-SEAT-1")
@pytest.mark.parametrize("command", [Sit(1), AddBot(), RemoveBot(1), FreeSeat(1)])
def test_seats_are_closed_from_the_preparation_to_the_award(command: Sit) -> None:
    for desk in (preparing(), playing(), stopped()):
        assert code(desk.send("ann", command)) == "seats_closed"


@rule("T-SEAT-1")
def test_seats_are_open_in_the_break_and_when_the_game_is_over() -> None:
    for desk in (awarded(), over()):
        assert kinds(desk.send("ann", FreeSeat(1))) == ["SeatFreed"]
        assert kinds(desk.send("ann", AddBot(1, "bold"))) == ["BotAdded"]
        assert desk.s.table.seats[1].bot == "bold"
        assert kinds(desk.send("ann", RemoveBot(1))) == ["SeatFreed"]


@rule("T-SEAT-1")
@pytest.mark.parametrize(
    ("command", "refused"),
    [
        (AddBot(1), "seat_taken"),
        (AddBot(), "table_full"),
        (AddBot(9), "no_such_seat"),
        (AddBot(1, "godlike"), "no_such_level"),
        (RemoveBot(1), "not_a_bot"),
        (RemoveBot(9), "no_such_seat"),
        (FreeSeat(0), "no_such_seat"),
        (FreeSeat(9), "no_such_seat"),
    ],
)
def test_what_a_host_can_not_do_with_seats(command: AddBot, refused: str) -> None:
    assert code(seating(2).send("ann", command)) == refused


@rule("T-SEAT-1")
def test_a_bot_can_be_freed_like_anyone_and_an_empty_seat_can_not() -> None:
    desk = Desk().create()
    desk.send("ann", AddBot(1))
    assert kinds(desk.send("ann", FreeSeat(1))) == ["SeatFreed"]
    assert code(desk.send("ann", FreeSeat(1))) == "no_such_seat"
    assert code(desk.send("ann", RemoveBot(1))) == "no_such_seat"


@rule("T-SEAT-1")
@pytest.mark.parametrize("command", [AddBot(), RemoveBot(0), FreeSeat(0), StartGame(), NewGame()])
def test_only_the_host_hosts(command: StartGame) -> None:
    desk = seating(2)
    assert code(desk.send("bob", command)) == "not_host"
    assert code(desk.send("eve", command)) == "not_seated"


@rule("T-SEAT-1")
def test_two_bots_never_have_the_same_id() -> None:
    desk = Desk().create(seats=3)
    desk.send("ann", AddBot())
    desk.send("ann", AddBot())
    ids = [seat.player for seat in desk.s.table.seats]
    assert len(set(ids)) == 3


@rule("T-SEAT-2")
def test_leaving_between_rounds_frees_the_seat_at_once() -> None:
    for desk in (seating(), awarded(), over()):
        assert kinds(desk.send("bob", Leave())) == ["SeatFreed"]
        assert desk.s.table.seats[1].player is None
        assert code(desk.send("bob", Leave())) == "not_seated"


@rule("T-SEAT-2", "T-AWARD-1")
def test_leaving_a_round_counts_as_gone_and_frees_the_seat_at_the_award() -> None:
    desk = playing(3)
    assert kinds(desk.send("bob", Leave())) == ["SeatLeft"]
    seat = desk.s.table.seats[1]
    assert (seat.player, seat.connected, seat.left, seat.human) == ("bob", False, True, False)
    assert code(desk.send("bob", Leave())) == "not_seated"
    assert code(desk.connect("bob")) == "not_seated"
    run(desk)
    assert kinds(desk.award()) == ["RoundAwarded", "SeatFreed"]
    assert desk.s.table.seats[1].player is None


@rule("T-SEAT-2", "T-PREP-1")
def test_who_leaves_a_preparation_is_waited_for_like_one_who_is_disconnected() -> None:
    desk = preparing()
    desk.send("bob", Leave())
    assert desk.s.phase == "preparing"
    desk.wait(30 * S - 1)
    assert desk.s.phase == "preparing"
    desk.wait(1)
    assert desk.s.phase == "playing"


@rule("T-SEAT-2")
def test_an_empty_seat_in_a_running_game_holds_nobody_up_and_can_be_taken_in_the_break() -> None:
    desk = awarded(3)
    desk.send("cas", Leave())
    desk.wait(30 * S)
    assert desk.s.phase == "preparing"
    assert code(desk.send("eve", Sit(2))) == "seats_closed"
    for player in ("ann", "bob"):
        desk.wait(S)
        desk.send(player, Ready())
    desk.catch_up()
    assert desk.s.phase == "playing"
    run(desk)
    desk.award()
    assert kinds(desk.send("eve", Sit(2))) == ["SeatTaken"]


@rule("T-SEAT-3")
def test_a_seat_is_freed_when_its_player_was_away_for_a_minute_and_not_before() -> None:
    desk = seating()
    desk.disconnect("bob")
    desk.wait(60 * S - 1)
    assert desk.s.table.seats[1].player == "bob"
    desk.wait(1)
    assert desk.s.table.seats[1].player is None
    assert desk.records[-1].at == desk.now


@rule("T-SEAT-3")
def test_coming_back_in_time_keeps_the_seat_and_in_the_break_nobody_loses_it() -> None:
    desk = seating()
    desk.disconnect("bob")
    desk.wait(59 * S)
    desk.connect("bob")
    desk.wait(120 * S)
    assert seat_of(desk.s, "bob") == 1
    desk = awarded(break_ms=600_000)
    desk.disconnect("bob")
    desk.wait(100 * S)
    assert seat_of(desk.s, "bob") == 1


@rule("T-START-1")
def test_a_game_starts_when_every_seat_is_taken_and_once() -> None:
    desk = Desk().create()
    assert code(desk.send("ann", StartGame())) == "seats_empty"
    desk.send("bob", Sit())
    assert kinds(desk.send("ann", StartGame())) == ["GameStarted"]
    assert code(desk.send("ann", StartGame())) == "already_started"


@rule("T-START-1", "Q-WIN-4")
def test_a_new_game_needs_every_seat_and_begins_at_0_in_the_next_round() -> None:
    desk = over()
    assert desk.s.winners is not None
    desk.send("bob", Leave())
    assert code(desk.send("ann", NewGame())) == "seats_empty"
    desk.send("cas", Sit())
    assert kinds(desk.send("ann", NewGame())) == ["GameStarted"]
    desk.catch_up()
    assert (desk.s.phase, desk.s.table.round, desk.s.table.points, desk.s.winners) == ("preparing", 2, (0, 0), None)


@rule("T-START-1")
def test_a_new_game_can_not_be_had_before_the_end_of_one() -> None:
    for desk in (seating(), preparing(), playing(), stopped(), awarded()):
        assert code(desk.send("ann", NewGame())) == "not_over"


@case("C-04")
@rule("T-START-1", "Q-TIME-2")
@pytest.mark.parametrize(
    ("make", "command", "second"),
    [(seating, StartGame(), "already_started"), (awarded, EndBreak(), "not_in_break"), (over, NewGame(), "not_over")],
)
def test_of_two_who_start_or_go_on_at_once_one_does(make: Callable[[], Desk], command: Command, second: str) -> None:
    desk = make()
    desk.now += 5
    assert kinds(desk.send("ann", command)) in (["GameStarted"], ["BreakEnded"])
    assert code(desk.send("ann", command)) == second
    desk.catch_up()
    assert [type(record.command).__name__ for record in desk.records[-3:]].count("Prepare") == 1


@case("C-04")
@rule("T-LATE-2", "Q-TIME-2")
def test_a_host_who_ends_a_break_at_its_very_end_comes_after_the_house() -> None:
    desk = awarded()
    desk.now += 30 * S
    assert code(desk.send("ann", EndBreak())) == "not_in_break"
    ended = [record.by for record in desk.records if isinstance(record.command, EndBreak) and record.events]
    assert ended == ["house"]
