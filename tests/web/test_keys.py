"""A whole way through by the keyboard alone (WCAG 2.1.1), and keys that stay out of text fields (C-25)."""

from playwright.sync_api import expect

from tests.rules import case
from tests.web.conftest import Visitor
from tests.web.house import House
from tests.web.person import Person
from tests.web.play import open_round

_FOCUS = """() => {
    const style = getComputedStyle(document.activeElement);
    const drawn = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 1;
    return document.activeElement !== document.body && drawn;
}"""


def _tab_to(person: Person, selector: str) -> None:
    """Tab until something has the focus, which must always be seen."""
    for _ in range(60):
        person.page.keyboard.press("Tab")
        at = person.page.evaluate("one => document.activeElement?.matches(one)", selector)
        seen = person.page.evaluate(_FOCUS) or person.page.evaluate("document.activeElement === document.body")
        assert seen or person.page.evaluate("document.activeElement.type === 'radio'"), "focus that can't be seen"
        if at:
            return
    raise AssertionError(f"no way to {selector} by Tab")


@case("C-25")
def test_a_table_is_laid_and_a_sign_picked_by_keyboard_alone(house: House, visit: Visitor) -> None:
    ada = visit(house.url).come()
    keys = ada.page.keyboard
    expect(ada.page.locator(".seg").first).to_be_visible()
    _tab_to(ada, "#f-name")
    keys.type("Mq?")  # letters that are keys elsewhere
    expect(ada.page.locator("#f-name")).to_have_value("Mq?")
    _tab_to(ada, "#f-table")
    keys.press("Enter")
    expect(ada.page.locator(".chair").first).to_be_visible()
    for left in (3, 2, 1):
        expect(ada.page.get_by_role("button", name="Seat a bot")).to_have_count(left)
        _tab_to(ada, ".chair .btn:not(.icon)")
        keys.press("Enter")
    expect(ada.page.locator(".foot .main")).to_have_attribute("aria-disabled", "false")
    _tab_to(ada, ".foot .main")
    keys.press("Enter")
    _tab_to(ada, ".wall .pick")
    keys.press("ArrowRight")
    keys.press("ArrowDown")
    keys.press("Enter")
    expect(ada.page.locator(".secret")).to_have_text("🍄")
    keys.press("d")
    expect(ada.page.locator(".hand .card, .shout").first).to_be_visible()


@case("C-25")
def test_a_round_is_played_by_keyboard_alone(house: House, visit: Visitor) -> None:
    ada = visit(house.url)
    open_round(ada)
    keys = ada.page.keyboard
    card, aimed = ada.hand[2], ada.centre[1]
    keys.press("3")
    expect(ada.card(card)).to_have_attribute("aria-pressed", "true")
    keys.press("Escape")
    expect(ada.card(card)).to_have_attribute("aria-pressed", "false")
    keys.press("w")
    keys.press("3")
    ada.until(lambda: aimed in ada.hand or ada.page.locator(".losttag").count() > 0, "the swap")
    keys.press("Escape")
    keys.press("t")
    expect(ada.page.get_by_role("button", name="Give back")).to_be_visible()
    keys.press("s")
    expect(ada.page.locator(".onair")).to_contain_text(ada.own["sign"])
    keys.press("h")
    ada.hears("Your hand:")
    keys.press("?")
    expect(ada.page.get_by_role("dialog")).to_contain_text("take or give back the channel")
    keys.press("Escape")
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    keys.press("Shift+C")
    expect(ada.page.locator(".next .btn").first).to_be_visible()
    keys.press("d")
    expect(ada.page.locator(".prep")).to_be_visible()


@case("C-25")
def test_keys_can_be_switched_off(house: House, visit: Visitor) -> None:
    ada = visit(house.url).come()
    ada.page.get_by_role("button", name="Language and settings").click()
    ada.page.get_by_role("switch", name="Single-key shortcuts").uncheck()
    ada.page.keyboard.press("Escape")
    ada.page.locator("h1").click()
    ada.page.keyboard.press("?")
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
