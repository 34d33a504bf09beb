"""Searches in the dispute room by what people have: codes, links, names, ids, times, kinds; what nobody has is said."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import Enter
from tests.web.disputed import CAS, DEE, Disputed, played
from tests.web.house import House
from tests.web.looks import accessible
from tests.web.room import as_auditor, ready, record


@pytest.fixture
def page(enter: Enter) -> Page:
    """Cas looks for something."""
    page = enter(CAS, "/audit").page
    expect(hits(page)).to_have_count(3)
    return page


@pytest.fixture(scope="module")
def second(house: House) -> Disputed:
    """Another table, with four others of the same names."""
    return played(house.url)


def hits(page: Page) -> Locator:
    """What was found."""
    return page.locator(".found")


def look(page: Page, **fields: str) -> None:
    """Fills in and searches."""
    labels = {"table": "Table: code, link or id", "player": "Player: name or id", "since": "From", "until": "Until"}
    for name, value in fields.items():
        page.get_by_label(labels[name], exact=True).fill(value)
    page.get_by_role("button", name="Search").click()


def nothing(page: Page) -> Locator:
    """Why there is nothing."""
    expect(page.locator(".hits")).to_contain_text("Nothing found")
    return page.locator(".hits")


def test_a_race_is_found_and_leads_to_its_record_and_back(page: Page, dispute: Disputed) -> None:
    page.get_by_role("combobox", name="What").select_option("swap")
    page.get_by_label("Within, ms").fill("60000")
    page.get_by_role("button", name="Search").click()
    expect(hits(page)).to_have_count(2)
    expect(hits(page).last).to_contain_text("Ada (Seat 1) · swap · card gone")
    accessible(page, "search", "dark")
    hits(page).last.click()
    assert record(ready(page)) == dispute.races[0]["loser"]["version"]
    page.go_back()
    expect(hits(page)).to_have_count(2)
    expect(page.get_by_label("Within, ms")).to_have_value("60000")


@pytest.mark.parametrize("written", ["code", "code in small letters", "invitation", "address", "id"])
def test_a_table_is_found_by_whatever_names_it(written: str, page: Page, dispute: Disputed, second: Disputed) -> None:
    ways = {
        "code": dispute.code,
        "code in small letters": f" {dispute.code.lower()} ",
        "invitation": f"{dispute.url}/?join={dispute.code}",
        "address": f"{dispute.url}{dispute.path}",
        "id": dispute.table.upper(),
    }
    look(page, table=ways[written], player="Dee")
    expect(hits(page)).to_have_count(1)
    expect(hits(page)).to_contain_text("Dee (Seat 4) · swap · card gone")


def test_a_player_is_found_by_name_however_it_is_written_and_by_id(page: Page, dispute: Disputed) -> None:
    look(page, player="dee")
    expect(hits(page)).to_have_count(1)
    look(page, player=dispute.people[DEE]["player"].upper())
    expect(hits(page)).to_have_count(1)
    expect(hits(page)).to_contain_text("Dee")


def test_what_nobody_has_is_said(page: Page, second: Disputed) -> None:
    look(page, player="Zoë")
    expect(nothing(page)).to_contain_text("There is nobody called “Zoë” in any of them.")
    look(page, table=second.code)
    expect(nothing(page)).to_contain_text(f"There is nothing of the table “{second.code}” in any of them.")
    expect(nothing(page)).to_contain_text("There is nobody called “Zoë” in any of them.")
    look(page, table="", player="Dee", until="2020-01-01T00:00:00")
    expect(nothing(page)).to_contain_text("There is more without the other limits.")
    look(page, player=second.people[DEE]["player"], until="")
    expect(nothing(page)).to_contain_text("There is nothing of the player with this id in any of them.")


def test_what_can_t_be_looked_for_is_said_and_marked(page: Page) -> None:
    look(page, table="our kitchen table")
    expect(page.locator(".hits .fault")).to_contain_text("That is no table")
    expect(page.get_by_label("Table: code, link or id")).to_have_attribute("aria-invalid", "true")
    look(page, table="", since="2026-01-02T00:00:00", until="2026-01-01T00:00:00")
    expect(page.locator(".hits .fault")).to_have_text("That ends before it begins.")
    look(page, since="", until="")
    expect(hits(page)).to_have_count(3)


def test_what_is_often_looked_for_is_one_press_away(page: Page, dispute: Disputed) -> None:
    near = sum(lost["lost_to"]["margin_us"] <= 50_000 for lost in dispute.lost)
    page.get_by_role("button", name="Calls in vain").click()
    expect(hits(page)).to_have_count(1)
    expect(hits(page)).to_contain_text("Quatro! · in vain")
    page.get_by_role("button", name="Calls that lost").click()
    nothing(page)
    page.get_by_role("button", name="Everything", exact=True).click()
    expect(hits(page)).to_have_count(3)
    page.get_by_role("button", name="Refused swaps within 50 ms").click()
    expect(page.get_by_label("Within, ms")).to_have_value("50")
    expect(hits(page)).to_have_count(near)


LOCAL = "at => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 19)"
"""A time of the service as the reader's clock on the wall has it, to the second."""


def test_times_bound_what_is_found(page: Page, dispute: Disputed) -> None:
    first = dispute.races[0]["loser"]["at"] // 1_000
    look(page, since=page.evaluate(LOCAL, first))
    expect(hits(page)).to_have_count(3)
    look(page, since="", until=page.evaluate(LOCAL, first))
    expect(hits(page).last).to_contain_text("Ada (Seat 1)")
    look(page, since="", until=page.evaluate(LOCAL, first - 60_000))
    nothing(page)


def test_a_name_that_two_have_is_asked_about_and_then_one_is_found(
    house: House, enter: Enter, dispute: Disputed, second: Disputed
) -> None:
    page = as_auditor(enter(CAS, "/audit").page, house)
    look(page, player="Ada")
    expect(hits(page)).to_have_count(2)
    expect(page.locator(".namesakes")).to_contain_text("2 people called “Ada” are among them. Whom do you mean?")
    accessible(page, "namesakes", "light")
    player = second.people[0]["player"]
    page.get_by_role("button", name=f"Only Ada, {player[:8]}…{player[-4:]}").click()
    expect(hits(page)).to_have_count(1)
    expect(page.locator(".namesakes")).to_have_count(0)
    expect(hits(page)).to_have_attribute(
        "href", f"/audit?table={second.table}&round=1&at={second.races[0]['loser']['version']}"
    )
