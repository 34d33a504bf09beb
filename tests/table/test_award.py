"""The Award, what stops a table, and what comes between two rounds: T-AWARD-1, T-STOP-1."""

import pytest

from shared.kernel import HOUSE, LostTo, Refused
from shared.table.boundary import boundary, restore
from shared.table.commands import Award, Close, Connect, Ready, Sit, Stop
from shared.table.decide import SCORING
from shared.table.state import is_boundary
from shared.table.view import public
from tests.rules import rule
from tests.table.desk import TABLE, S, code, kinds
from tests.table.scenes import awarded, over, playing, preparing, run, seating, stopped
from tests.toygame.messages import Grab, Step


@rule("T-AWARD-1")
def test_a_stopped_round_waits_in_scoring_without_a_deadline_and_shows_the_hands() -> None:
    desk = stopped()
    seen = public(desk.s, {}, 0)
    assert (seen["phase"], seen["deadline"], desk.s.next_due) == ("scoring", None, None)
    last = desk.s.last_round
    assert last is not None
    assert (last["awarded"], last["revealed"]) == (None, None)
    assert isinstance(last["hands"], tuple | list)
    assert len(last["hands"]) == 2
    desk.wait(7200 * S)
    assert desk.s.phase == "scoring"


@rule("T-AWARD-1")
def test_the_awards_time_is_where_the_breaks_clock_begins() -> None:
    desk = stopped(target_points=50)
    desk.wait(500 * S)
    desk.award()
    assert (desk.s.phase, desk.s.deadline) == ("break", desk.now + 30 * S)


@rule("T-AWARD-1")
def test_the_award_is_the_last_record_of_its_round_and_the_next_whatever_it_is_the_first_of_the_next() -> None:
    desk = awarded()
    assert desk.records[-1].round == 1
    assert is_boundary(desk.s)
    desk.disconnect("bob")
    assert (desk.records[-1].round, desk.s.table.round) == (2, 2)
    assert bytes(desk.records[-1].carry) != b""
    desk.connect("bob")
    assert bytes(desk.records[-1].carry) == b""


@rule("T-AWARD-1")
def test_the_state_between_two_rounds_is_what_its_carry_gives_back() -> None:
    for desk in (awarded(), over(), awarded(4)):
        assert restore(TABLE, boundary(desk.s)) == desk.s


@rule("T-AWARD-1")
def test_points_that_the_rules_do_not_give_stop_the_table() -> None:
    desk = stopped()
    assert kinds(desk.award((7, 7))) == ["TableStopped"]
    assert (desk.s.phase, desk.s.table.points) == ("stopped", (0, 0))


@rule("T-AWARD-1", "T-ID-1")
def test_an_award_that_comes_twice_is_answered_like_the_first_and_recorded_once() -> None:
    desk = stopped(target_points=50)
    version = desk.s.version
    desk.award()
    before = len(desk.rows)
    assert desk.award(version=version) == ()
    desk.disconnect("bob")
    assert desk.award(version=version) == ()
    assert len(desk.rows) == before + 1


@rule("T-AWARD-1")
def test_an_award_that_fits_no_stopped_round_is_refused() -> None:
    for desk in (seating(), preparing(), playing()):
        assert code(desk.award()) == "round_not_open"
    desk = stopped()
    assert desk.s.stop is not None
    assert code(desk.award(version=desk.s.stop.version - 1)) == "round_not_open"
    assert code(desk.award(version=desk.s.version + 1)) == "round_not_open"


@rule("T-AWARD-1", "Q-WIN-1")
def test_points_add_up_and_the_game_ends_when_the_game_says_so() -> None:
    desk = awarded(target_points=2)
    while desk.s.phase != "over":
        desk.wait(30 * S)
        for player in ("ann", "bob"):
            desk.send(player, Ready())
        desk.catch_up()
        run(desk)
        desk.award()
    assert max(desk.s.table.points) == 2
    assert public(desk.s, {}, 0)["winners"] == list(desk.s.winners or ())


@rule("T-STOP-1")
def test_a_round_that_does_not_verify_stops_the_table_for_good() -> None:
    desk = stopped()
    assert kinds(desk.record(SCORING, Stop("record 12: decision"))) == ["TableStopped"]
    seen = public(desk.s, {}, 0)
    assert (seen["phase"], seen["reason"], seen["points"]) == ("stopped", "record 12: decision", [0, 0])
    rows = len(desk.rows)
    assert code(desk.send("ann", Ready())) == "stopped"
    assert code(desk.award()) == "stopped"
    assert code(desk.record(HOUSE, Connect("ann", "socket"))) == "stopped"
    assert (desk.s.next_due, len(desk.rows)) == (None, rows)
    assert kinds(desk.record("ops:kim", Close("checked by hand"))) == ["TableClosed"]


@rule("T-STOP-1")
def test_scoring_stops_nothing_but_a_stopped_round() -> None:
    for desk in (seating(), preparing(), playing(), awarded(), over()):
        assert code(desk.record(SCORING, Stop("why not"))) == "round_not_open"


@rule("T-STOP-1")
def test_an_operator_can_close_a_table_at_any_time_and_then_it_is_closed() -> None:
    for desk in (seating(), preparing(), playing(), stopped(), awarded()):
        assert kinds(desk.record("ops:kim", Close("maintenance"))) == ["TableClosed"]
        assert public(desk.s, {}, 0)["reason"] == "maintenance"
        rows = len(desk.rows)
        assert code(desk.send("eve", Sit())) == "closed"
        assert code(desk.send("ann", Ready())) == "closed"
        assert code(desk.record("ops:kim", Close("again"))) == "closed"
        assert (desk.s.next_due, len(desk.rows)) == (None, rows)


@rule("T-ID-1", "T-AWARD-1")
@pytest.mark.parametrize("phase", ["scoring", "break", "over"])
def test_who_plays_after_the_stop_hears_what_stopped_the_round(phase: str) -> None:
    desk = {"scoring": stopped, "break": awarded, "over": over}[phase]()
    stop = desk.s.stop
    assert stop is not None
    desk.now += 777
    refused = Refused("round_over", LostTo(stop.version, stop.by, desk.now - stop.at))
    assert desk.send("ann", Step(1)) == refused
    assert desk.send("ann", Step(1), meant=1) == refused


@rule("T-ID-1", "T-AWARD-1")
def test_what_time_stopped_was_stopped_by_the_house() -> None:
    desk = playing(round_ms=5_000)
    desk.wait(6 * S)
    assert desk.send("bob", Grab()) == Refused("round_over", LostTo(desk.s.version - 1, HOUSE, S, "time"))


@rule("T-AWARD-1")
def test_before_a_round_and_from_the_next_preparation_on_no_round_is_open() -> None:
    for desk in (seating(), preparing()):
        assert code(desk.send("ann", Step(1))) == "round_not_open"
    desk = awarded()
    desk.wait(30 * S)
    assert code(desk.send("ann", Step(1))) == "round_not_open"
    assert code(desk.send("ann", Step(1), meant=1)) == "wrong_round"


@rule("T-AWARD-1")
def test_only_scoring_awards_and_operators_only_close() -> None:
    desk = stopped()
    award = Award((1, 0), "00" * 32, desk.s.version)
    assert code(desk.record("ops:kim", award)) == "not_yours"
    assert code(desk.record(HOUSE, award)) == "not_due"
    assert code(desk.send("ann", award)) == "not_yours"
    assert code(desk.record(SCORING, Close("no"))) == "not_yours"
