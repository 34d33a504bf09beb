"""What the page makes of frames that come late, twice, in part or not at all (protocol.md, Socket)."""

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Locator, expect

from tests.rules import case
from tests.web import scenes
from tests.web.conftest import Visitor
from tests.web.person import Person
from tests.web.stage import Stage

_TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def _at_the_table(stage: Stage, visit: Visitor, still: bool = False) -> Person:
    """`still`: the page's clock stands until the test moves it."""
    stage.scene = scenes.playing4
    stage.heard.clear()
    person = visit(stage.url)
    person.reconnects = True
    if still:
        person.page.clock.install()
    person.come(f"/#{scenes.TABLE}")
    expect(person.page.locator(".hand .card")).to_have_count(4)
    if still:
        person.page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=1))
    return person


def _asked_again(stage: Stage) -> bool:
    return any(frame["type"] == "resync" for frame in stage.heard)


@case("C-07")
def test_a_gap_in_the_numbers_is_asked_for_again(stage: Stage, visit: Visitor) -> None:
    ada = _at_the_table(stage, visit)
    stage.lose()
    stage.show(*scenes.playing(4))
    ada.until(lambda: _asked_again(stage), "a resync")


@case("C-07")
def test_a_beat_tells_of_a_lost_last_frame(stage: Stage, visit: Visitor) -> None:
    ada = _at_the_table(stage, visit)
    stage.lose()
    stage.send(type="beat")
    ada.until(lambda: _asked_again(stage), "a resync")
    expect(ada.page.locator(".hand .card")).to_have_count(4)


def test_an_older_frame_is_not_shown_and_a_part_left_out_stays(stage: Stage, visit: Visitor) -> None:
    ada = _at_the_table(stage, visit)
    public, own = scenes.playing(4)
    own["hand"] = ["QS", "QD", "QH", "KH"]
    stage.show(public, own)
    expect(ada.card("QS")).to_be_visible()
    stage.send(type="view", n=0, own=scenes.playing(4)[1])
    stage.send(type="beat")
    public["points"] = [4, 4]
    stage.show(public, None)  # own is left out
    expect(ada.page.locator('.score [data-score="1"]')).to_have_text("4")
    assert ada.hand == own["hand"]


@case("C-25")
def test_equal_texts_are_both_spoken(stage: Stage, visit: Visitor) -> None:
    ada = _at_the_table(stage, visit)
    ada.page.evaluate(_TWO_FRAMES)  # keys are bound after what was drawn is painted
    for times in (1, 2):
        ada.page.keyboard.press("h")
        ada.until(lambda times=times: ada.heard().count("Your hand: king of spades") == times, "my hand")  # type: ignore[misc]


def test_a_refused_swap_says_by_whom_keeps_the_choice_and_costs_nothing(stage: Stage, visit: Visitor) -> None:
    ada = _at_the_table(stage, visit)
    stage.answer = lambda command: {
        "accepted": False, "refused": "card_gone", "lost_to": {"seat": 1, "margin_us": 1234},
    }  # fmt: skip
    ada.card("QC").click()
    ada.place(0).click()
    expect(ada.page.locator('[data-place="0"] .losttag')).to_have_text("Cas, 1.2 ms faster")
    expect(ada.card("QC")).to_have_attribute("aria-pressed", "true")
    ada.hears("Cas was 1.2 ms faster. It cost you nothing.")
    stage.answer = lambda command: {"accepted": True}


def test_a_choice_made_during_my_wait_is_sent_when_it_ends(stage: Stage, visit: Visitor) -> None:
    ada = _at_the_table(stage, visit, still=True)
    public, own = scenes.playing(4)
    public["seats"][0]["swap_ready_at"] = scenes.now() + 5 * scenes.SECOND  # type: ignore[index]
    stage.show(public, own)
    expect(ada.page.locator(".hand .ring").first).to_be_attached()
    ada.card("QC").click()
    ada.place(0).click()
    assert stage.commands == []
    ada.page.clock.run_for(6_000)
    ada.until(lambda: any(one["type"] == "SwapCard" for one in stage.commands), "it")


def test_nothing_is_sent_for_a_card_that_changed_under_the_finger(stage: Stage, visit: Visitor) -> None:
    ada = _at_the_table(stage, visit, still=True)
    public, own = scenes.playing(4)
    public["seats"][0]["swap_ready_at"] = scenes.now() + 5 * scenes.SECOND  # type: ignore[index]
    stage.show(public, own)
    ada.card("QC").click()
    ada.place(0).click()
    public["centre"] = ["AD", "JH", "AS", "10D"]
    stage.show(public, own)
    expect(ada.page.locator('[data-place="0"] [data-card="AD"]')).to_be_visible()
    ada.page.clock.run_for(6_000)
    ada.hears("You can swap.")
    assert stage.commands == []


def test_i_am_reminded_of_my_own_four_before_anything_is_sent(stage: Stage, visit: Visitor) -> None:
    stage.scene = scenes.own_four
    ada = visit(stage.url).come(f"/#{scenes.TABLE}")
    expect(ada.page.locator(".hand .card")).to_have_count(4)
    stage.heard.clear()
    ada.call("quatro")
    expect(ada.page.get_by_role("alertdialog")).to_contain_text("You hold four kings yourself.")
    expect(ada.page.get_by_role("button", name="Don’t call")).to_be_focused()
    assert stage.commands == []
    ada.page.get_by_role("button", name="Call all the same").click()
    ada.until(lambda: bool(stage.commands), "the call")
    command = stage.commands[0]
    assert command == {"type": "CallQuatro", "anyway": True}


def test_a_page_whose_server_moves_is_back_within_a_second_and_says_nothing(stage: Stage, visit: Visitor) -> None:
    ada = _at_the_table(stage, visit)
    stage.close(1012)
    ada.until(lambda: sum(frame["type"] == "hello" for frame in stage.heard) == 2, "a second hello")
    expect(ada.page.locator("main.table:not(.off)")).to_be_visible()
    expect(ada.page.locator(".says")).to_have_count(0)
    expect(ada.page.locator(".hand .card")).to_have_count(4)


def test_a_card_is_dragged_to_a_place_and_let_go_elsewhere_does_nothing(stage: Stage, visit: Visitor) -> None:
    ada = _at_the_table(stage, visit)
    _drag(ada, ada.card("QC"), ada.page.locator(".partner"))
    assert stage.commands == []
    expect(ada.card("QC")).to_have_attribute("aria-pressed", "false")
    _drag(ada, ada.card("QC"), ada.place(2))
    ada.until(lambda: bool(stage.commands), "the swap")
    command = stage.commands[0]
    assert command == {"type": "SwapCard", "card": "QC", "place": 2, "aimed_at": "AS"}


def _drag(person: Person, what: Locator, to: Locator) -> None:
    begin, end = what.bounding_box(), to.bounding_box()
    assert begin is not None
    assert end is not None
    mouse = person.page.mouse
    mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + begin["height"] / 2)
    mouse.down()
    mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=8)
    mouse.up()
