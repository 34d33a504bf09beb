"""The worked examples of the rule book."""

from shared.games.kwartet import game
from tests.kwartet.scene import given
from tests.rules import rule

QUEENS = """
turn 0 dealer 3
0  QS QD QC 7H
1  {}
2  {}
3  7C
"""


@rule("K-ASK-3", "K-SET-1", "K-SET-2")
def test_if_b_has_the_queen_of_hearts_only_it_moves_the_queens_lie_open_and_a_goes_on() -> None:
    scene = given(QUEENS.format("QH KS 7S", "KH 7D")).when("0 asks 1 QH")
    scene.then("0 asked 1 QH given", "0 lays Q").looks("""
        turn 0  dealer 3  60 left
        0  7H
        1  7S KS
        2  7D KH
        3  7C
        open  Q:0
        """)
    assert scene.points() == (1, 0, 0, 0)


@rule("K-ASK-5")
def test_if_b_has_none_nothing_moves_b_is_on_turn_and_c_keeps_the_queen() -> None:
    scene = given(QUEENS.format("KS 7S", "QH KH 7D")).when("0 asks 1 QH")
    scene.then("0 asked 1 QH no", "turn 1").looks("""
        turn 1  dealer 3  60 left
        0  7H QS QD QC
        1  7S KS
        2  7D QH KH
        3  7C
        """)


@rule("K-END-2", "K-END-3")
def test_three_two_two_one_is_a_win_for_a_though_d_emptied_first() -> None:
    scene = given("""
        turn 0 dealer 3
        0  QS QD QC
        1  QH
        2  -
        3  -
        open  7:3 8:0 9:1 10:1 J:2 K:2 A:0
        """)
    scene.when("0 asks 1 QH")
    assert scene.points() == (3, 2, 2, 1)
    assert sum(scene.points()) == 8
    assert game.winners(scene.play.state.rules, scene.points(), scene.play.state) == (0,)
