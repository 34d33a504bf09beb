"""What stays behind when a page moves on: nothing of a table that was left, no choice that can't be made any more."""

import re
from pathlib import Path

from playwright.sync_api import Route, WebSocket, expect

from tests.rules import rule
from tests.web import kwartet_scenes as kwartet
from tests.web import scenes
from tests.web.conftest import Visitor
from tests.web.house import House
from tests.web.packs import CSV, choose_kwartet, file_of, load_all
from tests.web.person import Person
from tests.web.stage import Stage
from tests.web.test_screens import Screen, show
from tests.web.test_waking import _LOOK


def _leave(ada: Person) -> None:
    ada.page.get_by_role("button", name="Menu").click()
    ada.page.get_by_role("button", name="Leave the table").click()
    expect(ada.page.locator("#f-name")).to_be_visible()


def _seen_again(stage: Stage, visit: Visitor, **how: object) -> Person:
    ada = show(Screen(".hand"), stage, visit, **how)
    ada.reconnects = True
    stage.heard.clear()
    return ada


def test_a_table_that_was_left_while_it_was_fetched_is_not_opened(stage: Stage, visit: Visitor) -> None:
    ada = visit(stage.url).come()
    held: list[Route] = []
    sockets: list[WebSocket] = []
    ada.page.on("websocket", lambda socket: sockets.append(socket))
    ada.page.route(re.compile(r"/dist/later-"), lambda route: held.append(route))
    ada.page.evaluate(f"location.hash = '{scenes.TABLE}'")
    ada.until(lambda: bool(held), "the fetching")
    ada.page.go_back()
    expect(ada.page.locator("#f-name")).to_be_visible()
    held[0].continue_()
    ada.page.locator(".brand .btn").click()
    expect(ada.page.get_by_role("dialog")).to_be_visible()
    expect(ada.page).to_have_title("Quartet")
    assert sockets == []


def test_who_left_an_open_round_hears_no_more_of_its_clock(stage: Stage, visit: Visitor) -> None:
    def scene() -> tuple[object, object]:
        public, own = scenes.playing(4)
        return {**public, "deadline": scenes.now() + 40 * scenes.SECOND}, own

    stage.scene = scene
    ada = visit(stage.url)
    ada.page.clock.install()
    ada.come(f"/#{scenes.TABLE}")
    expect(ada.page.locator(".hand .card")).to_have_count(4)
    public, own = scene()
    public["seats"][0]["swap_ready_at"] = scenes.now() + 20 * scenes.SECOND  # type: ignore[index]
    stage.show(public, own)
    expect(ada.page.locator(".ring").first).to_be_attached()
    _leave(ada)
    ada.page.clock.run_for(45_000)
    assert ada.heard() == ""


def test_who_left_a_turn_of_kwartet_hears_no_more_of_its_clock(stage: Stage, visit: Visitor) -> None:
    stage.scene = kwartet.asking
    ada = visit(stage.url)
    ada.page.clock.install()
    ada.come(f"/#{scenes.TABLE}")
    expect(ada.page.locator(".askbar")).to_be_visible()
    _leave(ada)
    ada.page.clock.run_for(45_000)
    assert ada.heard() == ""


def test_a_choice_whose_card_went_while_the_line_was_down_is_none(stage: Stage, visit: Visitor) -> None:
    ada = _seen_again(stage, visit)
    ada.card("QC").click()
    expect(ada.page.locator(".centre.aim")).to_be_visible()

    def later() -> tuple[object, object]:
        public, own = scenes.playing(4)
        return {**public, "centre": ["QC", "JH", "AS", "10D"]}, {**own, "hand": ["KS", "KD", "KC", "KH"]}

    stage.scene = later
    stage.close(1012)
    expect(ada.card("KC")).to_be_visible()
    expect(ada.page.locator(".centre.aim")).to_have_count(0)


@rule("Q-SWAP-3")
def test_a_card_that_was_reshuffled_while_it_was_dragged_is_not_dropped_as_another(
    stage: Stage, visit: Visitor
) -> None:
    ada = _seen_again(stage, visit)
    mouse = ada.page.mouse
    begin, end = ada.card("QC").bounding_box(), ada.place(2).bounding_box()
    assert begin is not None
    assert end is not None
    mouse.move(begin["x"] + 20, begin["y"] + 20)
    mouse.down()
    mouse.move(end["x"] + 20, end["y"] + 20, steps=8)
    public, own = scenes.playing(4)
    public["centre"], own["hand"] = ["AC", "AH", "AS", "AD"], ["JS", "JD", "JC", "JH"]
    stage.show(public, own, [{"type": "reshuffled"}])
    expect(ada.card("JC")).to_be_attached()
    mouse.up()
    ada.page.wait_for_function("() => !document.querySelector('.dragged')")
    ada.page.keyboard.press("1")
    ada.page.keyboard.press("q")
    ada.until(lambda: bool(stage.commands), "a swap")
    assert stage.commands == [{"type": "SwapCard", "card": "JS", "place": 0, "aimed_at": "AC"}]


def test_a_hidden_tab_calls_no_longer_when_my_turn_has_passed(stage: Stage, visit: Visitor) -> None:
    ada = show(Screen(".kt", kwartet.asking), stage, visit)
    ada.page.evaluate(_LOOK, True)
    stage.show(*kwartet.asking())
    expect(ada.page).to_have_title("• Your turn")
    public = kwartet.table(4, "playing", turn=1)
    stage.show(
        public, kwartet.mine(public, kwartet.HAND), [{"type": "timeout", "seat": 0}, {"type": "turn", "seat": 1}]
    )
    expect(ada.page).to_have_title("Kwartet · Quartet")


def test_who_tapped_beside_the_cards_keeps_the_focus_there(stage: Stage, visit: Visitor) -> None:
    ada = show(Screen(".kt", kwartet.asking), stage, visit)
    ada.page.locator(".cell.can").first.click()
    ada.page.locator(".surface").click(position={"x": 12, "y": 12})
    expect(ada.page.locator(".cell.sel")).to_have_count(0)
    assert ada.page.evaluate("document.activeElement === document.body")
    public = kwartet.table(4, "playing", turn=1)
    stage.show(public, kwartet.mine(public, kwartet.HAND), [{"type": "turn", "seat": 1}])
    expect(ada.page.locator("h1.turn")).to_have_text("Mila’s turn")
    assert ada.page.evaluate("document.activeElement === document.body")


def test_arrows_in_the_record_scroll_it_and_choose_no_card(stage: Stage, visit: Visitor) -> None:
    ada = show(Screen(".kt", kwartet.asking), stage, visit)
    ada.page.locator("aside.record").focus()
    ada.page.keyboard.press("ArrowDown")
    expect(ada.page.locator("aside.record")).to_be_focused()


def test_all_the_signs_of_a_phone_take_the_focus_and_give_it_back(stage: Stage, visit: Visitor) -> None:
    ada = show(Screen(".hand"), stage, visit, viewport={"width": 390, "height": 844})
    ada.page.locator(".quick.all").focus()
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator(".palette-sheet")).to_be_visible()
    ada.until(lambda: bool(ada.page.evaluate("!!document.activeElement.closest('.palette-sheet')")), "the focus")
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator(".quick.all")).to_be_focused()


def test_a_style_sheet_that_did_not_come_is_fetched_again(stage: Stage, visit: Visitor) -> None:
    stage.scene = scenes.playing4
    ada = visit(stage.url)
    ada.reconnects = True
    ada.page.route(re.compile("/quatro.css"), lambda route: route.abort(), times=1)
    ada.page.goto(f"{stage.url}/#{scenes.TABLE}", wait_until="commit")
    expect(ada.page.locator(".hand")).to_have_css("display", "grid")
    expect(ada.page.locator(".hand .card")).to_have_count(4)


def test_a_language_that_can_not_be_fetched_is_not_spoken_by_half(stage: Stage, visit: Visitor) -> None:
    ada = visit(stage.url).come()
    ada.reconnects = True
    ada.page.locator(".brand .btn").click()
    ada.page.route(re.compile("/i18n/nl.json"), lambda route: route.abort())
    ada.page.get_by_role("radio", name="Nederlands").check(force=True)
    expect(ada.page.locator(".toast")).to_have_text("No connection. Try again.")
    expect(ada.page.get_by_role("radio", name="English")).to_be_checked()


def test_a_file_that_can_not_be_read_any_more_is_said_and_another_can_be_chosen(
    house: House, visit: Visitor, tmp_path: Path
) -> None:
    ada = visit(house.url)
    ada.reconnects = True  # a refused file is on the browser's console
    ada.come()
    choose_kwartet(ada)
    own = tmp_path / "own.csv"
    own.write_text(CSV.replace("Pond,Newt\n", ""))
    load_all(ada, [str(own)])
    expect(ada.page.locator(".why").first).to_be_visible()
    own.write_text(CSV)
    load_all(ada, [file_of("fox.png", b"no picture")])
    expect(ada.page.locator("#e-packer")).to_have_text("That file can’t be read any more. Choose it again.")
    load_all(ada, [str(own)])
    expect(ada.page.locator("h1")).to_have_text("Own")
