"""The channel: the only way to tell a partner anything, and everyone sees it."""

import pytest

from shared.games.quatro.events import EmojiRepeated
from shared.games.quatro.rules import Rules
from shared.games.quatro.view import own, seat_view
from shared.kernel import Event
from tests.quatro.scene import given
from tests.rules import rule

ON_AIR = ("1 0 takes", "2 0 shows 🍍")


def beats(events: list[tuple[int, Event]]) -> list[tuple[float, int, str]]:
    return [(at / 1e6, e.seat, e.emoji) for at, e in events if isinstance(e, EmojiRepeated)]


@rule("Q-CHAN-1")
def test_taking_and_giving_back_are_seen_by_the_whole_table() -> None:
    scene = given().when("1 0 takes").then("ok")
    play = scene.play
    assert seat_view(play.table, play.state, 0)["channel"] == {"held": True, "emoji": None, "next_beat": None}
    scene.when("3 0 gives").then("ok")
    assert seat_view(play.table, play.state, 0)["channel"] == {"held": False, "emoji": None, "next_beat": None}


@rule("Q-CHAN-1")
@pytest.mark.parametrize(
    ("when", "then"),
    [
        pytest.param(["1 0 takes", "1.5 0 takes"], ["ok", "already_in_control"], id="taken twice"),
        pytest.param(["1 0 gives"], ["not_in_control"], id="given without having"),
        pytest.param(["1 0 takes", "3 0 gives", "3.5 0 gives"], ["ok", "ok", "not_in_control"], id="given twice"),
        pytest.param(["1 0 takes", "1 2 takes"], ["ok", "ok"], id="each seat has its own"),
    ],
)
def test_a_channel_is_taken_once_and_given_back_once(when: list[str], then: list[str]) -> None:
    given().when(*when).then(*then)


@rule("Q-CHAN-2")
def test_a_choice_goes_out_at_once_and_then_at_every_fifth_second() -> None:
    scene = given().when(*ON_AIR).then("ok", "ok").until(17)
    assert beats(scene.happened(EmojiRepeated)) == [(7, 0, "🍍"), (12, 0, "🍍"), (17, 0, "🍍")]


@rule("Q-CHAN-2")
def test_a_beat_comes_to_the_microsecond() -> None:
    scene = given().when(*ON_AIR).until(6.999999)
    assert not scene.happened(EmojiRepeated)
    assert scene.until(7).happened(EmojiRepeated)


@rule("Q-CHAN-2")
def test_another_choice_waits_for_the_next_beat_which_does_not_move() -> None:
    scene = given().when(*ON_AIR, "4 0 shows 🚀", "5 0 shows 🔔").until(12)
    assert beats(scene.happened(EmojiRepeated)) == [(7, 0, "🔔"), (12, 0, "🔔")]


@rule("Q-CHAN-2")
def test_until_its_beat_a_new_choice_is_seen_by_its_chooser_only() -> None:
    scene = given().when(*ON_AIR, "4 0 shows 🚀")
    play = scene.play
    assert seat_view(play.table, play.state, 0)["channel"] == {
        "held": True,
        "emoji": "🍍",
        "next_beat": play.at + 3_000_000,
    }
    assert own(play.table, play.state, 0)["emoji_next"] == "🚀"
    assert own(play.table, play.state, 2)["emoji_next"] is None
    scene.until(7)
    assert own(play.table, play.state, 0)["emoji_next"] is None


@rule("Q-CHAN-2")
@pytest.mark.parametrize(
    ("chosen", "first"),
    [pytest.param("6.999999", "🚀", id="choice first"), pytest.param("7", "🍍", id="beat first, at its own instant")],
)
def test_a_choice_and_a_beat_race(chosen: str, first: str) -> None:
    scene = given().when(*ON_AIR, f"{chosen} 0 shows 🚀").until(12)
    assert beats(scene.happened(EmojiRepeated)) == [(7, 0, first), (12, 0, "🚀")]


@rule("Q-CHAN-2")
def test_giving_back_forgets_choice_and_beat_and_taking_again_begins_anew() -> None:
    scene = given().when(*ON_AIR, "4 0 shows 🚀", "5 0 gives", "7 0 takes").until(9)
    assert not scene.happened(EmojiRepeated)
    scene.when("9 0 shows 🔔").until(14)
    assert beats(scene.happened(EmojiRepeated)) == [(14, 0, "🔔")]


@rule("Q-CHAN-2")
def test_the_house_rules_set_the_beat() -> None:
    scene = given(rules=Rules(beat_ms=1_500)).when(*ON_AIR).until(5)
    assert beats(scene.happened(EmojiRepeated)) == [(3.5, 0, "🍍"), (5, 0, "🍍")]


@rule("Q-CHAN-3")
def test_nothing_goes_out_before_something_is_chosen() -> None:
    scene = given().when("1 0 takes").until(100)
    assert not scene.happened(EmojiRepeated)
    scene.looks("""
        centre  QH JD 10C AS
        0  QS QD QC KH  has the channel
        1  KS KD JC 10H
        2  AH AD JS JH
        3  AC 10S 10D KC""")


@rule("Q-CHAN-4")
def test_the_own_sign_and_any_other_emoji_are_shown_alike() -> None:
    scene = given()
    sign = scene.play.state.signs[0]
    other = "🍍" if sign != "🍍" else "🚀"
    scene.when("1 0 takes", f"1 0 shows {sign}", "1 2 takes", f"1 2 shows {other}").then("ok", "ok", "ok", "ok")
    shown = [seat_view(scene.play.table, scene.play.state, seat)["channel"] for seat in (0, 2)]
    assert shown[0] == shown[1] | {"emoji": sign}  # type: ignore[operator]


@rule("Q-CHAN-4")
def test_what_is_not_among_the_twenty_four_can_not_be_shown() -> None:
    given().when("1 0 takes", "1 0 shows 💀").then("ok", "no_such_sign")


@rule("Q-CHAN-5")
@pytest.mark.parametrize(
    ("when", "then"),
    [
        pytest.param(["1 0 takes", "2.999999 0 gives"], ["ok", "too_soon until 3"], id="a µs too soon"),
        pytest.param(["1 0 takes", "3 0 gives"], ["ok", "ok"], id="in time"),
        pytest.param(
            ["1 0 takes", "3 0 gives", "4.999999 0 takes", "5 0 takes"],
            ["ok", "ok", "too_soon until 5", "ok"],
            id="taken again",
        ),
        pytest.param(["1 0 takes", "2.9 0 shows 🍍", "3 0 gives"], ["ok", "ok", "ok"], id="choosing is no change"),
        pytest.param(["1 0 takes", "1.5 0 takes"], ["ok", "already_in_control"], id="what is so comes before when"),
    ],
)
def test_two_seconds_lie_between_two_changes_of_a_channel(when: list[str], then: list[str]) -> None:
    given().when(*when).then(*then)


@rule("Q-CHAN-6")
def test_choosing_without_control_is_refused() -> None:
    given().when("1 0 shows 🍍", "1 0 takes", "3 0 gives", "3 0 shows 🍍").then(
        "not_in_control", "ok", "ok", "not_in_control"
    )


@rule("Q-CHAN-7", "Q-DISC-1")
def test_a_channel_goes_on_while_its_player_is_away() -> None:
    scene = given().when(*ON_AIR, "3 0 goes").until(12)
    assert beats(scene.happened(EmojiRepeated)) == [(7, 0, "🍍"), (12, 0, "🍍")]


@rule("Q-CHAN-7")
def test_a_channel_goes_on_through_a_reshuffle() -> None:
    scene = given(bots=frozenset({1, 2, 3})).when(*ON_AIR, "3 0 asks").until(7)
    assert scene.play.state.reshuffled
    assert beats(scene.happened(EmojiRepeated)) == [(7, 0, "🍍")]


@rule("Q-CHAN-7")
def test_a_channel_ends_with_the_round() -> None:
    scene = given().when(*ON_AIR, "6 1 counters").until(100)
    assert not scene.happened(EmojiRepeated)
    assert seat_view(scene.play.table, scene.play.state, 0)["channel"] == {
        "held": False,
        "emoji": None,
        "next_beat": None,
    }


@rule("Q-CHAN-7")
def test_beats_of_several_seats_at_one_time_go_by_seat() -> None:
    scene = given().when("1 3 takes", "1 1 takes", "2 3 shows 🍍", "2 1 shows 🚀").until(7)
    assert beats(scene.happened(EmojiRepeated)) == [(7, 1, "🚀"), (7, 3, "🍍")]
