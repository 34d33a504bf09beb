"""Who may look at what: players at the rounds they played, auditors at every finished one, and what others are told."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Enter, Visitor
from tests.web.disputed import ADA, CAS, Disputed, introduced, played
from tests.web.house import House
from tests.web.looks import accessible
from tests.web.person import Person
from tests.web.room import as_auditor, ready

PRIVATE = "This table is private: only who played here may look."


@pytest.fixture(scope="module")
def second(house: House) -> Disputed:
    """Another table, with four others."""
    return played(house.url)


@pytest.fixture
def stranger(visit: Visitor, dispute: Disputed) -> Person:
    """Eve, who played nowhere."""
    eve = visit(dispute.url, "Eve")
    eve.reconnects = True  # what is refused is on the browser's console
    known = json.dumps(introduced(dispute.url, "Eve"))
    eve.page.add_init_script(f"localStorage.setItem('quartet.me', JSON.stringify({known}))")
    return eve


def tables(page: Page) -> set[str]:
    """Whose tables' hits are shown."""
    links = page.locator(".found").evaluate_all("all => all.map((one) => new URL(one.href).searchParams.get('table'))")
    return set(links)


def test_whoever_was_not_there_finds_and_sees_nothing(stranger: Person, dispute: Disputed) -> None:
    page = stranger.come(dispute.path).page
    expect(page.get_by_role("alert")).to_contain_text(PRIVATE)
    expect(page.locator(".hits")).to_contain_text("Nothing found")
    accessible(page, "refused", "dark")


def test_a_player_sees_their_own_rounds_and_no_others(enter: Enter, dispute: Disputed, second: Disputed) -> None:
    cas = enter(CAS, "/audit")
    cas.reconnects = True
    expect(cas.page.locator(".found")).to_have_count(3)
    assert tables(cas.page) == {dispute.table}
    ready(cas.come(dispute.path).page)
    expect(cas.come(second.path).page.get_by_role("alert")).to_contain_text(PRIVATE)


def test_an_auditor_sees_every_finished_round_and_proves_it(
    stranger: Person, house: House, dispute: Disputed, second: Disputed
) -> None:
    page = as_auditor(stranger.come(dispute.path).page, house)
    expect(ready(page).locator("h1")).to_contain_text(f"Round 1 of table {dispute.table[:8]}")
    expect(page.locator(".ver.proven")).to_be_visible()
    ready(stranger.come(second.path).page)
    stranger.come("/audit")
    expect(page.locator(".found")).to_have_count(6)
    assert tables(page) == {dispute.table, second.table}
    expect(page.locator(".auditor")).to_contain_text("You look as an auditor: finished rounds of every table.")
    accessible(page, "auditor", "light")


def test_who_looked_as_an_auditor_is_oneself_again_and_was_never_forgotten(
    stranger: Person, house: House, dispute: Disputed
) -> None:
    page = as_auditor(stranger.come(dispute.path).page, house)
    ready(page)
    assert json.loads(page.evaluate("localStorage.getItem('quartet.me')"))["name"] == "Eve"
    stranger.come("/audit")
    page.get_by_role("button", name="Be myself again").click()
    expect(page.locator(".hits")).to_contain_text("Nothing found")
    expect(stranger.come(dispute.path).page.get_by_role("alert")).to_contain_text(PRIVATE)


def test_a_token_that_is_none_is_said_to_be_none(stranger: Person, dispute: Disputed) -> None:
    page = stranger.come("/audit").page
    page.get_by_text("For auditors").click()
    page.get_by_label("An auditor’s token").fill("nonsense")
    page.get_by_role("button", name="Look with it").click()
    expect(page.locator(".hits .fault")).to_have_text("This token is not, or no longer, good.")
    page.get_by_role("button", name="Be myself again").click()
    expect(page.locator(".hits")).to_contain_text("Nothing found")


def test_whoever_never_sat_down_is_told_to(visit: Visitor, dispute: Disputed) -> None:
    nobody = visit(dispute.url, "Nobody")
    nobody.reconnects = True
    page = nobody.come("/audit").page
    expect(page.locator(".hits .fault")).to_contain_text("Sit down at a table first")


def test_an_open_round_is_shown_to_nobody(enter: Enter, house: House, dispute: Disputed) -> None:
    ada = enter(ADA, dispute.path.replace("round=1", "round=2"))
    ada.reconnects = True
    expect(ada.page.get_by_role("alert")).to_contain_text("There is no such round.")
