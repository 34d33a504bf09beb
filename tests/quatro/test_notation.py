"""The notation: what it draws it can read, and it can't be wrong about the deck."""

import pytest

from shared.games.quatro import game, notation
from shared.games.quatro.rules import Rules
from tests.quatro.play import table
from tests.quatro.scene import EIGHT, FOUR, SIX, given
from tests.rules import rule


@rule("Q-DEAL-1")
@pytest.mark.parametrize("text", [FOUR, SIX, EIGHT])
def test_a_table_reads_as_it_is_drawn(text: str) -> None:
    given(text).looks(text)


@rule("Q-DEAL-1")
@pytest.mark.parametrize(
    "wrong", [FOUR.replace("QH", "QS"), FOUR.replace(" KH", ""), SIX, FOUR.replace("3  A", "9  A")]
)
def test_a_table_that_is_not_the_deck_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="not the deck of 4 seats"):
        notation.read(wrong, game.begin(table(4), Rules(), None))


@rule("Q-SWAP-4", "Q-CHAN-2", "Q-VOTE-1")
def test_waits_channels_and_votes_are_drawn() -> None:
    given().when(
        "1 2 takes",
        "1 3 takes",
        "2 2 shows 🍍",
        "2.5 2 shows 🚀",
        "3 1 asks",
        "3 0 agrees",
        "3.5 1 swaps KS for QH at 0",
    ).looks("""
        centre  KS JD 10C AS
        0  QS QD QC KH
        1  QH KD JC 10H  waits 2
        2  AH AD JS JH  shows 🍍 then 🚀, beat in 3.5
        3  AC 10S 10D KC  has the channel
        vote of 1, agreed 0, 19.5 left""")
