"""Bundles checked in the browser, with receipts and a key beside them: what is said, and that nothing is sent."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from services.gateway.web import verify_bundle as verifier
from tests.web.conftest import Enter
from tests.web.disputed import ADA, Disputed, Json, ask, bundle, forgery, played, twice
from tests.web.house import House
from tests.web.looks import accessible
from tests.web.room import ready


def give(page: Page, *files: Path) -> None:
    """Opens files, whatever each of them is."""
    page.locator(".pickfile input").first.set_input_files(files)


def lines(path: Path, verdicts: list[Json]) -> Path:
    """Kept verdicts as a file, one a line."""
    path.write_text("\n".join(map(json.dumps, verdicts)))
    return path


def found(page: Page) -> Locator:
    """What is said of each receipt."""
    return page.locator(".receipts li span")


@pytest.fixture
def page(enter: Enter) -> Page:
    """Ada looks back, on a desktop."""
    return ready(enter().page)


def test_the_bundle_is_proven_here_and_saved_for_others(page: Page) -> None:
    expect(page.locator(".ver.proven")).to_contain_text("Proven")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save bundle").first.click()
    report = verifier.check(Path(saved.value.path()).read_bytes())
    assert report["verdict"] == "proven"
    assert len(report["races"]) == 2


def test_a_forged_bundle_is_caught_at_its_record_and_sent_nowhere(
    page: Page, dispute: Disputed, tmp_path: Path
) -> None:
    (tmp_path / "forged.zip").write_bytes(forgery(dispute))
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request))
    give(page, tmp_path / "forged.zip")
    loser = dispute.races[0]["loser"]["version"]
    expect(page.locator(".ver.wrong")).to_have_text(f"Not proven, first difference at #{loser}")
    assert [request.url for request in sent if request.method != "GET" or request.post_data] == []


def test_a_good_file_says_who_signed_and_what_no_file_can_prove(page: Page, dispute: Disputed, tmp_path: Path) -> None:
    (tmp_path / "round.zip").write_bytes(bundle(dispute))
    page.locator(".pickfile input").first.set_input_files(tmp_path / "round.zip")
    expect(page.locator(".ver.proven")).to_be_visible()
    expect(page.locator(".facts")).to_contain_text("the key that this site publishes")
    expect(page.locator(".notproven")).to_contain_text("the table’s clock says so")
    page.get_by_role("button", name="Back to the table").click()
    expect(page.locator(".line")).to_be_visible()


@pytest.fixture
def way_in(enter: Enter) -> Page:
    """Ada where a round is looked for."""
    return enter(ADA, "/audit").page


def test_receipts_beside_a_bundle_are_in_the_log_as_what_they_were_for(
    way_in: Page, dispute: Disputed, tmp_path: Path
) -> None:
    sent: list[Request] = []
    way_in.on("request", lambda request: sent.append(request))
    (tmp_path / "round.zip").write_bytes(bundle(dispute))
    give(way_in, tmp_path / "round.zip", lines(tmp_path / "receipts.json", dispute.lost))
    expect(way_in.locator(".ver.proven")).to_be_visible()
    versions = [race["loser"]["version"] for race in dispute.races]
    expect(found(way_in)).to_have_text([f"In the log: record #{version}, refused." for version in versions])
    report = verifier.check((tmp_path / "round.zip").read_bytes(), receipts=dispute.lost)
    assert [each["version"] for each in report["receipts"]] == versions
    assert [request.url for request in sent if request.method != "GET" or request.post_data] == []


def test_receipts_dropped_on_an_open_round_are_looked_for_in_it(page: Page, dispute: Disputed, tmp_path: Path) -> None:
    expect(page.locator(".ver.proven")).to_be_visible()
    give(page, lines(tmp_path / "receipts.json", dispute.lost[:1]))
    expect(found(page)).to_have_text([f"In the log: record #{dispute.races[0]['loser']['version']}, refused."])
    page.keyboard.press("Escape")
    expect(page.locator(".line")).to_be_visible()


def test_a_signed_receipt_of_a_record_that_is_not_there_proves_the_cut(
    way_in: Page, dispute: Disputed, house: House, tmp_path: Path
) -> None:
    """A real receipt of another table, without the unsigned note that says so."""
    stray = played(house.url).lost[0]
    key = stray["signed"]["key"]
    elsewhere = dict(
        stray, signed={name: value for name, value in stray["signed"].items() if name not in ("table", "round")}
    )
    (tmp_path / "round.zip").write_bytes(bundle(dispute))
    give(way_in, tmp_path / "round.zip", lines(tmp_path / "receipts.json", [dispute.lost[0], elsewhere]))
    expect(way_in.locator(".ver.wrong")).to_have_text("Not proven: receipt")
    expect(found(way_in).last).to_have_text(f"Missing: {key} vouched for it, so the log was cut.")
    assert verifier.check(bundle(dispute), receipts=[elsewhere])["kind"] == "receipt"
    give(way_in, lines(tmp_path / "noted.json", [stray]))
    expect(way_in.locator(".receipts")).to_contain_text("1 more is of another round, or not signed.")


def test_a_key_alone_is_trusted_pasted_or_as_a_file(way_in: Page, dispute: Disputed, tmp_path: Path) -> None:
    key = ask(dispute.url, "GET", "/keys")["keys"][0]
    other = str(verifier.Key("elsewhere.example/log", bytes(32)))
    (tmp_path / "round.zip").write_bytes(bundle(dispute))
    (tmp_path / "other.pub").write_text(f"{other}\n")
    give(way_in, tmp_path / "round.zip")
    expect(way_in.locator(".facts")).to_contain_text("the key that this site publishes")
    way_in.get_by_label("Trust this key alone").fill(key)
    way_in.get_by_role("button", name="Check again").click()
    expect(way_in.locator(".facts")).to_contain_text("the key that you trust")
    expect(way_in.locator(".ver.proven")).to_be_visible()
    give(way_in, tmp_path / "other.pub")
    expect(way_in.locator(".ver.wrong")).to_have_text("Not proven: key")
    expect(way_in.locator(".facts")).to_contain_text("not the key that you trust")
    way_in.get_by_label("Trust this key alone").fill("nonsense")
    way_in.get_by_role("button", name="Check again").click()
    expect(way_in.get_by_role("alert")).to_contain_text("A key can’t be read there")
    expect(way_in.locator(".ver")).to_have_text("Can’t tell")


def test_a_key_before_its_bundle_waits_for_it(way_in: Page, dispute: Disputed, tmp_path: Path) -> None:
    (tmp_path / "site.pub").write_text(ask(dispute.url, "GET", "/keys")["keys"][0])
    (tmp_path / "round.zip").write_bytes(bundle(dispute))
    give(way_in, tmp_path / "site.pub")
    expect(way_in.locator(".ver")).to_have_text("Nothing to check yet")
    expect(way_in.get_by_text("The key is here. Now the bundle")).to_be_visible()
    give(way_in, tmp_path / "round.zip")
    expect(way_in.locator(".facts")).to_contain_text("the key that you trust")


def test_where_the_site_does_not_answer_its_key_is_not_claimed(enter: Enter, dispute: Disputed, tmp_path: Path) -> None:
    ada = enter(ADA, "/audit")
    ada.reconnects = True  # what does not answer is on the browser's console
    ada.page.route("**/api/keys", lambda route: route.abort())
    (tmp_path / "round.zip").write_bytes(bundle(dispute))
    give(ada.page, tmp_path / "round.zip")
    expect(ada.page.locator(".ver.proven")).to_be_visible()
    expect(ada.page.locator(".facts")).to_contain_text("compare it with the key that the site publishes")


def test_a_bundle_whose_download_breaks_off_could_not_be_checked(enter: Enter) -> None:
    ada = enter(ADA, "/audit")
    ada.page.add_init_script("Response.prototype.arrayBuffer = () => Promise.reject(new TypeError('cut off'))")
    ada.page.locator(".found").first.click()
    expect(ada.page.locator(".ver")).to_have_text("Could not be checked")


def test_bundles_of_successive_rounds_prove_what_the_second_began_with(
    way_in: Page, house: House, tmp_path: Path
) -> None:
    both = twice(house.url)
    for round in (1, 2):
        (tmp_path / f"{round}.zip").write_bytes(bundle(both, round))
    give(way_in, tmp_path / "2.zip", tmp_path / "1.zip")
    expect(way_in.locator(".ver.proven")).to_have_count(2)
    expect(way_in.locator(".onechecked h2")).to_have_text(["Round 1", "Round 2"])
    expect(way_in.locator(".onechecked").last).to_contain_text("what round 1 left, as its own bundle here proves")
    accessible(way_in, "two bundles", "dark")
