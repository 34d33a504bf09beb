"""The dispute room in a browser, on a round that was played on the real service: what it shows must be what was."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from services.gateway.web import verify_bundle as verifier
from tests.proof.forge import forged
from tests.rules import rule
from tests.web.conftest import Visitor
from tests.web.disputed import ADA, BO, CAS, DEE, Disputed, bundle, introduced, played
from tests.web.house import House
from tests.web.looks import ODD, SIZES, SMALL, WIDER, accessible
from tests.web.person import Person

Enter = Callable[..., Person]


@pytest.fixture(scope="module")
def dispute(house: House) -> Disputed:
    """A round with two races."""
    return played(house.url)


@pytest.fixture
def enter(dispute: Disputed, visit: Visitor) -> Enter:
    """Someone who played it looks at it."""

    def come(who: int = ADA, path: str = "", **how: Any) -> Person:
        person = visit(dispute.url, dispute.people[who]["name"], **how)
        person.page.add_init_script(dispute.me(who))
        return person.come(path or dispute.path)

    return come


@pytest.fixture
def page(enter: Enter) -> Page:
    """Ada looks back, on a desktop."""
    return _ready(enter().page)


def _ready(page: Page) -> Page:
    expect(page.locator(".line")).to_be_visible()
    return page


def _scene(page: Page, who: str) -> list[str]:
    hand = page.get_by_role("group", name=f"Hand of {who}")
    return [card.get_attribute("data-card") or "" for card in hand.locator("[data-card]").all()]


def _centre(page: Page) -> list[str]:
    return [card.get_attribute("data-card") or "" for card in page.locator(".now .sc [data-card]").all()]


def _record(page: Page) -> int:
    words = page.locator(".record b").text_content() or ""
    return int(words.removeprefix("#"))


def _races(dispute: Disputed) -> list[dict[str, Any]]:
    scenes = dispute.get(f"/tables/{dispute.table}/rounds/1/replay", ADA)["scenes"]
    return [scene["race"] for scene in scenes if scene["race"]]


def test_it_opens_at_the_first_race_with_every_hand_from_above(page: Page, dispute: Disputed) -> None:
    lost = _races(dispute)[0]["loser"]
    expect(page.locator(".record")).to_contain_text(f"#{lost['version']} Ada aimed at the")
    expect(page.locator(".scene .by")).to_have_text("Ada aimed here")
    assert [len(_scene(page, name)) for name in ("Ada", "Cas", "Bo", "Dee")] == [4, 4, 4, 4]
    assert dispute.wanted in _scene(page, "Cas")


def test_steps_go_record_by_record_and_a_swap_is_seen_to_happen(page: Page, dispute: Disputed) -> None:
    won = _races(dispute)[0]["winner"]
    page.keyboard.press("ArrowLeft")
    assert _record(page) == won["version"]
    expect(page.locator(".scene .by")).to_have_text("Cas put down")
    assert _centre(page)[1] == won["command"]["card"]
    page.keyboard.press("ArrowLeft")
    assert _centre(page)[1] == dispute.wanted
    assert dispute.wanted not in _scene(page, "Cas")
    page.get_by_role("button", name="Next record").click()
    assert _record(page) == won["version"]
    assert f"at={won['version']}" in page.url


def test_n_goes_through_the_races_and_a_race_in_the_list_opens_it(page: Page, dispute: Disputed) -> None:
    first, second = (race["loser"]["version"] for race in _races(dispute))
    page.keyboard.press("n")
    assert _record(page) == second
    expect(page.locator("[aria-current=true]")).to_contain_text("Bo before Dee")
    page.keyboard.press("n")
    assert _record(page) == first
    page.locator(".races button").nth(1).click()
    assert _record(page) == second


def test_it_plays_to_the_end_and_space_pauses(page: Page) -> None:
    """The browser's clock stands still but for what the test lets pass: the round itself may be over in a blink."""
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    for speed in ("4×", "16×"):
        page.locator(".speed").click()
        expect(page.locator(".speed")).to_have_text(speed)
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(30_000)
    expect(page.locator(".record")).to_contain_text("The scorer gave the points")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_the_head_is_dragged_along_the_line(page: Page) -> None:
    knob = page.get_by_role("slider", name="Moment of the round")
    assert re.search(r"record \d+", knob.get_attribute("aria-valuetext") or "")
    box, before = knob.bounding_box(), _record(page)
    assert box is not None
    page.mouse.move(box["x"] + 22, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] - 600, box["y"] + 12, steps=5)
    page.mouse.up()
    assert _record(page) < before
    expect(page.locator(".ctl .clock")).to_have_text(re.compile("^−"))


def test_a_seat_shows_what_it_saw_and_no_more(page: Page, dispute: Disputed) -> None:
    """When Cas's swap was decided Ada's screen still had the card in the centre: that is why she aimed at it."""
    page.keyboard.press("ArrowLeft")
    page.locator(".views label", has_text="Ada").click()
    expect(page.locator(".saw")).to_contain_text("What Ada saw")
    expect(page.locator(".saw")).to_contain_text("1 newer record was not on that screen yet")
    assert _centre(page)[1] == dispute.wanted
    assert len(_scene(page, "Ada")) == 4
    assert [_scene(page, name) for name in ("Cas", "Bo", "Dee")] == [[], [], []]
    expect(page.locator(".scene .card.back")).to_have_count(12)
    expect(page.locator(".mysign")).to_have_count(1)
    page.locator(".views label", has_text="Watching").click()
    expect(page.locator(".scene .card.back")).to_have_count(16)
    expect(page.locator(".mysign")).to_have_count(0)


@rule("Q-SWAP-3")
def test_the_photo_finish_has_both_commands_the_margin_and_the_rule(page: Page, dispute: Disputed) -> None:
    swap, second = _races(dispute)
    exact = f"{dispute.lost['lost_to']['margin_us'] / 1000:.3f} ms"
    finish = page.locator(".finish")
    expect(finish.locator(".photo .mg")).to_have_text(exact)
    expect(finish.locator(".rule")).to_contain_text("Q-SWAP-3 If the place no longer holds the card aimed at")
    expect(finish.locator(".pair2")).to_contain_text(
        f"#{swap['loser']['version']}, lost to #{swap['winner']['version']}"
    )
    expect(finish.locator(".pair2")).to_contain_text("card gone")
    page.keyboard.press("n")
    expect(finish.locator(".photo .mg")).to_have_text(f"{dispute.second['lost_to']['margin_us'] / 1000:.3f} ms")
    assert (second["winner"]["by"], second["loser"]["by"]) == (BO, DEE)


def test_the_other_way_round_is_a_table_to_look_at(page: Page, dispute: Disputed) -> None:
    expect(page.locator(".whatif")).to_contain_text("Had Ada been first: Ada put down the")
    page.get_by_role("button", name="Show that table").click()
    expect(page.locator(".banner")).to_contain_text("Not what happened: the table had Ada been first.")
    assert dispute.wanted in _scene(page, "Ada")
    assert dispute.wanted not in _scene(page, "Cas")
    page.get_by_role("button", name="Back to what happened").click()
    assert dispute.wanted in _scene(page, "Cas")


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
    files, loser = verifier.unzip(bundle(dispute)), _races(dispute)[0]["loser"]["version"]
    manifest = json.loads(files[verifier.MANIFEST])
    records = [json.loads(line) for line in files[verifier.RECORDS].splitlines()]
    changed = next(record for record in records if record["n"] == loser)
    changed["refused"]["lost_to"]["margin_us"] += 1
    (tmp_path / "forged.zip").write_bytes(forged(records, bytes.fromhex(manifest["previous"]), manifest["first"]))
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request))
    page.locator(".pickfile input").first.set_input_files(tmp_path / "forged.zip")
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


def test_a_race_is_found_and_leads_to_its_record(enter: Enter, dispute: Disputed) -> None:
    page = enter(CAS, "/audit").page
    page.get_by_label("What", exact=True).select_option("swap")
    page.get_by_label("Within, ms").fill("60000")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".found")).to_have_count(2)
    expect(page.locator(".found").last).to_contain_text("swap · card gone")
    accessible(page, "search", "dark")
    page.locator(".found").last.click()
    assert _record(_ready(page)) == _races(dispute)[0]["loser"]["version"]


def test_whoever_was_not_there_finds_and_sees_nothing(visit: Visitor, dispute: Disputed) -> None:
    stranger = visit(dispute.url, "Eve")
    stranger.reconnects = True  # what is refused is on the browser's console
    stranger.page.add_init_script(
        f"localStorage.setItem('quartet.me', JSON.stringify({json.dumps(introduced(dispute.url, 'Eve'))}))"
    )
    page = stranger.come(dispute.path).page
    expect(page.get_by_role("alert")).to_contain_text("This table is private: only who played here may look.")
    expect(page.locator(".hits")).to_contain_text("Nothing found")


def test_look_back_at_the_stop_leads_here(enter: Enter, dispute: Disputed) -> None:
    page = enter(ADA, f"/#{dispute.table}").page
    page.get_by_role("link", name="Look back").click()
    expect(_ready(page).locator("h1")).to_contain_text("Round 1")
    page.get_by_role("link", name="Back to the table").click()
    expect(page.get_by_role("link", name="Look back")).to_be_visible()


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
    page = _ready(enter(ADA, locale=language, viewport={"width": 390, "height": 844}).page)
    assert page.evaluate("document.documentElement.lang") == language[:2]
    expect(page.locator(".ver.proven")).to_be_visible()
    assert page.evaluate(WIDER) <= 0
    for _ in range(page.locator(".races button").count() + 4):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_be_visible()


def test_a_finger_scrolls_the_line_and_taps_its_records(browser: Browser, dispute: Disputed) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="en-GB"
    )
    page = context.new_page()
    page.add_init_script(dispute.me(ADA))
    page.goto(dispute.url + dispute.path)
    _ready(page).locator(".ctl .btn.icon").last.tap()
    first = _record(page)
    page.locator(".ctl .btn.icon").first.tap()
    assert _record(page) == first - 1
    page.locator(".scroll").tap(position={"x": 40, "y": 60})
    assert _record(page) < first
    context.close()
