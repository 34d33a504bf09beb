"""Standings after finished games."""

from itertools import permutations

import pytest

from services.scoring.port import Result, Standing
from services.scoring.ratings import rate
from tests.rules import rule


def result(sides: tuple[tuple[str, ...], ...], points: tuple[int, ...], winners: tuple[int, ...]) -> Result:
    return Result("t", 3, "quatro", 1, sides, points, winners)


def rated(game: Result, before: dict[str, Standing] | None = None) -> dict[str, Standing]:
    return {line.player_id: line for line in rate(game, before or {})}


def test_winners_rise_and_losers_fall() -> None:
    after = rated(result((("a", "c"), ("b", "d")), (5, 2), (0,)))
    assert after["a"].mu == after["c"].mu > 25 > after["b"].mu == after["d"].mu
    assert [after[p].played for p in "abcd"] == [1, 1, 1, 1]
    assert [after[p].won for p in "abcd"] == [1, 0, 1, 0]
    assert [after[p].points for p in "abcd"] == [5, 2, 5, 2]


def test_every_result_makes_a_player_less_uncertain() -> None:
    once = rated(result((("a",), ("b",)), (5, 2), (0,)))
    twice = rated(result((("a",), ("b",)), (5, 2), (0,)), once)
    assert twice["a"].sigma < once["a"].sigma


@pytest.mark.parametrize("points", [*permutations((4, 3, 1))])
def test_of_three_who_play_alone_more_points_rate_higher(points: tuple[int, ...]) -> None:
    best = points.index(max(points))
    after = rated(result((("a",), ("b",), ("c",)), points, (best,)))
    order = sorted(zip(points, "abc", strict=True))
    assert [after[p].mu for _, p in order] == sorted(line.mu for line in after.values())


@rule("Q-WIN-3", "K-END-2")
def test_those_who_win_together_all_count_a_win_and_rate_alike() -> None:
    after = rated(result((("a",), ("b",), ("c",)), (5, 5, 1), (0, 1)))
    assert after["a"].mu == pytest.approx(after["b"].mu, abs=1e-9)
    assert (after["a"].won, after["b"].won, after["c"].won) == (1, 1, 0)


def test_people_who_play_against_bots_only_are_counted_but_not_rated() -> None:
    after = rated(result((("a", "c"), ()), (5, 2), (0,)))
    assert set(after) == {"a", "c"}
    assert after["a"].mu == 25
    assert after["a"].played == after["a"].won == 1


def test_a_side_of_bots_is_no_opponent_to_the_sides_of_people() -> None:
    with_bots = rated(result((("a",), (), ("c",)), (5, 3, 1), (0,)))
    assert with_bots["a"].mu > 25 > with_bots["c"].mu
    assert set(with_bots) == {"a", "c"}
