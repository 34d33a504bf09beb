"""Quartets, empty hands and the end (K-SET, K-EMPTY, K-END)."""

from msgspec.structs import replace

from tests.kwartet.scene import given
from tests.rules import rule


@rule("K-SET-1", "K-SET-2", "K-VIEW-1")
def test_a_complete_family_lies_open_at_once_and_the_turn_goes_on() -> None:
    scene = given("""
        turn 0 dealer 3
        0  QS QD QC 7H
        1  QH 7S
        2  7D
        3  7C
        """)
    scene.when("0 asks 1 QH").then("0 asked 1 QH given", "0 lays Q")
    assert scene.play.public()["exposed"] == [{"family": "Q", "seat": 0}]
    scene.when("0 asks 1 7S", "2 asks 0 QH").then("0 asked 1 7S given", "1 out", "not_your_turn")


@rule("K-SET-1")
def test_an_open_family_can_not_be_asked_for() -> None:
    scene = given("""
        turn 0 dealer 3
        0  QS QD QC 7H
        1  QH 7S
        2  7D
        3  7C
        """)
    scene.when("0 asks 1 QH", "0 asks 1 QS").then("0 asked 1 QH given", "0 lays Q", "family_exposed")


@rule("K-EMPTY-2", "K-EMPTY-1")
def test_who_lays_down_the_last_cards_passes_the_turn_to_the_next_with_cards() -> None:
    scene = given("""
        turn 1 dealer 3
        0  7S 7H
        1  QS QD QC
        2  -
        3  QH 7D 7C
        """)
    scene.when("1 asks 3 QH").then("1 asked 3 QH given", "1 lays Q", "1 out", "turn 3")
    scene.when("3 asks 1 7S").then("no_cards")


@rule("K-EMPTY-1")
def test_an_asked_hand_that_gives_its_last_card_is_out() -> None:
    scene = given("""
        turn 0 dealer 3
        0  QS 7H
        1  QH
        2  QD 7S
        3  QC 7D 7C
        """)
    scene.when("0 asks 1 QH").then("0 asked 1 QH given", "1 out")


@rule("K-END-1", "K-END-2")
def test_the_game_ends_with_the_last_family_and_all_hands_are_empty() -> None:
    scene = given("""
        turn 0 dealer 3
        0  QS QD QC
        1  QH
        2  -
        3  -
        open  7:0 8:0 9:1 10:1 J:2 K:2 A:3
        """)
    scene.when("0 asks 1 QH").then("0 asked 1 QH given", "0 lays Q", "0 out", "1 out", "over by 0 ask")
    assert scene.play.state.hands == ((), (), (), ())
    assert scene.points() == (3, 2, 2, 1)
    assert scene.winners() == (0,)


@rule("K-END-2")
def test_emptying_the_hand_first_gives_nothing_and_tied_leaders_share() -> None:
    scene = given("""
        turn 0 dealer 3
        0  QS QD QC
        1  QH
        2  -
        3  -
        open  7:3 8:0 9:1 10:1 J:1 K:2 A:0
        """)
    scene.when("0 asks 1 QH")
    assert scene.points() == (3, 3, 1, 1)
    assert scene.winners() == (0, 1)


STUCK = """
turn 0 dealer 3
0  QS 7H
1  QH 7S
2  QD 7D
3  QC 7C
"""


@rule("K-END-4")
def test_sixteen_requests_a_card_without_a_family_end_the_game_as_it_stands() -> None:
    scene = given(STUCK + "open  K:2")
    scene.play.state = replace(scene.play.state, barren=16 * 32 - 2)
    scene.when("0 asks 1 QD").then("0 asked 1 QD no", "turn 1")
    scene.when("1 asks 0 QC").then("1 asked 0 QC no", "over by 1 ask incomplete")
    assert scene.points() == (0, 0, 1, 0)
    assert scene.winners() == (2,)


@rule("K-END-4")
def test_a_time_out_counts_as_well_and_with_no_family_nobody_wins() -> None:
    scene = given(STUCK)
    scene.play.state = replace(scene.play.state, barren=16 * 32 - 1)
    scene.until(60).then("0 timed out", "over by house timeout incomplete")
    assert scene.winners() == ()


@rule("K-END-4")
def test_a_pass_counts_as_well() -> None:
    scene = given(STUCK, turn_seconds=0)
    scene.play.state = replace(scene.play.state, barren=16 * 32 - 1)
    scene.when("host passes at 60").then("0 passed", "over by house pass incomplete")


@rule("K-END-4")
def test_a_completed_family_begins_the_count_anew() -> None:
    scene = given("""
        turn 0 dealer 3
        0  QS QD QC 7H
        1  QH 7S
        2  7D
        3  7C
        """)
    scene.play.state = replace(scene.play.state, barren=16 * 32 - 1)
    scene.when("0 asks 1 QH").then("0 asked 1 QH given", "0 lays Q")
    assert scene.play.state.barren == 0


@rule("K-END-4")
def test_a_refusal_does_not_count() -> None:
    scene = given(STUCK)
    scene.play.state = replace(scene.play.state, barren=16 * 32 - 1)
    scene.when("1 asks 0 7H", "0 asks 0 7S", "0 asks 1 KS").then("not_your_turn", "yourself", "family_not_held")
    assert scene.play.state.stop is None


@rule("K-END-4")
def test_the_hands_that_are_left_are_turned_up() -> None:
    scene = given(STUCK)
    scene.play.state = replace(scene.play.state, barren=16 * 32 - 1)
    scene.when("0 asks 1 QD")
    from shared.games.kwartet import game

    shown = game.last_round(scene.play.table, scene.play.state)
    assert shown["how"] == "ask"
    assert shown["complete"] is False
    assert shown["hands"] == [
        [{"family": "7", "member": suit}, {"family": "Q", "member": other}]
        for suit, other in (("H", "S"), ("S", "H"), ("D", "D"), ("C", "C"))
    ]
    assert shown["left"] == ["7", "8", "9", "10", "J", "Q", "K", "A"]
