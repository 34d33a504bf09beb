"""Kwartet by keyboard alone, from laying the table to a question and a card in full."""

from playwright.sync_api import expect

from tests.rules import rule
from tests.web.conftest import Visitor
from tests.web.house import House
from tests.web.kwartet_play import ask, wrong
from tests.web.person import Person


@rule("K-VAR-2")
def test_the_game_is_laid_and_played_by_keyboard_alone(house: House, visit: Visitor) -> None:
    ada = visit(house.url).come()
    keys = ada.page.keyboard
    expect(ada.page.locator(".seg").first).to_be_visible()
    _tab_to(ada, "#f-name")
    keys.type("Ada")
    _tab_to(ada, ".box:nth-child(2)")
    keys.press("Enter")
    _tab_to(ada, ".opts > .seg input")
    for _ in range(2):  # from 4 seats to 2
        keys.press("ArrowLeft")
    _tab_to(ada, ".packchoice")
    keys.press("Enter")
    _tab_to(ada, ".packb.on")
    keys.press("Enter")
    _tab_to(ada, ".chosen .btn")
    keys.press("Enter")
    _tab_to(ada, "#f-table")
    keys.press("Enter")
    expect(ada.page.locator(".chair")).to_have_count(2)
    code = (ada.page.locator(".code").get_attribute("aria-label") or "").replace(" ", "")
    mila = visit(house.url, "Mila").join(code)
    expect(ada.page.locator(".foot .main")).to_have_attribute("aria-disabled", "false")
    _tab_to(ada, ".foot .main")
    keys.press("Enter")
    expect(ada.page.locator(".kprep")).to_be_visible()
    keys.press("d")
    mila.ready()
    expect(ada.page.locator(".askbar")).to_be_visible()
    _play_by_keys(ada, mila)


def _play_by_keys(ada: Person, mila: Person) -> None:
    keys = ada.page.keyboard
    while ada.public["turn"] != 0:  # Mila asks until she misses
        ask(mila, 0, wrong(mila, ada))
    expect(ada.page.locator("h1.turn")).to_have_text("Your turn")
    ada.hears("Your turn.")
    keys.press("h")
    ada.hears("missing")
    keys.press("ArrowDown")
    for n in range(60):  # right and down through the hand, now and then back
        if ada.page.evaluate("document.activeElement.matches('.cell.can')"):
            break
        keys.press("ArrowLeft" if n % 9 == 8 else "ArrowRight" if n % 5 else "ArrowDown")
    keys.press("Enter")
    expect(ada.page.locator(".cell.sel")).to_have_count(1)
    keys.press("Escape")
    expect(ada.page.locator(".cell.sel")).to_have_count(0)
    keys.press("Enter")
    keys.press("1")
    ada.until(lambda: any(one["by"] == 0 for one in ada.public["asks"]), "my question")
    mila.hears("Ada asks you for")
    keys.press("l")
    ada.hears("Mila")
    keys.press("?")
    expect(ada.page.get_by_role("dialog")).to_contain_text("player, clockwise from my left")
    keys.press("Escape")
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    _peek_by_keys(ada)


def _peek_by_keys(ada: Person) -> None:
    """Enter on a card that is held shows it in full; Escape gives the focus back to it."""
    held = ada.page.locator(".cell.have").first
    held.focus()
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("dialog .card.full")).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator("dialog")).to_have_count(0)
    expect(held).to_be_focused()


def _tab_to(person: Person, selector: str) -> None:
    """Tab until something has the focus, which must be seen there."""
    for _ in range(60):
        person.page.keyboard.press("Tab")
        if person.page.evaluate("one => document.activeElement?.matches(one)", selector):
            assert person.page.evaluate(_FOCUS) or "seg" in selector, "focus that can't be seen"
            return
    raise AssertionError(f"no way to {selector} by Tab")


_FOCUS = """() => {
    const style = getComputedStyle(document.activeElement);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 1;
}"""
