"""What a page is made of when it is served: few files to fetch, and what happens when they are not the newest."""

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from services.gateway import web
from services.gateway.web import build, content, public_files
from tests.web import scenes
from tests.web.conftest import Visitor
from tests.web.house import House
from tests.web.stage import Stage

SCRIPT = re.compile(r'<script type="module" src="([^"]+)">')


@pytest.mark.usefixtures("browser")  # it sees to it that there are bundles
@pytest.mark.parametrize("page", ["index.html", "audit.html"])
def test_a_page_has_its_modules_in_bundles(page: str) -> None:
    files = public_files()
    found = re.findall(r'(?:src|href)="(dist/[^"]+)"', content(files[page]).decode())
    assert 1 <= len(found) <= 3
    assert set(found) <= files.keys()


def test_bundles_of_other_modules_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "fingerprint", lambda: "of modules that were changed since")
    assert SCRIPT.findall(content(public_files()["index.html"]).decode()) == ["app.js"]


@pytest.mark.parametrize("half", ["", '{"of": "fec1'])
def test_a_build_that_was_stopped_half_way_leaves_the_single_modules(
    half: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "made.json").write_text(half)
    monkeypatch.setattr(web, "MADE", str(tmp_path / "made.json"))
    assert SCRIPT.findall(content(public_files()["index.html"]).decode()) == ["app.js"]


def test_without_an_engine_there_are_no_bundles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "node", lambda: "no engine of this name")
    assert build._bundle("app.js") is None


def test_what_builds_the_client_is_not_served() -> None:
    assert [name for name in public_files() if "made.json" in name or "package" in name] == []


def test_a_bundle_is_kept_for_ever_and_a_page_is_asked_for_again(house: House) -> None:
    page = httpx.get(house.url)
    bundle = httpx.get(f"{house.url}/{SCRIPT.findall(page.text)[0]}")
    assert "no-cache" in page.headers["cache-control"]
    assert "immutable" in bundle.headers["cache-control"]


def test_the_single_modules_draw_the_same(stage: Stage, visit: Visitor) -> None:
    stage.single = True
    ada = visit(stage.url).come(f"/#{scenes.TABLE}")
    expect(ada.page.locator(".chair")).to_have_count(4)
    assert ada.page.evaluate("performance.getEntriesByType('resource').every(one => !one.name.includes('/dist/'))")


def test_a_page_whose_files_are_gone_since_a_release_is_loaded_anew(house: House, visit: Visitor) -> None:
    ada = visit(house.url)
    ada.reconnects = True  # what is not found is on the browser's console
    ada.come()
    gone = re.compile(r"/dist/later-")
    ada.page.route(gone, lambda route: route.fulfill(status=404))
    with ada.page.expect_event("framenavigated"):
        ada.page.get_by_label("Your name").click()
    ada.page.unroute(gone)
    ada.page.locator("#f-table").wait_for()
    ada.lay()
    expect(ada.page.locator(".chair")).to_have_count(4)
