"""The dispute room in a browser, on a round that was played on the real service: what it shows must be what was."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import Enter
from tests.web.disputed import ADA, Disputed
from tests.web.room import cards, centre, ready, record


@pytest.fixture
def page(enter: Enter) -> Page:
    """Ada looks back, on a desktop."""
    return ready(enter().page)


def test_it_opens_at_the_first_race_with_every_hand_from_above(page: Page, dispute: Disputed) -> None:
    lost = dispute.races[0]["loser"]
    expect(page.locator(".record")).to_contain_text(f"#{lost['version']} Ada aimed at the")
    expect(page.locator(".scene .by")).to_have_text("Ada aimed here")
    assert [len(cards(page, name)) for name in ("Ada", "Cas", "Bo", "Dee")] == [4, 4, 4, 4]
    assert dispute.wanted in cards(page, "Cas")


def test_steps_go_record_by_record_and_a_swap_is_seen_to_happen(page: Page, dispute: Disputed) -> None:
    won = dispute.races[0]["winner"]
    page.keyboard.press("ArrowLeft")
    assert record(page) == won["version"]
    expect(page.locator(".scene .by")).to_have_text("Cas put down")
    assert centre(page)[1] == won["command"]["card"]
    page.keyboard.press("ArrowLeft")
    assert centre(page)[1] == dispute.wanted
    assert dispute.wanted not in cards(page, "Cas")
    page.get_by_role("button", name="Next record").click()
    assert record(page) == won["version"]
    assert f"at={won['version']}" in page.url


def test_n_goes_through_the_races_and_a_race_in_the_list_opens_it(page: Page, dispute: Disputed) -> None:
    first, second = (race["loser"]["version"] for race in dispute.races)
    page.keyboard.press("n")
    assert record(page) == second
    expect(page.locator("[aria-current=true]")).to_contain_text("Bo before Dee")
    page.keyboard.press("n")
    assert record(page) == first
    page.locator(".races button").nth(1).click()
    assert record(page) == second


def test_it_plays_to_the_end_and_space_pauses(page: Page) -> None:
    """The browser's clock stands still but for what the test lets pass: the round itself may be over in a blink."""
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    for speed in ("4×", "16×"):
        page.locator(".speed").click()
        expect(page.locator(".speed")).to_have_text(speed)
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(30_000)
    expect(page.locator(".record")).to_contain_text("The scorer gave the points")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_the_head_is_dragged_along_the_line(page: Page) -> None:
    knob = page.get_by_role("slider", name="Moment of the round")
    assert re.search(r"record \d+", knob.get_attribute("aria-valuetext") or "")
    box, before = knob.bounding_box(), record(page)
    assert box is not None
    page.mouse.move(box["x"] + 22, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] - 600, box["y"] + 12, steps=5)
    page.mouse.up()
    assert record(page) < before
    expect(page.locator(".ctl .clock")).to_have_text(re.compile("^−"))


def test_a_seat_shows_what_it_saw_and_no_more(page: Page, dispute: Disputed) -> None:
    """When Cas's swap was decided Ada's screen still had the card in the centre: that is why she aimed at it."""
    page.keyboard.press("ArrowLeft")
    page.locator(".views label", has_text="Ada").click()
    expect(page.locator(".saw")).to_contain_text("What Ada saw")
    expect(page.locator(".saw")).to_contain_text("1 newer record was not on that screen yet")
    assert centre(page)[1] == dispute.wanted
    assert len(cards(page, "Ada")) == 4
    assert [cards(page, name) for name in ("Cas", "Bo", "Dee")] == [[], [], []]
    expect(page.locator(".scene .card.back")).to_have_count(12)
    expect(page.locator(".mysign")).to_have_count(1)
    page.locator(".views label", has_text="Watching").click()
    expect(page.locator(".scene .card.back")).to_have_count(16)
    expect(page.locator(".mysign")).to_have_count(0)


def test_look_back_at_the_stop_leads_here(enter: Enter, dispute: Disputed) -> None:
    page = enter(ADA, f"/#{dispute.table}").page
    page.get_by_role("link", name="Look back").click()
    expect(ready(page).locator("h1")).to_contain_text("Round 1")
    page.get_by_role("link", name="Back to the table").click()
    expect(page.get_by_role("link", name="Look back")).to_be_visible()


def test_a_finger_scrolls_the_line_and_taps_its_records(browser: Browser, dispute: Disputed) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="en-GB"
    )
    page = context.new_page()
    page.add_init_script(dispute.me(ADA))
    page.goto(dispute.url + dispute.path)
    ready(page).locator(".ctl .btn.icon").last.tap()
    first = record(page)
    page.locator(".ctl .btn.icon").first.tap()
    assert record(page) == first - 1
    page.locator(".scroll").tap(position={"x": 40, "y": 60})
    assert record(page) < first
    context.close()
