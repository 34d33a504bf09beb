"""Who has the host's rights, and who is connected: T-HOST-2, T-PRES-1."""

import pytest

from shared.table.commands import AddBot, Connect, Disconnect, EndBreak, FreeSeat, Leave, Sit, StartGame
from tests.rules import rule
from tests.table.desk import Desk, S, code, kinds
from tests.table.scenes import awarded, playing, seating, stopped


@rule("T-HOST-2")
def test_the_rights_pass_after_20_s_to_the_lowest_connected_human() -> None:
    desk = seating(4)
    desk.disconnect("bob")
    desk.disconnect("ann")
    desk.wait(20 * S - 1)
    assert desk.s.host.player == "ann"
    desk.wait(1)
    assert (desk.s.host.player, desk.s.table.host_seat) == ("cas", 2)
    assert desk.records[-1].at == desk.now


@rule("T-HOST-2")
def test_a_host_who_is_back_in_time_keeps_the_rights_and_one_who_is_late_does_not() -> None:
    desk = seating()
    desk.disconnect("ann")
    desk.wait(19 * S)
    desk.connect("ann")
    desk.wait(60 * S)
    assert desk.s.host.player == "ann"
    desk.disconnect("ann")
    desk.wait(20 * S)
    desk.connect("ann")
    desk.wait(60 * S)
    assert desk.s.host.player == "bob"


@rule("T-HOST-2")
def test_a_host_who_leaves_passes_the_rights_on_at_once() -> None:
    desk = seating(3)
    desk.send("ann", Leave())
    desk.catch_up()
    assert desk.s.host.player == "bob"
    assert desk.records[-1].at == desk.now


@rule("T-HOST-2", "T-SEAT-2")
def test_a_host_who_leaves_a_round_is_not_host_any_more_either() -> None:
    desk = playing(3)
    desk.send("ann", Leave())
    desk.catch_up()
    assert (desk.s.host.player, desk.s.table.host_seat) == ("bob", 1)


@rule("T-HOST-2")
@pytest.mark.parametrize("first", ["ann", "bob"])
def test_with_nobody_there_the_rights_go_to_the_first_who_connects(first: str) -> None:
    desk = seating(3)
    for player in ("bob", "cas", "ann"):
        desk.disconnect(player)
    desk.wait(40 * S)
    desk.connect(first)
    desk.catch_up()
    desk.connect("cas")
    desk.wait(30 * S)
    assert desk.s.host.player == first


@rule("T-HOST-2")
def test_a_host_without_a_seat_loses_the_rights_too_and_gets_them_back_if_nobody_came() -> None:
    desk = Desk().create(sit=False)
    desk.disconnect("ann")
    desk.wait(50 * S)
    desk.connect("ann")
    assert kinds(desk.send("ann", AddBot())) == ["BotAdded"]
    desk.send("bob", Sit())
    desk.disconnect("ann")
    desk.wait(20 * S)
    assert desk.s.host.player == "bob"
    assert code(desk.connect("ann")) == "not_seated"


@rule("T-HOST-2")
def test_who_sits_down_at_a_table_whose_host_is_long_gone_is_host_at_once() -> None:
    desk = Desk().create(sit=False)
    desk.disconnect("ann")
    desk.wait(300 * S)
    desk.send("bob", Sit())
    desk.catch_up()
    assert (desk.s.host.player, desk.records[-1].at) == ("bob", desk.now)


@rule("T-HOST-2")
def test_the_rights_stay_by_the_same_rule() -> None:
    desk = seating(3)
    desk.disconnect("ann")
    desk.wait(20 * S)
    assert kinds(desk.send("bob", FreeSeat(0))) == ["SeatFreed"]
    desk.disconnect("bob")
    desk.wait(20 * S)
    assert desk.s.host.player == "cas"


@rule("T-HOST-2")
def test_bots_are_never_host() -> None:
    desk = Desk().create()
    desk.send("ann", AddBot(1))
    desk.disconnect("ann")
    desk.wait(59 * S)
    assert desk.s.host.player == "ann"


@rule("T-AWARD-1", "T-HOST-2")
def test_while_a_round_is_checked_the_rights_wait_and_pass_at_the_award() -> None:
    desk = stopped(target_points=50)
    desk.disconnect("ann")
    desk.wait(60 * S)
    assert desk.s.next_due is None
    desk.award()
    desk.catch_up()
    assert (desk.s.host.player, desk.records[-1].at) == ("bob", desk.now)
    assert kinds(desk.send("bob", EndBreak())) == ["BreakEnded"]


@rule("T-PRES-1")
def test_every_change_of_presence_is_a_record_with_its_cause_and_no_change_is_none() -> None:
    desk = seating()
    before = len(desk.rows)
    assert desk.connect("bob") == ()
    assert kinds(desk.disconnect("bob")) == ["PlayerDisconnected"]
    assert desk.disconnect("bob") == ()
    assert kinds(desk.connect("bob")) == ["PlayerConnected"]
    assert len(desk.rows) == before + 2
    command = desk.records[-1].command
    assert (type(command), command.cause) == (Connect, "socket")
    assert desk.s.table.seats[1].since == desk.now


@rule("T-PRES-1")
def test_sitting_down_counts_as_connected() -> None:
    desk = Desk().create()
    desk.send("bob", Sit())
    assert [seat.connected for seat in desk.s.table.seats] == [True, True]


@rule("T-PRES-1")
def test_bots_and_strangers_are_not_connected() -> None:
    desk = Desk().create()
    desk.send("ann", AddBot(1))
    bot = desk.s.table.seats[1]
    assert (bot.connected, bot.human, bot.present) == (False, False, False)
    assert code(desk.record("house", Connect("eve", "socket"))) == "not_seated"
    assert code(desk.record("house", Disconnect("eve", "socket"))) == "not_seated"
    desk.send("ann", StartGame())
    desk.catch_up()
    assert desk.s.phase == "preparing"


@rule("T-HOST-2")
def test_without_a_connected_host_the_table_goes_on_by_its_clocks() -> None:
    desk = awarded()
    desk.disconnect("ann")
    desk.disconnect("bob")
    desk.wait(10 * S)
    desk.connect("bob")
    desk.wait(20 * S)
    assert desk.s.phase == "preparing"
