"""Asking (K-ASK): who may ask whom for what, the answer, and the reasons against it in their order."""

import pytest

from shared.games.kwartet.cards import Card
from shared.games.kwartet.commands import Ask
from shared.games.kwartet.decide import decide
from shared.kernel import HOUSE, LostTo, Moment
from tests.kwartet.play import START
from tests.kwartet.scene import given
from tests.rules import case, rule

FOUR = """
turn 0 dealer 3
0  QS QD 7H 8S
1  QH KS 7S
2  QC KH 8H
3  -
open  A:0 J:3
"""


@rule("K-ASK-1", "K-ASK-3", "K-ASK-4")
def test_a_card_that_is_held_moves_alone_and_the_turn_goes_on() -> None:
    scene = given(FOUR).when("0 asks 1 QH").then("0 asked 1 QH given")
    scene.looks("""
        turn 0  dealer 3  60 left
        0  7H 8S QS QH QD
        1  7S KS
        2  8H QC KH
        3  -
        open  A:0 J:3
        """)
    scene.when("0 asks 2 8H").then("0 asked 2 8H given")


@rule("K-ASK-5")
def test_a_miss_moves_nothing_and_the_turn_is_the_asked_players() -> None:
    scene = given(FOUR).when("0 asks 2 QH").then("0 asked 2 QH no", "turn 2")
    scene.looks("""
        turn 2  dealer 3  60 left
        0  7H 8S QS QD
        1  7S QH KS
        2  8H QC KH
        3  -
        open  A:0 J:3
        """)


@pytest.mark.parametrize(
    ("by", "ask", "code"),
    [
        pytest.param(1, "0 QS", "not_your_turn", id="not the asker's turn"),
        pytest.param(0, "4 QH", "no_such_seat", id="a seat that is not there"),
        pytest.param(0, "-1 QH", "no_such_seat", id="a seat below the first"),
        pytest.param(0, "0 QH", "yourself", id="oneself"),
        pytest.param(0, "1 11H", "no_such_card", id="no such family"),
        pytest.param(0, "1 QX", "no_such_card", id="no such member"),
        pytest.param(0, "1 QS", "own_card", id="a card of one's own"),
        pytest.param(0, "1 AS", "family_exposed", id="of a family that lies open"),
        pytest.param(0, "1 KS", "family_not_held", id="of a family not held"),
        pytest.param(0, "3 QH", "no_cards", id="of a player without cards"),
    ],
)
@rule("K-ASK-2", "K-ASK-7", "K-EMPTY-1")
def test_a_request_that_may_not_be_is_refused_and_costs_nothing(by: int, ask: str, code: str) -> None:
    scene = given(FOUR)
    before = scene.play.state
    scene.when(f"{by} asks {ask} at 1").then(code)
    assert scene.play.state == before
    assert scene.play.state.turn == 0


@pytest.mark.parametrize(
    ("by", "ask", "code"),
    [
        pytest.param(1, "9 11X", "not_your_turn", id="turn before seat"),
        pytest.param(0, "9 11X", "no_such_seat", id="seat before card"),
        pytest.param(0, "0 11X", "yourself", id="oneself before card"),
        pytest.param(0, "3 11X", "no_such_card", id="card before the empty hand"),
        pytest.param(0, "3 QS", "own_card", id="own card before the empty hand"),
        pytest.param(0, "3 AS", "family_exposed", id="open family before family not held"),
        pytest.param(0, "3 KS", "family_not_held", id="family not held before the empty hand"),
    ],
)
@rule("K-ASK-8")
def test_of_several_reasons_the_first_is_given(by: int, ask: str, code: str) -> None:
    given(FOUR).when(f"{by} asks {ask}").then(code)


@rule("K-ASK-6")
def test_a_request_and_its_answer_are_seen_by_all_and_hands_by_their_size() -> None:
    scene = given(FOUR).when("0 asks 1 QH", "0 asks 2 7S")
    assert scene.play.public()["asks"] == [
        {"by": 0, "to": 1, "card": {"family": "Q", "member": "H"}, "given": True},
        {"by": 0, "to": 2, "card": {"family": "7", "member": "S"}, "given": False},
    ]
    assert scene.play.public()["seats"] == [{"cards": 5}, {"cards": 2}, {"cards": 3}, {"cards": 0}]


@rule("K-ASK-6")
def test_the_last_twenty_requests_are_shown() -> None:
    scene = given(FOUR)
    for _ in range(11):
        scene.when("0 asks 2 QH", "2 asks 0 KS")
    asks = scene.play.public()["asks"]
    assert isinstance(asks, list)
    assert len(asks) == 20
    assert asks[-1] == {"by": 2, "to": 0, "card": {"family": "K", "member": "S"}, "given": False}


@rule("K-ASK-7")
@case("C-01")
def test_of_two_requests_that_cross_the_one_on_turn_counts_and_the_other_hears_what_it_lost_to() -> None:
    scene = given(FOUR).when("0 asks 1 7S at 1", "1 asks 0 QS at 1.001").then("0 asked 1 7S given", "not_your_turn")
    assert scene.lost_to() == LostTo(version=2, by=0, margin_us=1000)


@rule("K-ASK-7")
def test_the_same_two_the_other_way_round() -> None:
    scene = given(FOUR).when("1 asks 0 QS at 1", "0 asks 1 7S at 1.001").then("not_your_turn", "0 asked 1 7S given")
    assert scene.lost_to() == LostTo(version=1, by="house", margin_us=1_000_000, why="dealt")


@rule("K-ASK-7")
@case("C-03")
def test_a_double_click_on_a_miss_asks_once() -> None:
    scene = given(FOUR).when("0 asks 2 QH at 1", "0 asks 2 QH at 1.05")
    scene.then("0 asked 2 QH no", "turn 2", "not_your_turn")
    assert scene.lost_to() == LostTo(version=2, by=0, margin_us=50_000)


@rule("K-ASK-2")
@case("C-03")
def test_a_double_click_on_a_hit_asks_once() -> None:
    given(FOUR).when("0 asks 1 QH at 1", "0 asks 1 QH at 1.05").then("0 asked 1 QH given", "own_card")


@rule("K-ASK-3")
def test_the_house_asks_for_nothing() -> None:
    play = given(FOUR).play
    with pytest.raises(ValueError, match="house"):
        decide(play.table, play.state, HOUSE, Ask(1, Card("Q", "H")), Moment(2, START))
