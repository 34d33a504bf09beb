"""After a reshuffle the round goes on, with other cards."""

from shared.games.quatro.cards import deck, rank
from tests.quatro.scene import PASSED, SIX, given
from tests.rules import rule


@rule("Q-VOTE-6", "Q-DEAL-1", "Q-DEAL-2")
def test_after_a_reshuffle_the_round_goes_on_with_other_cards() -> None:
    scene = given(SIX).when("5 4 swaps 9S for QH at 0", *PASSED, "12 4 agrees")
    before = scene.play.state
    after = scene.when("12 5 agrees").until(12).play.state
    assert after.reshuffled
    assert (after.signs, after.ends, after.swap_ready) == (before.signs, before.ends, before.swap_ready)
    assert after.hands != before.hands
    cards = [*after.centre, *(card for hand in after.hands for card in hand)]
    assert sorted(cards) == sorted(deck(6))
    assert all(max(map([rank(card) for card in hand].count, map(rank, hand))) <= 2 for hand in after.hands)


@rule("Q-VOTE-6")
def test_play_goes_on_during_the_vote() -> None:
    given().when("10 0 asks", "11 0 swaps KH for QH at 0", "12 2 calls").then("ok", "ok", "ok")


@rule("Q-VOTE-6", "Q-SWAP-3")
def test_a_swap_aimed_before_the_reshuffle_lost_to_it() -> None:
    scene = given().when(*PASSED).until(12)
    old, state = "QH", scene.play.state
    place = 0 if state.centre[0] != old else 1
    card = state.hands[0][0]
    assert place == 0, "the deal of this test puts another card there"
    scene.outcomes = []
    scene.when(f"12.5 0 swaps {card} for {old} at 0").then("card_gone to the reshuffle by 0.5")


@rule("Q-VOTE-6", "Q-SWAP-3")
def test_what_was_taken_before_the_reshuffle_was_taken_in_another_deal() -> None:
    scene = given().when("1 0 swaps KH for QH at 0", *PASSED).until(12)
    assert [sorted(taken) for taken in scene.play.state.taken] == [["KH"], ["JD"], ["10C"], ["AS"]]


@rule("Q-VOTE-6", "Q-SWAP-6")
def test_a_swap_of_a_card_no_longer_held_fails_too() -> None:
    scene = given().when(*PASSED).until(12)
    gone = next(card for card in ("QS", "QD", "QC", "KH") if card not in scene.play.state.hands[0])
    scene.outcomes = []
    scene.when(f"12.5 0 swaps {gone} for QH at 0").then("not_in_hand")


@rule("Q-VOTE-6")
def test_a_swap_aimed_before_the_reshuffle_that_still_fits_is_made() -> None:
    scene = given().when(*PASSED).until(12)
    state = scene.play.state
    scene.outcomes = []
    scene.when(f"12 0 swaps {state.hands[0][0]} for {state.centre[2]} at 2").then("ok")


@rule("Q-SWAP-7")
def test_a_reshuffle_does_not_end_a_wait() -> None:
    scene = given().when("11.5 0 swaps KH for QH at 0", *(f"12{word[2:]}" for word in PASSED)).until(12)
    state = scene.play.state
    assert state.reshuffled
    scene.outcomes = []
    scene.when(f"13.499999 0 swaps {state.hands[0][0]} for {state.centre[0]} at 0").then("too_soon until 13.5")
    scene.when(f"13.5 0 swaps {state.hands[0][0]} for {state.centre[0]} at 0").then("ok")
