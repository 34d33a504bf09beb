"""The dispute room by the keyboard alone: everything is reached, and the focus is never lost."""

from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import Enter
from tests.web.disputed import ADA, Disputed
from tests.web.room import ready, record

STOPS_MAX = 80
FOCUSED = "one => one === document.activeElement"


def tab_to(page: Page, target: Locator) -> Locator:
    """Goes on with the tab key until it is there."""
    for _ in range(STOPS_MAX):
        if target.evaluate(FOCUSED):
            return target
        page.keyboard.press("Tab")
    raise AssertionError(f"never came to {target}")


def test_from_a_search_to_the_report_without_a_mouse(enter: Enter, dispute: Disputed) -> None:
    page = enter(ADA, "/audit").page
    expect(page.locator(".found")).to_have_count(3)
    tab_to(page, page.get_by_label("Player: name or id"))
    page.keyboard.type("Ada")
    page.keyboard.press("Enter")
    expect(page.locator(".found")).to_have_count(1)
    tab_to(page, page.locator(".found"))
    page.keyboard.press("Enter")
    lost = dispute.races[0]["loser"]["version"]
    assert record(ready(page)) == lost
    tab_to(page, page.get_by_role("button", name="Show that table"))
    page.keyboard.press("Enter")
    expect(page.locator(".banner")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".banner")).to_have_count(0)
    tab_to(page, page.get_by_role("button", name="Report"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Report of a dispute")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Report")).to_be_focused()


def test_the_seats_are_gone_through_by_arrows_and_the_record_stays(enter: Enter, dispute: Disputed) -> None:
    page = ready(enter().page)
    before = record(page)
    tab_to(page, page.get_by_role("radio", name="From above"))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Ada")).to_be_checked()
    expect(page.locator(".saw")).to_contain_text("What Ada saw")
    assert record(page) == before


def test_the_slider_has_its_keys_even_where_single_keys_are_off(enter: Enter, dispute: Disputed) -> None:
    ada = enter()
    ada.page.evaluate("localStorage.setItem('quartet.settings', JSON.stringify({ keys: false }))")
    page = ready(ada.come(dispute.path).page)
    first = record(page)
    page.keyboard.press("n")
    assert record(page) == first
    tab_to(page, page.get_by_role("slider", name="Moment of the round"))
    page.keyboard.press("ArrowRight")
    assert record(page) == first + 1
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert record(page) == first - 1
    page.keyboard.press("End")
    expect(page.locator(".record")).to_contain_text("The scorer gave the points")
    page.keyboard.press("Home")
    expect(page.locator(".record")).to_contain_text("The round was prepared")
    expect(page.get_by_role("slider", name="Moment of the round")).to_have_attribute("aria-valuenow", "1")


def test_what_was_opened_is_left_where_it_was_entered(enter: Enter) -> None:
    page = ready(enter().page)
    tab_to(page, page.get_by_role("link", name="Find a dispute"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Find a dispute")).to_be_visible()
    page.go_back()
    ready(page)
