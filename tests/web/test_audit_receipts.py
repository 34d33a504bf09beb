"""Signed receipts in the browser: asked for, kept, looked for in the round, saved; play never waits for any of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from typer.testing import CliRunner

from services.cli import application
from services.gateway.web import verify_bundle as verifier
from tests.web import scenes
from tests.web.conftest import Enter, Visitor
from tests.web.disputed import ADA, Disputed, Json, bundle, played, sealed, until
from tests.web.house import House
from tests.web.looks import SMALL, accessible
from tests.web.person import Person
from tests.web.play import open_round
from tests.web.room import ready
from tests.web.stage import Stage

KEEP = "verdicts => import('/receipts.js').then(async ({ keep }) => { for (const one of verdicts) await keep(one); })"
KEPT = "([table, round]) => import('/receipts.js').then(({ keptOf }) => keptOf(table, round))"
FORBIDDEN = """for (const name of ["indexedDB", "localStorage", "sessionStorage"])
    Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });"""
SILENT = "IDBFactory.prototype.open = () => ({});"
FULL = "IDBObjectStore.prototype.add = () => { throw new DOMException('full', 'QuotaExceededError'); };"
NOWHERE = pytest.mark.parametrize("storage", [FORBIDDEN, SILENT, FULL], ids=["forbidden", "silent", "full"])


def kept(page: Page, table: str, round: int = 1) -> list[Json]:
    """What the browser keeps of a round."""
    found: list[Json] = page.evaluate(KEPT, [table, round])
    return found


def signed(person: Person) -> list[Json]:
    """Every receipt of a round that reached the page."""
    verdicts = (frame for frame in person.frames if frame.get("type") == "verdict" and frame.get("signed"))
    return [each for each in verdicts if each["signed"]["round"] > 0]


def moved(verdict: Json, table: str, round: int = 1, receipt: str | None = None) -> Json:
    """A verdict whose unsigned note names another round."""
    note: dict[str, Any] = {**verdict["signed"], "table": table, "round": round}
    return {**verdict, "receipt": receipt or verdict["receipt"], "signed": note}


def own(page: Page) -> Locator:
    """What is said of the device's own receipts."""
    return page.locator(".own p")


def played_by_hand(ada: Person) -> Disputed:
    """Ada swaps three times and calls; the round is awarded and sealed."""
    code = open_round(ada)
    table = ada.page.evaluate("location.hash.slice(1)")
    for place in range(3):
        ada.swap(ada.hand[0], place)
    ada.call("quatro")
    expect(ada.page.get_by_role("link", name="Look back")).to_be_visible()
    me = ada.page.evaluate("JSON.parse(localStorage.getItem('quartet.me'))")
    disputed = Disputed(ada.url, table, code, [me], [])
    until(lambda: sealed(disputed))
    return disputed


def check(tmp_path: Path, proof: bytes, receipts: Path) -> Json:
    """The report of `quartet check --receipts`, which must say that all is well."""
    (tmp_path / "round.zip").write_bytes(proof)
    given = ["check", str(tmp_path / "round.zip"), "--receipts", str(receipts), "--json"]
    done = CliRunner().invoke(application(["check"]), given)
    assert done.exit_code == 0, done.output
    report: Json = json.loads(done.stdout)
    return report


def test_a_player_s_receipts_are_kept_found_in_the_log_and_saved(house: House, visit: Visitor, tmp_path: Path) -> None:
    ada = visit(house.url)
    of = played_by_hand(ada)
    assert [frame["receipts"] for frame in ada.sent if frame["type"] == "hello"][-1] == "signed"
    mine = signed(ada)
    assert len(mine) >= 4
    ada.until(lambda: len(kept(ada.page, of.table)) == len(mine), "every receipt to be kept")
    assert kept(ada.page, of.table) == [{"receipt": each["receipt"], "signed": each["signed"]} for each in mine]

    page = ready(ada.come(of.path).page)
    expect(own(page)).to_have_text([f"{len(mine)} of your receipts are in the log."])
    expect(page.locator(".ver.proven")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save receipts").click()
    assert saved.value.suggested_filename == f"{of.table}-1-receipts.json"
    file = tmp_path / "receipts.json"
    saved.value.save_as(file)
    report = check(tmp_path, bundle(of), file)
    assert {each["receipt"] for each in report["receipts"]} == {each["receipt"] for each in mine}
    assert all(each["version"] and each["key"] for each in report["receipts"])
    assert verifier.check(bundle(of), receipts=json.loads(file.read_text()))["verdict"] == "proven"

    page.locator(".pickfile input").first.set_input_files(file)
    expect(page.locator(".receipts li")).to_have_count(len(mine))


def test_one_that_is_missing_proves_the_cut(enter: Enter, dispute: Disputed, house: House) -> None:
    """A real receipt of another table, with a note that says that it is of this round."""
    page = enter(ADA, "/audit").page
    stray = moved(played(house.url).lost[0], dispute.table)
    page.evaluate(KEEP, [*dispute.lost, *dispute.lost, stray])
    assert len(kept(page, dispute.table)) == 3
    page.goto(dispute.url + dispute.path)
    expect(own(ready(page))).to_have_text(
        ["One of your receipts is missing: that proves that the log was cut.", "2 of your receipts are in the log."]
    )
    expect(page.locator(".ver.wrong")).to_have_text("Not proven: receipt")
    for theme in ("light", "dark"):
        accessible(page, "a receipt is missing", theme)
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.get_by_role("button", name="Save receipts")).to_be_visible()
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_one_that_no_known_key_signed_proves_nothing(enter: Enter, dispute: Disputed) -> None:
    page = enter(ADA, "/audit").page
    page.evaluate(KEEP, [dispute.lost[0], moved(dispute.lost[1], dispute.table, receipt="00" * 32)])
    page.goto(dispute.url + dispute.path)
    expect(own(ready(page))).to_have_text(
        ["Your receipt is in the log.", "One is signed by no key known here: that proves nothing."]
    )
    expect(page.locator(".ver.proven")).to_be_visible()


def test_they_are_there_also_when_the_round_is_not(enter: Enter, dispute: Disputed) -> None:
    ada = enter(ADA, "/audit")
    ada.reconnects = True  # what is refused is on the browser's console
    ada.page.evaluate(KEEP, [moved(dispute.lost[0], dispute.table, 7)])
    page = ada.come(f"/audit?table={dispute.table}&round=7").page
    expect(page.get_by_role("alert")).to_be_visible()
    expect(own(page)).to_have_text(["One receipt of yours is kept on this device."])
    expect(page.get_by_role("button", name="Save receipts")).to_be_visible()


def test_the_newest_twenty_rounds_are_kept_and_the_seating_is_not(enter: Enter, dispute: Disputed) -> None:
    page = enter(ADA, "/audit").page
    rounds = [
        moved(dispute.lost[0], "elsewhere", round, f"{round:02x}{part:02x}" * 16)
        for round in range(23)
        for part in (0, 1)
    ]
    page.evaluate(KEEP, rounds)
    assert [len(kept(page, "elsewhere", round)) for round in range(23)] == [0, 0, 0, *[2] * 20]


def test_who_only_watches_asks_for_none(stage: Stage, visit: Visitor) -> None:
    stage.scene = scenes.playing4
    noor = visit(stage.url, "Noor").come(f"/#{scenes.TABLE}")
    noor.until(lambda: any(frame["type"] == "hello" for frame in noor.sent), "a hello")
    assert [frame for frame in noor.sent if "receipts" in frame] == []


@NOWHERE
def test_where_nothing_can_be_stored_people_play_as_ever(storage: str, house: House, visit: Visitor) -> None:
    ada = visit(house.url)
    ada.page.add_init_script(storage)
    open_round(ada)
    for place in range(2):
        ada.swap(ada.hand[0], place)
    ada.until(lambda: len(signed(ada)) >= 2, "verdicts with receipts")
    ada.call("quatro")
    expect(ada.page.get_by_role("link", name="Look back")).to_be_visible()


def test_a_browser_that_never_says_what_it_keeps_checks_all_the_same(visit: Visitor, dispute: Disputed) -> None:
    ada = visit(dispute.url, "Ada")
    ada.page.add_init_script(dispute.me(ADA) + ";" + SILENT)
    page = ready(ada.come(dispute.path).page)
    expect(page.locator(".ver.proven")).to_be_visible()
    expect(own(page)).to_have_count(0)
