"""The reshuffle: all connected people must want it, once a round."""

import pytest

from shared.games.quatro.cards import deck, rank
from shared.games.quatro.events import CardsReshuffled, VoteFailed
from shared.games.quatro.rules import Rules
from shared.games.quatro.view import own, public
from tests.quatro.scene import SIX, Scene, given
from tests.rules import rule

PASSED = ("10 0 asks", "11 1 agrees", "11 2 agrees", "12 3 agrees")


def reshuffled_at(scene: Scene) -> list[float]:
    return [at / 1e6 for at, _ in scene.happened(CardsReshuffled)]


def failed(scene: Scene) -> list[tuple[float, str, int | None]]:
    return [(at / 1e6, e.why, e.seat) for at, e in scene.happened(VoteFailed) if isinstance(e, VoteFailed)]


@rule("Q-VOTE-1", "Q-VOTE-3")
@pytest.mark.parametrize(
    ("bots", "when", "passed"),
    [
        pytest.param(set(), PASSED, 12, id="the last one's yes"),
        pytest.param(set(), ("10 0 asks", "11 1 agrees", "11 2 agrees", "13 3 goes"), 13, id="the last one goes away"),
        pytest.param({1, 3}, ("10 0 asks", "11 2 agrees"), 11, id="bots are not asked"),
        pytest.param({1, 2, 3}, ("10 0 asks",), 10, id="no other person"),
        pytest.param(set(), ("9 1 goes", "9 2 goes", "9 3 goes", "10 0 asks"), 10, id="all others away"),
        pytest.param(
            set(), ("10 0 asks", "11 0 goes", "12 1 agrees", "12 2 agrees", "13 3 agrees"), 13, id="asker away"
        ),
        pytest.param(
            set(), ("10 0 asks", "11 1 goes", "11 2 goes", "12 0 goes", "13 3 goes"), 13, id="nobody connected at all"
        ),
        pytest.param(
            set(),
            ("10 0 asks", "11 3 agrees", "12 3 goes", "13 3 comes", "14 1 agrees", "15 2 agrees"),
            15,
            id="an agreement outlasts a disconnection",
        ),
        pytest.param(
            set(),
            ("10 0 asks", "11 3 goes", "12 1 agrees", "13 3 comes", "14 2 agrees", "15 3 agrees"),
            15,
            id="one comes back",
        ),
    ],
)
def test_it_passes_as_soon_as_every_connected_person_agreed(
    bots: set[int], when: tuple[str, ...], passed: float
) -> None:
    scene = given(bots=frozenset(bots)).when(*when).until(40)
    assert reshuffled_at(scene) == [passed]
    assert failed(scene) == []


@rule("Q-VOTE-1")
@pytest.mark.parametrize(
    ("when", "then"),
    [
        pytest.param(["1 1 asks"], ["not_connected"], id="a bot does not ask"),
        pytest.param(["1 0 asks", "2 1 agrees"], ["ok", "not_connected"], id="a bot does not vote"),
        pytest.param(["1 0 goes", "1 0 asks"], ["not_connected"], id="one who is away does not ask"),
    ],
)
def test_only_connected_people_vote(when: list[str], then: list[str]) -> None:
    given(bots=frozenset({1})).when(*when).then(*then)


@rule("Q-VOTE-1", "Q-VOTE-2")
@pytest.mark.parametrize(
    ("second", "passed", "then"),
    [
        pytest.param("29.999999", [29.999999], "ok", id="a µs before"),
        pytest.param("30", [], "no_vote", id="at twenty seconds silence was a no"),
    ],
)
def test_there_are_twenty_seconds_to_agree(second: str, passed: list[float], then: str) -> None:
    scene = given().when("10 0 asks", "11 1 agrees", "11 2 agrees", f"{second} 3 agrees").until(60)
    assert scene.outcomes[-1] == then
    assert reshuffled_at(scene) == passed


@rule("Q-VOTE-2")
def test_silence_fails_the_vote_at_its_own_time() -> None:
    assert failed(given().when("10 0 asks").until(60)) == [(30, "silence", None)]


@rule("Q-VOTE-2")
def test_a_spoken_no_fails_it_at_once() -> None:
    scene = given().when("10 0 asks", "11 1 agrees", "12 2 refuses", "12 3 agrees").then("ok", "ok", "ok", "no_vote")
    assert failed(scene.until(60)) == [(12, "no", 2)]


@rule("Q-VOTE-2")
@pytest.mark.parametrize(
    ("when", "then"),
    [
        (["1 1 agrees"], ["no_vote"]),
        (["1 0 asks", "2 0 agrees"], ["ok", "own_vote"]),
        (["1 0 asks", "2 0 refuses"], ["ok", "own_vote"]),
        (["1 0 asks", "2 1 agrees", "3 1 agrees"], ["ok", "ok", "already_answered"]),
        (["1 0 asks", "2 1 agrees", "3 1 refuses"], ["ok", "ok", "already_answered"]),
        (["1 0 asks", "2 1 goes", "3 1 agrees"], ["ok", "not_connected"]),
    ],
)
def test_an_answer_is_given_once_and_by_who_was_asked(when: list[str], then: list[str]) -> None:
    given().when(*when).then(*then)


@rule("Q-VOTE-4")
def test_there_is_one_reshuffle_a_round() -> None:
    given().when(*PASSED, "60 1 asks").then("ok", "ok", "ok", "ok", "already_reshuffled")


@rule("Q-VOTE-4", "Q-VOTE-5")
@pytest.mark.parametrize(
    ("when", "then"),
    [
        pytest.param(["10 0 asks", "12 1 refuses", "41.999999 2 asks"], "too_soon until 42", id="30 s from a no"),
        pytest.param(["10 0 asks", "12 1 refuses", "42 2 asks"], "ok", id="a vote that failed uses nothing up"),
        pytest.param(["10 0 asks", "59.999999 2 asks"], "too_soon until 60", id="30 s from silence"),
        pytest.param(["10 0 asks", "60 0 asks"], "ok", id="the same seat asks again"),
        pytest.param(["10 0 asks", "11 2 asks"], "vote_open", id="one at a time"),
        pytest.param(["10 0 asks", "29.999999 0 asks"], "vote_open", id="nor twice by the asker"),
    ],
)
def test_thirty_seconds_lie_between_two_votes(when: list[str], then: str) -> None:
    assert given().when(*when).outcomes[-1] == then


@rule("Q-VOTE-5")
@pytest.mark.parametrize(
    ("when", "then"),
    [
        pytest.param(["1 0 asks", "1 1 asks"], ["ok", "vote_open"], id="0 first"),
        pytest.param(["1 1 asks", "1 0 asks"], ["ok", "vote_open"], id="1 first"),
    ],
)
def test_of_two_who_ask_the_second_is_told_that_there_is_a_vote(when: list[str], then: list[str]) -> None:
    given().when(*when).then(*then)


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


@rule("Q-VOTE-7")
@pytest.mark.parametrize("end", ["11 2 calls", "11 1 counters", "time"])
def test_the_end_of_the_round_ends_an_open_vote(end: str) -> None:
    scene = given(rules=Rules(round_ms=20_000)).when("10 0 asks")
    scene = scene.until(20) if end == "time" else scene.when(end)
    assert public(scene.play.table, scene.play.state.rules, None, scene.play.state)["vote"] is None
    scene.until(60)
    assert failed(scene) == []


@rule("Q-VOTE-1", "Q-VOTE-2", "Q-VOTE-4")
def test_the_view_says_who_may_answer_and_when_the_next_vote_is_possible() -> None:
    scene = given(bots=frozenset({3})).when("10 0 asks", "11 1 agrees")
    table, state = scene.play.table, scene.play.state
    vote = public(table, state.rules, None, state)["vote"]
    assert vote == {"asker": 0, "agreed": [1], "deadline": scene.play.at + 19_000_000}
    may = [seat for seat in range(4) if "AnswerReshuffle" in own(table, state, seat)["can"]]  # type: ignore[operator]
    assert may == [2]
    scene.when("12 2 refuses")
    assert public(table, state.rules, None, scene.play.state)["vote_ready_at"] == scene.play.at + 30_000_000
