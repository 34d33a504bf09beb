"""The dispute room for everyone: every state in every size, every language, axe, and paper."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Enter
from tests.web.disputed import ADA, Disputed, ask, bundle, forgery
from tests.web.looks import ODD, SIZES, SMALL, WIDER, accessible
from tests.web.room import ready


def fits(page: Page) -> None:
    """Nothing sticks out in any size; on phones and desks nothing is too small to hit, and axe has nothing to say."""
    for words, (width, height) in {**SIZES, **ODD}.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(WIDER) <= 0, f"{words}: wider than the screen"
        if words in SIZES:
            assert page.evaluate(SMALL) == [], f"{words}: targets under 44 pixels"
            accessible(page, words, "light" if words == "phone" else "dark")


@pytest.mark.parametrize("seen", ["from above", "from a seat", "what if", "a report"])
def test_a_round_is_whole_in_every_size_and_axe_finds_nothing(seen: str, enter: Enter) -> None:
    page = ready(enter().page)
    expect(page.locator(".ver.proven")).to_be_visible()
    if seen == "from a seat":
        page.locator(".views label", has_text="Dee").click()
    elif seen == "what if":
        page.get_by_role("button", name="Show that table").click()
    elif seen == "a report":
        page.get_by_role("button", name="Report").click()
        expect(page.locator(".paper")).to_be_visible()
    fits(page)


@pytest.mark.parametrize("asked", ["everything", "somebody unknown", "no table", "for auditors"])
def test_a_search_is_whole_in_every_size_and_axe_finds_nothing(asked: str, enter: Enter) -> None:
    page = enter(ADA, "/audit").page
    expect(page.locator(".found")).to_have_count(3)
    if asked == "for auditors":
        page.get_by_text("For auditors").click()
        expect(page.get_by_label("An auditor’s token")).to_be_visible()
    elif asked != "everything":
        field = "Player: name or id" if asked == "somebody unknown" else "Table: code, link or id"
        page.get_by_label(field).fill("the butler")
        page.get_by_role("button", name="Search").click()
        said = "There is nobody called" if asked == "somebody unknown" else "That is no table"
        expect(page.locator(".hits")).to_contain_text(said)
    fits(page)


@pytest.mark.parametrize("dropped", ["with receipts", "forged", "a key alone", "another key", "nonsense beside it"])
def test_a_dropped_file_is_whole_in_every_size_and_axe_finds_nothing(
    dropped: str, enter: Enter, dispute: Disputed, tmp_path: Path
) -> None:
    good, bad, receipts, key, other, nonsense = (tmp_path / name for name in "abcdef")
    good.write_bytes(bundle(dispute))
    bad.write_bytes(forgery(dispute))
    receipts.write_text(f"[{','.join(map(_text, dispute.lost))}]")
    key.write_text(ask(dispute.url, "GET", "/keys")["keys"][0])
    other.write_text("elsewhere.example/log+" + key.read_text().split("+", 1)[1])
    nonsense.write_text("[nonsense")
    files, said = {
        "with receipts": ([good, receipts], "Proven"),
        "forged": ([bad], "Not proven, first difference at"),
        "a key alone": ([key], "Nothing to check yet"),
        "another key": ([good, other], "Can’t tell"),
        "nonsense beside it": ([good, nonsense], "Can’t tell"),
    }[dropped]
    page = enter(ADA, "/audit").page
    page.locator(".pickfile input").first.set_input_files(files)
    expect(page.locator(".ver")).to_contain_text(said)
    fits(page)


def test_a_report_prints_without_a_control_and_with_everything(enter: Enter, dispute: Disputed) -> None:
    page = ready(enter().page)
    page.get_by_role("button", name="Report").click()
    paper = page.locator(".paper")
    expect(paper.locator("h1")).to_have_text("Report of a dispute")
    expect(paper).to_contain_text(dispute.table)
    expect(paper).to_contain_text("Q-SWAP-3")
    expect(paper.get_by_role("heading", name="What Ada saw then")).to_be_visible()
    expect(paper.locator(".scene")).to_have_count(3)
    expect(paper.locator(".ver.proven")).to_be_visible()
    page.emulate_media(media="print")
    shown = page.locator("button, .btn, input, select, textarea").evaluate_all(
        "all => all.filter((one) => one.checkVisibility()).length"
    )
    assert shown == 0
    headings = paper.locator("h1, h2").all_text_contents()
    assert headings.index("Photo finish") < headings.index("The table just before") < headings.index("Proof")
    tops = paper.locator("h1, h2").evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert tops == sorted(tops), "in the order in which they are read"
    pages = page.pdf(format="A4").count(b"/Type /Page\n")
    assert 1 < pages <= 4


@pytest.mark.parametrize("language", ["nl-BE", "fr-FR"])
def test_the_room_speaks_dutch_and_french(language: str, enter: Enter, dispute: Disputed, tmp_path: Path) -> None:
    page = ready(enter(ADA, locale=language, viewport={"width": 390, "height": 844}).page)
    assert page.evaluate("document.documentElement.lang") == language[:2]
    expect(page.locator(".ver.proven")).to_be_visible()
    assert page.evaluate(WIDER) <= 0
    for _ in range(page.locator(".races button").count() + 4):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("button.report").click()
    expect(page.locator(".paper")).to_be_visible()
    assert page.evaluate(WIDER) <= 0
    page.goto(f"{dispute.url}/audit")
    expect(page.locator(".found")).to_have_count(3)
    assert page.evaluate(WIDER) <= 0
    (tmp_path / "round.zip").write_bytes(bundle(dispute))
    page.locator(".pickfile input").first.set_input_files(tmp_path / "round.zip")
    expect(page.locator(".ver.proven")).to_be_visible()
    assert page.evaluate(WIDER) <= 0


def _text(verdict: object) -> str:
    return json.dumps(verdict)
