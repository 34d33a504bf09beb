"""Quatro! and Counter!: who is looked at, who scores, and what stops the round."""

import pytest

from shared.games.quatro import game
from shared.games.quatro.rules import Rules
from shared.games.quatro.view import last_round, own
from tests.quatro.scene import EIGHT, FOUR, SIX, Scene, given
from tests.rules import rule

FOURS = "1 0 swaps KH for QH at 0"
"""Seat 0 takes its fourth queen."""


@rule("Q-CALL-1", "Q-CALL-2")
@pytest.mark.parametrize(
    ("text", "when", "points"),
    [
        pytest.param(FOUR, [FOURS, "2 2 calls"], (1, 0), id="4: right"),
        pytest.param(FOUR, ["2 2 calls"], (0, 1), id="4: wrong"),
        pytest.param(FOUR, [FOURS, "2 1 calls"], (1, 0), id="4: another team's four do not help"),
        pytest.param(FOUR, [FOURS, "2 0 calls anyway"], (0, 1), id="4: one's own four do not count"),
        pytest.param(SIX, [FOURS, "2 3 calls"], (1, 0, 0), id="6: right"),
        pytest.param(SIX, [FOURS, "2 2 calls"], (1, 1, 0), id="6: wrong, every other team scores"),
        pytest.param(EIGHT, [FOURS, "2 4 calls"], (1, 0, 0, 0), id="8: right"),
        pytest.param(EIGHT, ["2 7 calls"], (1, 1, 1, 0), id="8: wrong, every other team scores"),
    ],
)
def test_quatro_looks_at_the_partners_hand_only(text: str, when: list[str], points: tuple[int, ...]) -> None:
    scene = given(text).when(*when)
    assert scene.points() == points


@rule("Q-CALL-1")
@pytest.mark.parametrize(
    ("when", "right"),
    [
        pytest.param([FOURS, "3 0 swaps QH for KH at 0", "3 2 calls"], False, id="swap first"),
        pytest.param([FOURS, "3 2 calls"], True, id="call first"),
    ],
)
def test_a_call_looks_at_the_hand_of_its_instant(when: list[str], right: bool) -> None:
    assert last_round_of(given().when(*when))["right"] is right


@rule("Q-CALL-3")
def test_who_holds_four_and_calls_is_reminded_and_nothing_happens() -> None:
    scene = given().when(FOURS)
    before = scene.play.state
    scene.when("2 0 calls").then("ok", "own_four")
    assert scene.play.state is before


@rule("Q-CALL-3")
@pytest.mark.parametrize(
    ("when", "then"),
    [
        pytest.param([FOURS, "2 0 calls", "2.1 0 calls anyway"], ["ok", "own_four", "ok"], id="reminded before"),
        pytest.param([FOURS, "2 0 calls anyway"], ["ok", "ok"], id="at once"),
        pytest.param(["2 0 calls anyway"], ["ok"], id="without four it changes nothing"),
    ],
)
def test_who_says_anyway_calls_all_the_same(when: list[str], then: list[str]) -> None:
    scene = given().when(*when).then(*then)
    assert scene.points() == (0, 1)


@rule("Q-CALL-4", "Q-DISC-1")
@pytest.mark.parametrize(
    ("when", "points"),
    [
        pytest.param([FOURS, "1.5 0 goes", "2 2 calls"], (1, 0), id="a partner who is away is called"),
        pytest.param(
            [FOURS, "1.5 0 goes", "1.5 2 goes", "2 1 counters"], (0, 1), id="a team that is away is countered"
        ),
        pytest.param(
            [FOURS, "1.5 0 goes", "2 0 swaps QH for KH at 0", "3 2 calls"], (1, 0), id="nobody plays for them"
        ),
    ],
)
def test_calls_and_counters_are_possible_on_those_who_are_away(when: list[str], points: tuple[int, ...]) -> None:
    assert given().when(*when).points() == points


@rule("Q-COUNTER-1")
@pytest.mark.parametrize(
    ("text", "when", "then"),
    [
        (FOUR, "1 0 counters", "ok"),
        (FOUR, "1 0 counters 1", "ok"),
        (FOUR, "1 0 counters 0", "own_team"),
        (FOUR, "1 0 counters 2", "no_such_team"),
        (FOUR, "1 0 counters -1", "no_such_team"),
        (SIX, "1 0 counters", "name_a_team"),
        (SIX, "1 0 counters 2", "ok"),
        (SIX, "1 4 counters 1", "own_team"),
        (SIX, "1 0 counters 3", "no_such_team"),
        (EIGHT, "1 7 counters", "name_a_team"),
        (EIGHT, "1 7 counters 3", "own_team"),
        (EIGHT, "1 7 counters 0", "ok"),
    ],
)
def test_a_counter_names_one_opposing_team_unless_there_is_but_one(text: str, when: str, then: str) -> None:
    given(text).when(when).then(then)


@rule("Q-COUNTER-2", "Q-COUNTER-3")
@pytest.mark.parametrize(
    ("text", "when", "points"),
    [
        pytest.param(FOUR, [FOURS, "2 1 counters"], (0, 1), id="4: right, the lower seat holds four"),
        pytest.param(FOUR, ["1 2 swaps AH for JD at 1", "2 3 counters"], (1, 0), id="4: wrong"),
        pytest.param(SIX, [FOURS, "2 4 counters 0"], (0, 1, 0), id="6: right"),
        pytest.param(SIX, [FOURS, "2 4 counters 2"], (0, 0, 1), id="6: wrong, though another team holds four"),
        pytest.param(SIX, ["2 5 counters 0"], (1, 0, 0), id="6: wrong, no one else scores"),
        pytest.param(EIGHT, [FOURS, "2 7 counters 0"], (0, 0, 0, 1), id="8: right"),
        pytest.param(EIGHT, [FOURS, "2 7 counters 1"], (0, 1, 0, 0), id="8: wrong"),
    ],
)
def test_a_counter_looks_at_both_hands_of_the_accused(text: str, when: list[str], points: tuple[int, ...]) -> None:
    assert given(text).when(*when).points() == points


@rule("Q-COUNTER-2")
def test_the_four_of_the_higher_seat_of_a_team_count_as_well() -> None:
    jacks = FOUR.replace("AH AD JS JH", "JC AD JS JH").replace("KS KD JC 10H", "KS KD AH 10H")
    assert given(jacks).when("1 2 swaps AD for JD at 1", "2 1 counters").points() == (0, 1)


@rule("Q-STOP-2", "Q-SIGN-6")
def test_at_the_stop_hands_fours_and_signs_are_shown() -> None:
    scene = given().when(FOURS, "2 2 calls")
    shown = last_round_of(scene)
    assert shown["hands"] == [list(hand) for hand in scene.play.state.hands]
    assert shown["fours"] == [{"seat": 0, "rank": "Q"}]
    assert shown["signs"] == list(scene.play.state.signs)
    assert (shown["how"], shown["by"], shown["team"], shown["right"]) == ("call", 2, 0, True)


@rule("Q-STOP-2")
def test_every_four_of_a_kind_is_pointed_out_whoever_stopped_the_round() -> None:
    text = (
        FOUR.replace("AH AD JS JH", "AH AD AS AC").replace("AC 10S 10D KC", "JS 10S 10D KC").replace("10C AS", "10C JH")
    )
    shown = last_round_of(given(text).when(FOURS, "2 1 counters"))
    assert shown["fours"] == [{"seat": 0, "rank": "Q"}, {"seat": 2, "rank": "A"}]
    assert (shown["how"], shown["by"], shown["team"], shown["right"]) == ("counter", 1, 0, True)


@rule("Q-STOP-1")
@pytest.mark.parametrize("when", ["1 2 calls", "1 1 counters"])
def test_the_first_call_or_counter_stops_the_round_right_or_wrong(when: str) -> None:
    scene = given().when(when)
    stop = game.stop(scene.play.state)
    assert stop is not None
    assert (stop.version, stop.by) == (scene.play.version, int(when.split()[1]))
    assert game.deadlines(scene.play.table, scene.play.state) == ()
    assert own(scene.play.table, scene.play.state, 0)["can"] == []


@rule("Q-WIN-1", "Q-WIN-3")
@pytest.mark.parametrize(
    ("points", "winners"),
    [
        pytest.param((4, 4), None, id="nobody yet"),
        pytest.param((5, 4), (0,), id="the first at five"),
        pytest.param((4, 5), (1,), id="whichever team"),
        pytest.param((5, 5, 2), (0, 1), id="two together"),
        pytest.param((5, 6, 6), (1, 2), id="the top score only"),
        pytest.param((5, 5, 5, 4), (0, 1, 2), id="three together"),
    ],
)
def test_those_with_the_top_score_at_or_above_the_target_win(
    points: tuple[int, ...], winners: tuple[int, ...] | None
) -> None:
    stopped = given().when("1 2 calls").play.state
    assert game.winners(Rules(), points, stopped) == winners


@rule("Q-WIN-1")
def test_the_house_rules_set_the_target() -> None:
    stopped = given().when("1 2 calls").play.state
    assert game.winners(Rules(target_points=1), (0, 1), stopped) == (1,)
    assert game.winners(Rules(target_points=50), (49, 5), stopped) is None


@rule("Q-WIN-2")
@pytest.mark.parametrize("text", [FOUR, SIX, EIGHT])
@pytest.mark.parametrize("when", ["1 0 calls", "1 1 counters 0", "1 2 calls anyway"])
def test_no_verdict_takes_points_away(text: str, when: str) -> None:
    points = given(text).when(when).points()
    assert len(points) == len(text.strip().splitlines()) // 2
    assert min(points) >= 0


def last_round_of(scene: Scene) -> dict[str, object]:
    play = scene.play
    return last_round(play.table, play.state)
