"""The vote on a reshuffle: all connected people must want it, once a round."""

import pytest

from shared.games.quatro.events import CardsReshuffled, VoteFailed
from shared.games.quatro.rules import Rules
from shared.games.quatro.view import own, public
from tests.quatro.scene import PASSED, Scene, given
from tests.rules import rule


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
