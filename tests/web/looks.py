"""What is looked at on every screen: sizes, what axe knows, what sticks out, targets that are too small."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SIZES = {"phone": (390, 844), "desk": (1440, 900)}
ODD = {"low phone": (390, 664), "narrow": (320, 640), "on its side": (844, 390), "laptop": (1280, 680)}
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

WIDER = "document.documentElement.scrollWidth - innerWidth"
HIGHER = "document.documentElement.scrollHeight - innerHeight"
SMALL = """() => [...document.querySelectorAll("button, a, summary, .seg label, .switch")].flatMap((one) => {
    const box = one.getBoundingClientRect();
    const shown = box.width > 0 && getComputedStyle(one).visibility !== "hidden";
    const small = box.width < 43.5 || box.height < 43.5;
    return shown && small ? [`${one.className} ${box.width}x${box.height}`] : [];
})"""


def accessible(page: Page, words: str, theme: str) -> None:
    """Nothing that axe knows of (WCAG 2.0 to 2.2, A and AA, and its best practice)."""
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": _RULES}})
    assert found.violations_count == 0, f"{words}, {theme}: {found.generate_report()}"


CUT = """() => {
    const rooms = [...document.querySelectorAll("#app *")].filter((one) => {
        const { overflowX, overflowY, textOverflow } = getComputedStyle(one);
        const drawn = one.closest(".vh, .card:not(.full), svg, .emoji, .tiles");
        const picture = drawn || one.matches("dialog, input, .cloth");
        // names at seats end in dots where they must: they stand whole in the seat's own words
        const dotted = textOverflow === "ellipsis" && one.closest(".seat, .named, .player, .whom, .who, .pair, .top");
        const shown = one.getClientRects().length > 0 && getComputedStyle(one).clipPath === "none";
        return shown && one.textContent.trim() && !picture && !dotted && [overflowX, overflowY].includes("hidden");
    });
    return rooms.filter((one) => {
        const words = document.createRange();
        words.selectNodeContents(one);
        const [text, box] = [words.getBoundingClientRect(), one.getBoundingClientRect()];
        const wide = text.left < box.left - 1 || text.right > box.right + 1;
        return wide || text.top < box.top - 3 || text.bottom > box.bottom + 3;
    }).map((one) => `${one.className}: ${one.textContent.trim().slice(0, 40)}`);
}"""
"""Text that does not fit its box and is hidden there."""

UNREACHED = """() => {
    const over = document.querySelector("dialog[open]");
    const targets = [...(over ?? document).querySelectorAll("button, a, summary, input")].filter((one) => {
        const box = one.getBoundingClientRect();
        const lent = one.closest(".top") && document.querySelector(".says"); // to what the table asks
        const named = one.matches(".sit") && document.querySelector(".team-sheet"); // who is under it stands in it
        const away = named || one.closest("[inert], details:not([open]) > :not(summary)") || lent;
        return box.width > 0 && !away && getComputedStyle(one).visibility !== "hidden";
    });
    return targets.filter((one) => {
        one.scrollIntoView({ block: "center", inline: "center" });
        const { left, top, width, height } = one.getBoundingClientRect();
        const seen = document.elementFromPoint(left + width / 2, top + height / 2);
        return !seen || !(one.contains(seen) || seen.contains(one) || one.closest("label")?.contains(seen));
    }).map((one) => `${one.className || one.id}: ${one.textContent.trim().slice(0, 30)}`);
}"""
"""Targets that something covers, even where the page is scrolled to them."""


def whole(page: Page, words: str, size: tuple[int, int]) -> None:
    """In a window of that size nothing is cut, covered or out of reach, and nothing scrolls sideways."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    assert page.evaluate(WIDER) <= 0, f"{words}: wider than the screen"
    assert page.evaluate(CUT) == [], f"{words}: cut"
    assert page.evaluate(UNREACHED) == [], f"{words}: covered or out of reach"
