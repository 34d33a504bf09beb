"""What everyone is told besides play: house rules that differ, calls that came too late, how to go on by keys."""

from playwright.sync_api import expect

from tests.rules import rule
from tests.web import kwartet_scenes as kwartet
from tests.web import scenes
from tests.web.conftest import Visitor
from tests.web.person import Person
from tests.web.stage import Stage
from tests.web.test_screens import Screen, show

ODD = {"target_points": 3, "round_seconds": 60, "swap_wait_seconds": 0}
SAID = "first to 3, rounds of 60 s, 0 s between swaps"


def _lay(stage: Stage, visit: Visitor, width: int, **more: object) -> Person:
    def scene() -> tuple[object, object]:
        public, own = scenes.seating(4)
        return {**public, **more}, own

    return show(Screen(".chair", scene), stage, visit, viewport={"width": width, "height": 844})


def test_house_rules_that_differ_are_said_where_the_table_is_laid(stage: Stage, visit: Visitor) -> None:
    desk = _lay(stage, visit, 1280, rules=ODD)
    expect(desk.page.locator(".facts")).to_contain_text(f"House rules{SAID}", use_inner_text=False)
    phone = _lay(stage, visit, 390, rules=ODD)
    expect(phone.page.locator(".odd")).to_have_text(f"House rules: {SAID}")
    usual = _lay(stage, visit, 390)
    expect(usual.page.locator(".odd")).to_have_count(0)


def test_who_is_asked_to_a_table_hears_what_differs_there(stage: Stage, visit: Visitor) -> None:
    table = {"table_id": scenes.TABLE, "code": "TULP7", "game": "quatro", "seats": 4, "free": 2, "taken": 2}
    asked = {**table, "phase": "seating", "round": 0, "host": "Ada", "private": True, "rules": ODD}
    page = show(Screen("form.asked", path="/?join=TULP7", join=(200, asked)), stage, visit).page
    expect(page.locator("form.asked")).to_contain_text(f"House rules: {SAID}")


def test_they_stand_in_the_top_line_and_in_the_menu_of_both_games(stage: Stage, visit: Visitor) -> None:
    def quatro() -> tuple[object, object]:
        public, own = scenes.playing(4)
        return {**public, "rules": ODD}, own

    def other() -> tuple[object, object]:
        public, own = kwartet.asking()
        return {**public, "rules": {"after_miss": "clockwise", "turn_seconds": 0}}, own

    page = show(Screen(".hand", quatro), stage, visit).page
    expect(page.locator(".brandline")).to_contain_text("table TULP7 · round 6 · first to 3 · rounds of 60 s")
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("dialog")).to_contain_text(f"House rules: {SAID}")
    page = show(Screen(".kt", other), stage, visit).page
    expect(page.locator(".packname")).to_contain_text("after a miss the next player asks · turns without a limit")


@rule("Q-STOP-1")
def test_after_the_award_everyone_hears_whose_calls_came_too_late(stage: Stage, visit: Visitor) -> None:
    late = {
        "table": scenes.TABLE,
        "round": 6,
        "seat": 3,
        "command": "CallCounter",
        "code": "round_over",
        "margin_us": 38_000,
    }
    vain = {**late, "seat": 2, "command": "CallQuatro", "code": "lost_call", "margin_us": None}
    stage.late = [late, vain, {**late, "round": 5, "seat": 1}]
    ada = show(Screen(".hand"), stage, visit)
    stage.show(*scenes.stopped(4), [{"type": "quatro", "seat": 2, "team": 0, "right": True}])
    words = "Dee’s Counter! came 38 ms later and does not count."
    expect(ada.page.locator(".shout")).to_contain_text(words)
    expect(ada.page.locator(".shout br")).to_have_count(1)
    ada.hears(words)
    stage.late = []


def test_by_keys_alone_the_verdict_is_said_again_and_the_next_round_begins(stage: Stage, visit: Visitor) -> None:
    ada = show(Screen(".hand"), stage, visit)
    stage.heard.clear()
    stage.show(*scenes.stopped(4), [{"type": "quatro", "seat": 2, "team": 0, "right": True}])
    expect(ada.page.locator(".next .btn").first).to_be_visible()
    verdict = "Bo: Quatro! Right, you held four kings."
    ada.hears(verdict)
    ada.page.keyboard.press("l")
    ada.until(lambda: ada.heard().count(verdict) == 2, "the verdict again")
    ada.page.keyboard.press("d")
    ada.until(lambda: bool(stage.commands), "going on")
    sent = stage.commands
    assert sent == [{"type": "EndBreak"}]
    stage.show(*scenes.preparing(4))
    ada.hears("Pick your sign. Opens when all are ready, or in 0:2")


def test_two_things_that_one_change_brings_are_both_heard(stage: Stage, visit: Visitor) -> None:
    ada = show(Screen(".wall", lambda: scenes.preparing(4)), stage, visit)
    public, own = scenes.playing(4)
    public["replaced"] = [{"seat": 1, "times": 1}, {"seat": 3, "times": 1}]
    stage.show(public, own)
    ada.hears("Dee was dealt a new hand.")
    assert "The round is open." in ada.heard()
    assert "Cas was dealt a new hand." in ada.heard()


def test_a_refusal_in_an_open_round_is_heard_too(stage: Stage, visit: Visitor) -> None:
    ada = show(Screen(".hand"), stage, visit)
    stage.answer = lambda command: {"accepted": False, "refused": "vote_open"}
    ada.page.locator(".rs:visible").click()
    expect(ada.page.locator(".says")).to_have_text("A vote is already open.")
    ada.hears("A vote is already open.")
    ada.call("quatro")
    ada.hears("Your call did not arrive.")
    ada.page.keyboard.press("t")
    ada.until(lambda: ada.heard().count("A vote is already open.") == 2, "the refusal of the channel")
    stage.answer = lambda command: {"accepted": True}


def test_a_name_that_is_written_from_right_to_left_leaves_its_sentence_in_order(stage: Stage, visit: Visitor) -> None:
    def scene() -> tuple[object, object]:
        public, own = scenes.playing(4)
        public["seats"][1]["name"] = "גיל"  # type: ignore[index]
        return public, own

    ada = show(Screen(".hand", scene), stage, visit)
    lost = {"seat": 1, "margin_us": 1200}
    stage.answer = lambda command: {"accepted": False, "refused": "card_gone", "lost_to": lost}
    ada.card("QC").click()
    ada.place(0).click()
    tag = ada.page.locator(".losttag")
    expect(tag).to_contain_text("1.2 ms faster")
    assert tag.evaluate(_IN_ORDER, ["גיל", "1.2"])
    stage.answer = lambda command: {"accepted": True}


_IN_ORDER = """(tag, words) => {
    const text = [...tag.childNodes].find(one => one.nodeType === Node.TEXT_NODE);
    const [first, second] = words.map((word) => {
        const range = document.createRange();
        range.setStart(text, text.data.indexOf(word));
        range.setEnd(text, text.data.indexOf(word) + word.length);
        return range.getBoundingClientRect();
    });
    return first.left < second.left || first.bottom <= second.top;
}"""
