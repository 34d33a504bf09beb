"""The dispute room for everyone: every size, every language, axe, the keyboard alone, and paper."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Enter
from tests.web.disputed import ADA, Disputed, bundle
from tests.web.looks import ODD, SIZES, SMALL, WIDER, accessible
from tests.web.room import ready


@pytest.fixture
def page(enter: Enter) -> Page:
    """Ada looks back, on a desktop."""
    return ready(enter().page)


def test_a_report_prints_without_a_control_and_with_everything(page: Page, dispute: Disputed) -> None:
    page.get_by_role("button", name="Report").click()
    paper = page.locator(".paper")
    expect(paper.locator("h1")).to_have_text("Report of a dispute")
    expect(paper).to_contain_text(dispute.table)
    expect(paper).to_contain_text("Q-SWAP-3")
    expect(paper.get_by_role("heading", name="What Ada saw then")).to_be_visible()
    expect(paper.locator(".scene")).to_have_count(3)
    page.emulate_media(media="print")
    shown = page.locator("button, .btn, input, select").evaluate_all(
        "all => all.filter((one) => one.checkVisibility()).length"
    )
    assert shown == 0
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.emulate_media(media="screen")
    accessible(page, "report", "light")
    assert page.evaluate(WIDER) <= 0


@pytest.mark.parametrize("seen", ["from above", "from a seat", "what if", "checked"])
def test_the_room_is_whole_in_every_size_and_axe_finds_nothing(
    seen: str, page: Page, dispute: Disputed, tmp_path: Path
) -> None:
    if seen == "from a seat":
        page.locator(".views label", has_text="Dee").click()
    elif seen == "what if":
        page.get_by_role("button", name="Show that table").click()
    elif seen == "checked":
        (tmp_path / "round.zip").write_bytes(bundle(dispute))
        page.locator(".pickfile input").first.set_input_files(tmp_path / "round.zip")
    expect(page.locator(".ver.proven")).to_be_visible()
    for words, (width, height) in {**SIZES, **ODD}.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(WIDER) <= 0, f"{words}: wider than the screen"
        if words in SIZES:
            assert page.evaluate(SMALL) == [], f"{words}: targets under 44 pixels"
            accessible(page, words, "light" if words == "phone" else "dark")


@pytest.mark.parametrize("language", ["nl-BE", "fr-FR"])
def test_the_room_speaks_dutch_and_french(language: str, enter: Enter) -> None:
    page = ready(enter(ADA, locale=language, viewport={"width": 390, "height": 844}).page)
    assert page.evaluate("document.documentElement.lang") == language[:2]
    expect(page.locator(".ver.proven")).to_be_visible()
    assert page.evaluate(WIDER) <= 0
    for _ in range(page.locator(".races button").count() + 4):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_be_visible()
