"""What stands in the dispute room, as a test reads it."""

from playwright.sync_api import Page, expect

from tests.web.house import House


def ready(page: Page) -> Page:
    """The page, once the round is on the table."""
    expect(page.locator(".line")).to_be_visible()
    return page


def cards(page: Page, who: str) -> list[str]:
    """The cards of a hand that lie face up."""
    hand = page.get_by_role("group", name=f"Hand of {who}")
    return [card.get_attribute("data-card") or "" for card in hand.locator("[data-card]").all()]


def centre(page: Page) -> list[str]:
    """The four cards of the centre."""
    return [card.get_attribute("data-card") or "" for card in page.locator(".now .sc [data-card]").all()]


def record(page: Page) -> int:
    """The version of the record that is looked at."""
    words = page.locator(".record b").text_content() or ""
    return int(words.removeprefix("#"))


def as_auditor(page: Page, house: House) -> Page:
    """The page, once it looks with an auditor's token."""
    page.get_by_text("For auditors").click()
    page.get_by_label("An auditor’s token").fill(house.auditor())
    with page.expect_navigation():
        page.get_by_role("button", name="Look with it").click()
    return page
