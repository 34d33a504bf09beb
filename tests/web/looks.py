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
