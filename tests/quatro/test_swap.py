"""Swaps: the centre is contested, and who comes second learns to whom and by how much."""

import pytest

from shared.games.quatro.events import CardSwapped
from shared.games.quatro.rules import Rules
from tests.quatro.scene import given
from tests.rules import case, rule


@rule("Q-SWAP-2")
def test_a_swap_changes_two_cards_in_one_step_and_each_stands_where_the_other_stood() -> None:
    given().when("1 0 swaps KH for QH at 0").then("ok").looks("""
        centre  KH JD 10C AS
        0  QS QD QC QH  waits 2
        1  KS KD JC 10H
        2  AH AD JS JH
        3  AC 10S 10D KC""")


@rule("Q-SWAP-2")
def test_the_card_taken_stands_in_the_middle_of_the_hand_if_the_one_put_down_did() -> None:
    given().when("1 0 swaps QD for JD at 1").looks("""
        centre  QH QD 10C AS
        0  QS JD QC KH  waits 2
        1  KS KD JC 10H
        2  AH AD JS JH
        3  AC 10S 10D KC""")


@rule("Q-SWAP-1")
def test_all_seats_swap_in_the_same_microsecond() -> None:
    given().when(
        "1 3 swaps KC for QH at 0", "1 0 swaps KH for JD at 1", "1 2 swaps JS for 10C at 2", "1 1 swaps JC for AS at 3"
    ).then("ok", "ok", "ok", "ok").looks("""
        centre  KC KH JS JC
        0  QS QD QC JD  waits 2
        1  KS KD AS 10H  waits 2
        2  AH AD 10C JH  waits 2
        3  AC 10S 10D QH  waits 2""")


RACES = [
    pytest.param(
        ["1 0 swaps KH for QH at 0", "1.000001 1 swaps KS for QH at 0"],
        ["ok", "card_gone to seat 0 by 0.000001"],
        id="0 first",
    ),
    pytest.param(
        ["1 1 swaps KS for QH at 0", "1.000001 0 swaps KH for QH at 0"],
        ["ok", "card_gone to seat 1 by 0.000001"],
        id="1 first",
    ),
    pytest.param(
        ["1 0 swaps KH for QH at 0", "1 1 swaps KS for QH at 0"],
        ["ok", "card_gone to seat 0 by 0"],
        id="in the same microsecond the record that came first",
    ),
    pytest.param(
        ["1 0 swaps KH for QH at 0", "1 1 swaps KS for JD at 1"],
        ["ok", "ok"],
        id="two cards, two swaps",
    ),
]


@case("C-01")
@rule("Q-SWAP-3")
@pytest.mark.parametrize(("when", "then"), RACES)
def test_of_two_swaps_at_one_card_the_first_is_made_and_the_second_hears_to_whom_it_lost(
    when: list[str], then: list[str]
) -> None:
    given().when(*when).then(*then)


@rule("Q-SWAP-3")
def test_a_swap_that_lost_names_the_record_that_took_the_card() -> None:
    scene = given().when("1 0 swaps KH for QH at 0", "1.5 1 swaps KS for QH at 0")
    taken = next(now for now, event in scene.play.events if isinstance(event, CardSwapped))
    lost = scene.refusals[0].lost_to
    assert lost is not None
    assert (lost.version, lost.by, lost.margin_us) == (taken.version, 0, 500_000)


@rule("Q-SWAP-3")
def test_a_swap_that_lost_costs_nothing_so_the_next_card_can_be_taken_at_once() -> None:
    given().when("1 0 swaps KH for QH at 0", "1.000001 1 swaps KS for QH at 0", "1.000002 1 swaps KS for JD at 1").then(
        "ok", "card_gone to seat 0 by 0.000001", "ok"
    )


@rule("Q-SWAP-3")
def test_it_lost_to_the_last_event_that_took_the_card_from_that_place() -> None:
    given().when(
        "1 0 swaps KH for QH at 0",  # the queen leaves place 0,
        "3 0 swaps QH for KH at 0",  # comes back
        "4 1 swaps KS for QH at 0",  # and leaves again
        "5 2 swaps AH for QH at 0",
    ).then("ok", "ok", "ok", "card_gone to seat 1 by 1")


@rule("Q-SWAP-3")
def test_a_card_that_was_put_down_and_taken_away_again_was_taken_too() -> None:
    given().when("1 0 swaps KH for QH at 0", "2 1 swaps 10H for KH at 0", "2.25 2 swaps AH for KH at 0").then(
        "ok", "ok", "card_gone to seat 1 by 0.25"
    )


@rule("Q-SWAP-3")
@pytest.mark.parametrize(
    "when",
    [
        pytest.param("1 0 swaps KH for JD at 0", id="it lies in another place"),
        pytest.param("1 0 swaps KH for JC at 1", id="the same rank in another suit"),
        pytest.param("1 0 swaps KH for AH at 3", id="it is in a hand"),
        pytest.param("1 0 swaps KH for 2Z at 3", id="there is no such card"),
        pytest.param("1 0 swaps KH for KH at 3", id="it is the card in the own hand"),
    ],
)
def test_a_card_that_never_lay_there_is_gone_and_lost_to_nobody(when: str) -> None:
    given().when(when).then("card_gone")


@rule("Q-DECK-2")
def test_only_the_particular_card_aimed_at_is_taken() -> None:
    given().when("1 0 swaps KH for QH at 0", "3 0 swaps QH for KH at 0", "5 0 swaps KH for QC at 0").then(
        "ok", "ok", "card_gone"
    )


@rule("Q-SWAP-4")
@pytest.mark.parametrize(
    ("second", "then"), [("2.999999", "too_soon until 3"), ("3.000000", "ok"), ("1.000000", "too_soon until 3")]
)
def test_two_seconds_lie_between_two_swaps_of_a_seat_to_the_microsecond(second: str, then: str) -> None:
    given().when("1 0 swaps KH for QH at 0", f"{second} 0 swaps QH for KH at 0").then("ok", then)


@rule("Q-SWAP-4")
def test_an_attempt_in_the_wait_does_not_lengthen_it() -> None:
    given().when(
        "1 0 swaps KH for QH at 0",
        "2.9 0 swaps QH for KH at 0",
        "2.95 0 swaps QH for KH at 0",
        "3 0 swaps QH for KH at 0",
    ).then("ok", "too_soon until 3", "too_soon until 3", "ok")


@rule("Q-SWAP-4")
def test_a_wait_holds_up_nobody_else() -> None:
    given().when("1 0 swaps KH for QH at 0", "1.1 2 swaps AH for KH at 0").then("ok", "ok")


@rule("Q-SWAP-4", "Q-SWAP-5")
def test_without_a_wait_in_the_house_rules_a_seat_swaps_as_often_as_it_likes() -> None:
    scene = given(rules=Rules(swap_wait_ms=0))
    for turn in range(50):
        scene.when("1 0 swaps KH for QH at 0" if turn % 2 == 0 else "1 0 swaps QH for KH at 0").then("ok")


@rule("Q-SWAP-5")
def test_the_number_of_swaps_has_no_limit_but_the_wait() -> None:
    scene = given()
    for turn in range(80):
        second = 1 + 2 * turn
        scene.when(f"{second} 0 swaps KH for QH at 0" if turn % 2 == 0 else f"{second} 0 swaps QH for KH at 0").then(
            "ok"
        )


@rule("Q-SWAP-6")
@pytest.mark.parametrize(
    ("when", "then"),
    [
        ("1 0 swaps KS for QH at 0", "not_in_hand"),
        ("1 0 swaps QH for QH at 0", "not_in_hand"),
        ("1 0 swaps x for QH at 0", "not_in_hand"),
        ("1 0 swaps KH for QH at 4", "no_such_place"),
        ("1 0 swaps KH for QH at -1", "no_such_place"),
    ],
)
def test_a_card_not_held_or_a_place_that_is_none_costs_nothing(when: str, then: str) -> None:
    given().when(when, "1 0 swaps KH for QH at 0").then(then, "ok")


@rule("Q-SWAP-8")
@pytest.mark.parametrize(
    ("when", "then"),
    [
        ("2 0 swaps KS for 10C at 9", "no_such_place"),
        ("2 0 swaps KS for 10C at 0", "not_in_hand"),
        ("2 0 swaps QH for 10C at 0", "too_soon until 3"),
        ("3 0 swaps QH for 10C at 0", "card_gone"),
    ],
)
def test_of_several_reasons_the_first_of_the_list_is_given(when: str, then: str) -> None:
    given().when("1 0 swaps KH for QH at 0", when).then("ok", then)


@case("C-03")
@rule("Q-SWAP-6")
def test_five_clicks_are_one_swap() -> None:
    given().when(*["1 0 swaps KH for QH at 0"] * 5).then("ok", *["not_in_hand"] * 4)
