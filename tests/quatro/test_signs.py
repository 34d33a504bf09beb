"""Signs: a team's secret for one round."""

import unicodedata

import pytest

from shared.games.quatro import game
from shared.games.quatro.cards import SIGNS, draw_sign
from shared.games.quatro.events import HandsDealt, SignDrawn, SignPicked
from shared.games.quatro.news import news
from shared.games.quatro.rules import Rules
from shared.games.quatro.state import Carry
from shared.games.quatro.view import own
from shared.shuffle import Stream
from tests.quatro.play import START, Play, table
from tests.quatro.scene import Scene
from tests.rules import rule


def preparing(seats: int = 4, last: tuple[str, ...] | None = None) -> Scene:
    return Scene(Play(table(seats), Rules(), Carry(last) if last else None))


@rule("Q-SIGN-1")
def test_there_are_twenty_four_signs_each_a_single_code_point_that_draws_in_colour() -> None:
    assert len(SIGNS) == len(set(SIGNS)) == 24
    assert all(len(sign) == 1 and unicodedata.east_asian_width(sign) == "W" for sign in SIGNS)
    assert (SIGNS[0], SIGNS[3], SIGNS[6], SIGNS[23]) == ("🍍", "🚀", "🐢", "🔑")


@rule("Q-SIGN-2")
@pytest.mark.parametrize(
    ("when", "sign", "first"),
    [
        pytest.param(["1 0 picks 🍍", "1.000001 2 picks 🚀"], "🍍", 0, id="0 first"),
        pytest.param(["1 2 picks 🚀", "1.000001 0 picks 🍍"], "🚀", 2, id="2 first"),
    ],
)
def test_the_first_of_two_partners_sets_the_sign_and_both_see_it(when: list[str], sign: str, first: int) -> None:
    scene = preparing().when(*when).then("ok", "sign_already_set")
    assert [own(scene.play.table, scene.play.state, seat)["sign"] for seat in range(4)] == [sign, None, sign, None]
    assert [event for _, event in scene.play.events] == [SignPicked(first, 0, sign)]


@rule("Q-SIGN-2")
def test_one_who_picked_can_not_pick_again() -> None:
    preparing().when("1 0 picks 🍍", "2 0 picks 🍍").then("ok", "sign_already_set")


@rule("Q-SIGN-1")
@pytest.mark.parametrize("sign", ["💀", "x", "🍍🍍", "🍍\ufe0f"])
def test_what_is_not_among_the_twenty_four_is_no_sign(sign: str) -> None:
    preparing().when(f"1 0 picks {sign}").then("no_such_sign")


@rule("Q-SIGN-3")
def test_two_teams_may_have_the_same_sign() -> None:
    preparing(6).when("1 0 picks 🍍", "1 1 picks 🍍", "1 5 picks 🍍").then("ok", "ok", "ok")


@rule("Q-SIGN-3")
def test_a_pick_is_told_to_the_team_only() -> None:
    scene = preparing(6)
    for event in (SignPicked(1, 1, "🍍"), SignDrawn(1, "🍍")):
        heard = [seat for seat in (None, *range(6)) if news(scene.play.table, event, seat)]
        assert heard == [1, 4]


@rule("Q-SIGN-4")
def test_a_team_that_picked_none_gets_one_drawn_from_the_rounds_key() -> None:
    scene = preparing(6).when("1 4 picks 🍍")
    scene.play.open()
    drawn = [event for _, event in scene.play.events if isinstance(event, SignDrawn)]
    key = scene.play.table.key
    assert key is not None
    assert drawn == [SignDrawn(team, draw_sign(Stream(key, f"sign/{team}"), None)) for team in (0, 2)]
    assert scene.play.state.signs == (drawn[0].sign, "🍍", drawn[1].sign)


@rule("Q-SIGN-5")
def test_the_teams_last_sign_can_not_be_picked_but_the_others_can_pick_it() -> None:
    preparing(last=("🍍", "🚀")).when("1 0 picks 🍍", "1 1 picks 🍍", "1 2 picks 🚀").then(
        "sign_used_last_round", "ok", "ok"
    )


@rule("Q-SIGN-5")
def test_a_team_that_has_a_sign_is_told_so_before_it_is_told_that_it_was_used() -> None:
    preparing(last=("🍍", "🚀")).when("1 0 picks 🔔", "2 2 picks 🍍", "2 2 picks 💀").then(
        "ok", "sign_already_set", "no_such_sign"
    )


@rule("Q-SIGN-5")
def test_the_teams_last_sign_is_never_drawn() -> None:
    drawn = {draw_sign(Stream(number.to_bytes(32, "big"), "sign/0"), "🍍") for number in range(1000)}
    assert drawn == set(SIGNS) - {"🍍"}


@rule("Q-SIGN-5")
def test_a_round_hands_its_signs_on_to_the_next() -> None:
    scene = preparing().when("1 0 picks 🍍", "1 1 picks 🚀")
    scene.play.open()
    scene.when("2 0 calls")
    carry = game.carry_of(scene.play.state)
    assert carry == Carry(("🍍", "🚀"))
    assert game.begin(scene.play.table, Rules(), carry).last_signs == ("🍍", "🚀")


@rule("Q-OPEN-3")
def test_before_the_opening_there_are_no_cards_anywhere() -> None:
    scene = preparing().when("1 0 picks 🍍")
    assert scene.play.state.hands == ((), (), (), ())
    assert scene.play.state.centre == ()
    assert [own(scene.play.table, scene.play.state, seat)["hand"] for seat in range(4)] == [[], [], [], []]
    scene.play.until(START + 600_000_000)
    assert not scene.happened(HandsDealt)


@rule("Q-SIGN-2")
def test_the_view_says_who_can_still_pick() -> None:
    scene = preparing().when("1 0 picks 🍍")
    can = [own(scene.play.table, scene.play.state, seat)["can"] for seat in range(4)]
    assert can == [[], ["PickSign"], [], ["PickSign"]]
