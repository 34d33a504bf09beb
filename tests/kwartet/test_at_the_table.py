"""Kwartet as the table plays it: opening, races, absence, sleep, the end and a new game; and every round verifies."""

from random import Random
from typing import Any

import msgspec
import pytest

from shared.games.kwartet import commands as k
from shared.games.kwartet.bot.view import CanAsk
from shared.games.kwartet.cards import Card
from shared.games.kwartet.state import State
from shared.kernel import LostTo, Refused
from shared.replay import verify_round
from shared.replay.audit import Fault
from shared.table import commands as t
from shared.table.view import own, public
from tests.kwartet.play import TINY
from tests.kwartet.test_secrecy import shuffled
from tests.rules import case, rule
from tests.table.desk import Desk as PlainDesk
from tests.table.desk import S, code, kinds

PEOPLE = ("ann", "bob", "cas", "dee", "eva", "fay")


class Desk(PlainDesk):
    """A desk on which Kwartet is played."""

    @property
    def play(self) -> State:
        assert isinstance(self.s.play, State)
        return self.s.play

    @property
    def turn(self) -> int:
        assert self.play.turn is not None
        return self.play.turn

    def ask(self, hit: bool | None = None) -> k.Ask:
        """A request that the player on turn can make: one that is given, one that is not, or the first of all."""
        asks = (k.Ask(each.seat, card) for each in can_ask(self) for card in each.cards)
        return next(ask for ask in asks if hit is None or (ask.card in self.play.hands[ask.seat]) == hit)

    def finish(self) -> None:
        """The game is played to its end by requests that are given."""
        while self.s.phase == "playing":
            self.now += S
            self.send(PEOPLE[self.turn], self.ask(hit=True))


def can_ask(desk: Desk) -> list[CanAsk]:
    """What the player on turn can ask for, by their view."""
    return msgspec.convert(own(desk.s, desk.turn)["can_ask"], type=list[CanAsk])


def opened(players: int = 3, sit: bool = True, **rules: Any) -> Desk:
    """An open game of people; `sit` False: the host, ann, has no seat."""
    desk = Desk()
    desk.create("kwartet", players, sit=sit, **rules)
    seated = PEOPLE[:players] if sit else PEOPLE[1 : players + 1]
    for player in seated:
        desk.connect(player)
        desk.send(player, t.Sit())
        desk.connect(player)
    desk.connect("ann")
    assert not isinstance(desk.send("ann", t.StartGame()), Refused)
    for player in seated:
        desk.send(player, t.Ready())
    desk.catch_up()
    assert desk.s.phase == "playing"
    return desk


def verified(desk: Desk) -> None:
    """Every round of the table is what the rules make of its commands."""
    before = None
    for number in range(desk.s.table.round + 1):
        rows = desk.round(number)
        if rows:
            found = verify_round(rows, before)
            assert not isinstance(found, Fault), found
            before = found.state


@rule("K-DEAL-1", "K-DEAL-2", "T-PREP-1")
def test_the_game_opens_when_all_are_ready_and_the_dealers_left_begins() -> None:
    desk = opened()
    assert desk.play.dealer is not None
    assert desk.turn == (desk.play.dealer + 1) % 3
    verified(desk)


@pytest.mark.parametrize("command", [k.Ask(1, Card("Q", "H")), k.PassAbsent()], ids=["Ask", "PassAbsent"])
@rule("K-ASK-8")
def test_before_the_opening_nothing_can_be_asked(command: k.Own) -> None:
    desk = Desk()
    desk.create("kwartet", 3)
    desk.connect("ann")
    assert code(desk.send("ann", command)) == "round_not_open"


@rule("K-ASK-7", "K-TIME-1")
@case("C-01")
def test_a_request_at_the_instant_the_turn_times_out_lost_to_the_time_out() -> None:
    desk = opened()
    seat, ask = desk.turn, desk.ask()
    desk.now += 60 * S
    refused = desk.send(PEOPLE[seat], ask)
    assert isinstance(refused, Refused)
    assert refused.lost_to is not None
    assert (refused.code, refused.lost_to.by, refused.lost_to.why) == ("not_your_turn", "house", "timeout")
    assert refused.lost_to.margin_us == 0
    assert desk.turn == (seat + 1) % 3
    verified(desk)


@rule("K-ASK-7", "K-TIME-1")
def test_a_request_a_microsecond_before_the_time_out_counts_and_the_clock_begins_anew() -> None:
    desk = opened()
    seat, ask = desk.turn, desk.ask(hit=True)
    desk.wait(60 * S - 1)
    assert kinds(desk.send(PEOPLE[seat], ask))[0] == "CardAsked"
    assert public(desk.s, {}, 0)["deadline"] == desk.now + 60 * S
    verified(desk)


@rule("K-ASK-7", "K-ASK-5")
@case("C-01", "C-04")
def test_two_requests_that_cross_a_change_of_turn() -> None:
    desk = opened()
    first, ask = desk.turn, desk.ask(hit=False)
    desk.now += S
    desk.send(PEOPLE[first], ask)
    version, second = desk.s.version, desk.turn
    assert second == ask.seat
    desk.now += 700
    late = desk.send(PEOPLE[first], ask)
    assert late == Refused("not_your_turn", LostTo(version, first, 700))
    assert kinds(desk.send(PEOPLE[second], desk.ask()))[0] == "CardAsked"
    verified(desk)


@rule("K-DISC-1")
def test_only_the_host_passes_and_only_where_there_is_no_limit() -> None:
    assert code(opened().send("ann", k.PassAbsent())) == "turn_has_limit"
    desk = opened(turn_seconds=0)
    desk.now += 60 * S
    assert code(desk.send("bob", k.PassAbsent())) == "not_host"
    assert kinds(desk.send("ann", k.PassAbsent())) == ["TurnPassed", "TurnCame"]
    verified(desk)


@rule("K-DISC-1", "T-HOST-1")
def test_a_host_without_a_seat_passes_too() -> None:
    desk = opened(sit=False, turn_seconds=0)
    desk.now += 60 * S
    assert kinds(desk.send("ann", k.PassAbsent())) == ["TurnPassed", "TurnCame"]
    assert code(desk.send("ann", desk.ask())) == "not_seated"
    verified(desk)


@rule("K-DISC-1", "T-PRES-1")
def test_the_pass_comes_before_the_player_who_comes_back() -> None:
    desk, seat = away_on_turn()
    assert kinds(desk.send("ann", k.PassAbsent())) == ["TurnPassed", "TurnCame"]
    version = desk.s.version
    desk.now += 1000
    desk.connect(PEOPLE[seat])
    refused = desk.send(PEOPLE[seat], k.Ask((seat + 1) % 3, Card("Q", "H")))
    assert refused == Refused("not_your_turn", LostTo(version, "house", 1000, "pass"))
    verified(desk)


@rule("K-DISC-1", "T-PRES-1")
def test_the_player_comes_back_before_the_pass() -> None:
    desk, seat = away_on_turn()
    desk.connect(PEOPLE[seat])
    desk.now += 1000
    assert code(desk.send("ann", k.PassAbsent())) == "not_absent"
    assert kinds(desk.send(PEOPLE[seat], desk.ask()))[0] == "CardAsked"
    verified(desk)


def away_on_turn() -> tuple[Desk, int]:
    """A player (not the host) has been away for a minute, and on turn for a second."""
    desk = opened(turn_seconds=0)
    gone = next(seat for seat in (1, 2) if seat != desk.turn)
    desk.disconnect(PEOPLE[gone])
    desk.now += 59 * S
    desk.send(PEOPLE[desk.turn], miss(desk, gone))
    assert desk.turn == gone
    desk.now += S
    return desk, gone


def miss(desk: Desk, to: int) -> k.Ask:
    """A request to this player that is not given."""
    cards = next(each.cards for each in can_ask(desk) if each.seat == to)
    return next(k.Ask(to, card) for card in cards if card not in desk.play.hands[to])


@rule("K-END-1", "K-END-2", "T-AWARD-1", "K-VIEW-1", "T-CHANCE-2")
def test_the_game_is_one_round_and_the_winners_are_named_with_the_award() -> None:
    desk = opened()
    desk.finish()
    assert desk.s.phase == "scoring"
    points = desk.play.points
    desk.award()
    shown = public(desk.s, {}, 0)
    assert shown["phase"] == "over"
    assert shown["points"] == list(points)
    assert shown["winners"] == [seat for seat in range(3) if points[seat] == max(points)]
    exposed, last = shown["exposed"], shown["last_round"]
    assert isinstance(exposed, list)
    assert isinstance(last, dict)
    assert len(exposed) == 8
    assert (last["how"], last["hands"], last["awarded"]) == ("ask", [[], [], []], list(points))
    verified(desk)


@rule("K-ASK-8")
def test_a_request_after_the_end_hears_which_request_ended_the_game() -> None:
    desk = opened()
    desk.finish()
    stop = desk.play.stop
    assert stop is not None
    desk.now += 5
    for command in (k.Ask(1, Card("Q", "H")), k.PassAbsent()):
        assert desk.send("ann", command) == Refused("round_over", LostTo(stop.version, stop.by, 5))
    desk.award()
    assert code(desk.send("ann", k.Ask(1, Card("Q", "H")))) == "round_over"


@rule("K-DEAL-1", "K-END-2")
def test_a_new_game_is_dealt_anew_and_points_begin_at_nothing() -> None:
    desk = opened()
    first = list(desk.play.hands)
    desk.finish()
    desk.award()
    desk.send("ann", t.NewGame())
    desk.wait(30 * S)
    shown = public(desk.s, {}, 0)
    assert (shown["phase"], shown["round"], shown["asks"]) == ("playing", 2, [])
    assert sum(desk.play.points) == len(desk.play.exposed)
    assert shown["points"] == list(desk.play.points)
    assert list(desk.play.hands) != first
    verified(desk)


@rule("T-IDLE-1", "K-TIME-1")
def test_a_turn_that_runs_out_with_nobody_there_puts_the_table_to_sleep_until_one_comes() -> None:
    desk = opened()
    seat = desk.turn
    for player in PEOPLE[:3]:
        desk.disconnect(player)
    desk.wait(600 * S)
    assert (desk.turn, public(desk.s, {}, 0)["deadline"]) == (seat, None)
    desk.connect("bob")
    assert public(desk.s, {}, 0)["deadline"] == desk.now + 60 * S
    verified(desk)


@rule("T-LATE-1", "K-TIME-1")
@case("C-13")
def test_after_a_time_without_an_owner_one_turn_has_run_out_and_the_next_begins_now() -> None:
    desk = opened()
    seat, began = desk.turn, desk.now
    desk.sleep(300 * S)
    assert desk.turn == (seat + 1) % 3
    assert desk.play.deadline == desk.now + 60 * S
    ended = [record.at for record in desk.records if isinstance(record.command, k.EndTurn)]
    assert ended == [began + 60 * S]
    verified(desk)


@rule("K-DISC-1", "T-SEAT-2")
def test_who_leaves_keeps_the_hand_for_the_others_to_ask_for() -> None:
    desk = opened()
    desk.send("bob", t.Leave())
    assert len(desk.play.hands[1]) >= 10
    desk.wait(180 * S)
    assert desk.s.phase == "playing"
    verified(desk)


@rule("K-PACK-2", "K-PACK-3")
def test_a_game_with_a_pack_of_ones_own_needs_nothing_but_its_log() -> None:
    desk = opened(3, pack=TINY)
    desk.finish()
    desk.award()
    assert sum(desk.s.table.points) == 3
    assert b'"bee2"' in desk.rows[0].body
    verified(desk)


@rule("K-ASK-6", "K-DEAL-1")
@case("C-11", "C-12")
def test_a_frame_of_the_table_tells_a_seat_nothing_of_other_hands() -> None:
    desk, random = opened(4, turn_seconds=0), Random(4)
    for _ in range(3):
        desk.send(PEOPLE[desk.turn], desk.ask(hit=None))
    for seat in range(4):
        other = msgspec.structs.replace(desk.s, play=shuffled(desk.play, seat, random))
        assert other.play != desk.s.play
        for state in (desk.s, other):
            assert "key" not in str(public(state, {}, 0))
        assert msgspec.json.encode(public(other, {}, 0)) == msgspec.json.encode(public(desk.s, {}, 0))
        assert msgspec.json.encode(own(other, seat)) == msgspec.json.encode(own(desk.s, seat))
