"""The photo finish of races of both games: what lost to what, by how much, by which rule, and the other way round."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.rules import rule
from tests.web.conftest import Enter
from tests.web.disputed import BO, DEE, Disputed, called
from tests.web.disputed_kwartet import crossed
from tests.web.house import House
from tests.web.room import cards, ready, record


@pytest.fixture
def page(enter: Enter) -> Page:
    """Ada looks back, on a desktop."""
    return ready(enter().page)


@pytest.fixture(scope="module")
def calls(house: House) -> Disputed:
    """A call that came after another."""
    return called(house)


@pytest.fixture(scope="module")
def kwartet(house: House) -> Disputed:
    """A request that crossed a change of turn, and one after the end."""
    return crossed(house)


def exact(margin_us: int) -> str:
    """A margin as the picture says it."""
    return f"{margin_us / 1000:.3f} ms" if margin_us < 1_000_000 else f"{margin_us / 1_000_000:.6f} s"


@rule("Q-SWAP-3")
def test_the_photo_finish_has_both_commands_the_margin_and_the_rule(page: Page, dispute: Disputed) -> None:
    swap, second = dispute.races
    finish = page.locator(".finish")
    expect(finish.locator(".photo .mg")).to_have_text(exact(dispute.lost[0]["lost_to"]["margin_us"]))
    expect(finish.locator(".rule")).to_contain_text("Q-SWAP-3 If the place no longer holds the card aimed at")
    expect(finish.locator(".pair2")).to_contain_text(
        f"#{swap['loser']['version']}, lost to #{swap['winner']['version']}"
    )
    expect(finish.locator(".pair2")).to_contain_text("card gone")
    expect(finish.locator(".pair2")).not_to_contain_text("not said")
    page.keyboard.press("n")
    expect(finish.locator(".photo .mg")).to_have_text(exact(dispute.lost[1]["lost_to"]["margin_us"]))
    assert (second["winner"]["by"], second["loser"]["by"]) == (BO, DEE)


def test_the_other_way_round_is_a_table_to_look_at(page: Page, dispute: Disputed) -> None:
    expect(page.locator(".whatif")).to_contain_text("Had Ada been first: Ada put down the")
    page.get_by_role("button", name="Show that table").click()
    expect(page.locator(".banner")).to_contain_text("Not what happened. Had Ada been first.")
    assert dispute.wanted in cards(page, "Ada")
    assert dispute.wanted not in cards(page, "Cas")
    page.get_by_role("button", name="Back to what happened").click()
    assert dispute.wanted in cards(page, "Cas")


@rule("Q-STOP-1")
def test_of_two_calls_the_later_loses_and_had_it_been_first_the_other_had_lost(enter: Enter, calls: Disputed) -> None:
    page = ready(enter(of=calls).page)
    (race,) = calls.races
    finish = page.locator(".finish")
    expect(finish.locator(".photo .mg")).to_have_text(exact(calls.lost[0]["lost_to"]["margin_us"]))
    expect(finish.locator(".rule")).to_contain_text("Q-STOP-1 The round stops at the first call or counter")
    expect(finish.locator(".pair2")).to_contain_text("round over")
    expect(finish.locator("[aria-current=true]")).to_contain_text("Bo, Quatro!, before Dee, Quatro!")
    rightly = "rightly" if race["otherwise"]["loser"]["events"][0]["right"] else "wrongly"
    expect(page.locator(".whatif")).to_contain_text(
        f"Had Dee been first: Dee called Quatro!, {rightly}. Bo called Quatro! Refused: round over."
    )
    page.get_by_role("button", name="Show that table").click()
    expect(page.locator(".banner")).to_contain_text("Had Dee been first.")
    assert [len(cards(page, name)) for name in ("Ada", "Cas", "Bo", "Dee")] == [4, 4, 4, 4]
    page.keyboard.press("Escape")
    expect(page.locator(".banner")).to_have_count(0)
    assert record(page) == race["loser"]["version"]


@rule("K-ASK-7")
def test_a_request_that_crosses_a_change_of_turn_has_its_photo_finish(enter: Enter, kwartet: Disputed) -> None:
    page = ready(enter(of=kwartet).page)
    crossing = kwartet.races[0]
    name, finish = kwartet.people[crossing["loser"]["by"]]["name"], page.locator(".finish")
    assert record(page) == crossing["loser"]["version"]
    expect(finish.locator(".photo .mg")).to_have_text(exact(kwartet.lost[0]["lost_to"]["margin_us"]))
    expect(finish.locator(".rule")).to_contain_text("K-ASK-7 Of two requests that cross")
    expect(finish.locator(".pair2")).to_contain_text("not their turn")
    expect(page.locator(".asked")).to_contain_text("Refused: not their turn.")
    expect(finish.locator(".whatif")).to_contain_text(
        re.compile(f"Had {name}’s second been first: {name} asked .* Given")
    )
    before = len(cards(page, name))
    page.get_by_role("button", name="Show that table").click()
    expect(page.locator(".banner")).to_contain_text("Not what happened.")
    given = crossing["otherwise"]["loser"]["events"]
    laid = any(event["type"] == "FamilyExposed" for event in given)
    assert len(cards(page, name)) == (before - 3 if laid else before + 1)


@rule("K-ASK-8")
def test_a_request_after_the_last_family_lost_to_what_ended_the_game(enter: Enter, kwartet: Disputed) -> None:
    page = ready(enter(of=kwartet).page)
    late = kwartet.races[1]
    page.keyboard.press("n")
    assert record(page) == late["loser"]["version"]
    finish = page.locator(".finish")
    expect(finish.locator(".photo .mg")).to_have_text(exact(kwartet.lost[1]["lost_to"]["margin_us"]))
    expect(finish.locator(".rule")).to_contain_text("K-ASK-8 A request after the end is refused")
    expect(finish.locator(".pair2")).to_contain_text("round over")
    expect(page.locator(".laid .set")).to_have_count(8)


@rule("K-ASK-6", "K-VIEW-1")
def test_a_game_of_kwartet_is_replayed_and_a_seat_sees_only_its_own_hand(enter: Enter, kwartet: Disputed) -> None:
    page = ready(enter(of=kwartet).page)
    assert sum(len(cards(page, person["name"])) for person in kwartet.people) in {32, 28, 24}
    page.locator(".views label", has_text="Cas").click()
    expect(page.locator(".saw")).to_contain_text("What Cas saw")
    assert [len(cards(page, name)) > 0 for name in ("Ada", "Cas", "Bo")] == [False, True, False]
    page.locator(".views label", has_text="From above").click()
    page.get_by_role("button", name="Next record").click()
    expect(page.locator(".asked")).to_contain_text("Given.")
    expect(page.locator(".kwspot.on")).to_have_count(1)
    knob = page.get_by_role("slider", name="Moment of the round")
    knob.press("End")
    expect(page.locator(".record")).to_contain_text("The scorer gave the points")
    expect(page.locator(".laid .set")).to_have_count(8)
    expect(page.locator(".ver.proven")).to_be_visible()
