"""The drawn table: what is drawn is read back, for people, tests and replays."""

from inspect import cleandoc
from random import Random

import pytest

from shared.games.kwartet import notation
from shared.games.kwartet.cards import Card
from tests.kwartet.play import START, TINY, Play, rules, table
from tests.kwartet.scene import given
from tests.kwartet.test_laws import played


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("10H", Card("10", "H")),
        ("QS", Card("Q", "S")),
        ("Big cats/lion", Card("Big cats", "lion")),
        ("Sizes/HD", Card("Sizes", "HD")),
    ],
)
def test_cards_are_written_as_they_are_read(text: str, card: Card) -> None:
    assert notation.card(text) == card
    assert notation.write(card) == text


def test_a_table_is_drawn_with_turn_clock_hands_open_families_and_stock() -> None:
    text = """
        turn 0  dealer 1  59.5 left
        0  7H QS QD
        1  -
        open  A:1 10:0
        stock  KD 7S
        """
    scene = given(text)
    scene.play.at = START + 500_000
    scene.looks(text)


def test_with_no_limit_no_clock_is_drawn_and_at_the_end_it_is_over() -> None:
    play = given("turn 0 dealer 1\n0 QS QD QC\n1 QH\nopen 7:0 8:0 9:0 10:0 J:0 K:0 A:0", turn_seconds=0)
    assert notation.draw(play.play.state, START).splitlines()[0] == "turn 0  dealer 1"
    play.when("0 asks 1 QH")
    drawn = "over  dealer 1\n0  -\n1  -\nopen  7:0 8:0 9:0 10:0 J:0 K:0 A:0 Q:0"
    assert notation.draw(play.play.state, START) == cleandoc(drawn)


def test_before_the_deal_the_hands_are_empty() -> None:
    assert notation.draw(Play(table(3), rules(3, pack=TINY)).state, START).splitlines()[1:] == ["0  -", "1  -", "2  -"]


@pytest.mark.parametrize("players", [2, 4])
def test_what_is_drawn_of_any_game_is_read_back(players: int) -> None:
    state = Play(table(players, house=Random(players).randbytes(32)), rules(players)).open().state
    again = notation.read(notation.draw(state, START), state)
    assert [set(hand) for hand in again.hands] == [set(hand) for hand in state.hands]
    assert (again.stock, again.exposed, again.turn, again.dealer) == (
        state.stock, state.exposed, state.turn, state.dealer
    )  # fmt: skip
    over = played(players, 3, {}, clumsy=0).state
    assert notation.draw(over, START).startswith("over  dealer ")
