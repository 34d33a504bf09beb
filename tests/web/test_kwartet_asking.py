"""Asking at a hand-written table: refusals stand where they were asked for, gifts fly, a held card shows in full."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.rules import rule
from tests.web import kwartet_scenes as kwartet
from tests.web import scenes
from tests.web.conftest import Visitor
from tests.web.person import Person
from tests.web.stage import Stage
from tests.web.test_screens import Screen, show

HEDGEHOG = kwartet.card("Forest/Hedgehog")


def _at(stage: Stage, visit: Visitor, scene: Any, **how: Any) -> Person:
    return show(Screen(".kt", scene), stage, visit, **how)


@rule("K-ASK-1", "K-ASK-2")
@pytest.mark.parametrize("first", ["hole", "player"])
def test_a_hole_and_a_player_in_any_order_ask_and_only_what_can_be_asked_is_sent(
    first: str, stage: Stage, visit: Visitor
) -> None:
    def scene() -> tuple[object, object]:
        public, own = kwartet.asking()
        own["can_ask"] = [{"seat": 2, "cards": [HEDGEHOG]}]
        return public, own

    stage.answer = lambda command: None

    ada = _at(stage, visit, scene)
    page = ada.page
    stage.heard.clear()
    page.locator('[data-card="Sea/Whale"]').click(force=True)  # not in `can_ask`: plain
    page.locator('[data-seat="1"] .whom').click(force=True)
    expect(page.locator(".cell.sel, .player.picked")).to_have_count(0)
    steps = [page.locator('[data-card="Forest/Hedgehog"]'), page.locator('[data-seat="2"] .whom')]
    for step in steps if first == "hole" else reversed(steps):
        step.click()
    expect(page.locator(".askbar")).to_contain_text("Asking Noor…")
    page.locator('[data-seat="2"] .whom').click()  # sent already: a double click sends nothing
    ada.until(lambda: bool(stage.commands), "the question")
    assert stage.commands == [{"type": "Ask", "seat": 2, "card": HEDGEHOG}]


@rule("K-ASK-7")
def test_a_question_that_came_too_late_is_said_with_its_margin(stage: Stage, visit: Visitor) -> None:
    lost = {"by": "house", "why": "EndTurn", "margin_us": 1200}
    stage.answer = lambda command: {"accepted": False, "refused": "not_your_turn", "lost_to": lost}
    ada = _at(stage, visit, kwartet.asking)
    ada.page.locator('[data-card="Forest/Hedgehog"]').click()
    ada.page.locator(".askbar .btn", has_text="Mila").click()
    expect(ada.page.locator(".askbar .refusedline")).to_have_text("1.2 ms too late: the turn had moved on.")
    ada.hears("1.2 ms too late")


@rule("K-TIME-1")
@pytest.mark.parametrize(("mine", "swells"), [(True, True), (False, False)])
def test_the_clock_swells_in_the_last_ten_seconds_of_my_own_turn(
    mine: bool, swells: bool, stage: Stage, visit: Visitor
) -> None:
    def scene() -> tuple[object, object]:
        public, own = kwartet.ordinary(0 if mine else 1)
        return {**public, "deadline": scenes.now() + 9 * scenes.SECOND}, own

    page = _at(stage, visit, scene).page
    expect(page.locator("time.clock")).to_be_visible()
    assert page.locator("time.clock.last").count() == int(swells)


@rule("K-DISC-1")
def test_the_host_can_ask_for_a_turn_to_be_passed_and_hears_why_not(stage: Stage, visit: Visitor) -> None:
    def scene() -> tuple[object, object]:
        public, own = kwartet.asking()
        return {**public, "turn": 1, "deadline": None}, {**own, "can_ask": [], "can": ["PassAbsent"]}

    stage.answer = lambda command: {"accepted": False, "refused": "not_absent"}
    page = _at(stage, visit, scene).page
    stage.heard.clear()
    page.get_by_role("button", name="Pass Mila’s turn").click()
    expect(page.locator(".refusedline")).to_have_text("Not yet: a player has a minute.")
    assert stage.commands == [{"type": "PassAbsent"}]


@rule("K-PACK-4")
def test_press_and_hold_shows_a_missing_card_in_full_and_chooses_nothing(stage: Stage, visit: Visitor) -> None:
    page = _at(stage, visit, kwartet.asking).page
    box = page.locator('[data-card="Forest/Hedgehog"]').bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    expect(page.locator("dialog .full .me")).to_contain_text("Hedgehog")
    page.mouse.up()
    expect(page.locator("dialog")).to_contain_text("about five thousand spines")
    expect(page.locator(".full li")).to_have_count(4)
    page.keyboard.press("Escape")
    expect(page.locator(".cell.sel")).to_have_count(0)


@rule("K-SET-1")
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_what_is_given_flies_and_a_family_closes_to_its_tag(motion: str, stage: Stage, visit: Visitor) -> None:
    ada = _at(stage, visit, kwartet.asking, reduced_motion=motion)
    flights = ada.page.evaluate_handle(_WATCH)
    whale = {"by": 0, "to": 3, "card": kwartet.card("Sea/Whale"), "given": True}
    public = kwartet.table(4, "playing", exposed=[{"family": "Sea", "seat": 0}], asks=[*kwartet.ASKS, whale])
    own = kwartet.mine(public, [card for card in kwartet.HAND if card["family"] != "Sea"])
    stage.show(public, own, [{"type": "asked", **whale}, {"type": "family", "seat": 0, "family": "Sea"}])
    expect(ada.page.locator(".mysets .set")).to_have_text("Sea")
    expect(ada.page.locator(".record .fam")).to_have_text("You laid down Sea")
    ada.hears("You get Whale from Teun. You go on. You lay down Sea: Whale, Octopus, Crab, Shark. One family.")
    ada.until(lambda: flights.evaluate("seen => seen.join()") == ("card,done" if motion != "reduce" else ""), "flights")
    expect(ada.page.locator("#flights > *")).to_have_count(0)


@rule("K-VIEW-1")
def test_who_watches_sees_families_and_questions_and_no_hand(stage: Stage, visit: Visitor) -> None:
    page = _at(stage, visit, lambda: scenes.watched(kwartet.late())).page
    expect(page.locator(".done")).to_have_count(4)
    expect(page.locator(".families")).to_have_count(0)
    expect(page.locator(".talk")).to_contain_text("Teun asked Ada for")
    expect(page.locator(".player")).to_have_count(6)


def test_a_question_of_others_is_said_once_and_again_by_the_key(stage: Stage, visit: Visitor) -> None:
    ada = _at(stage, visit, kwartet.ordinary)
    asked = {"by": 1, "to": 3, "card": kwartet.card("A/S"), "given": False}
    public, _ = kwartet.ordinary(3)
    public["asks"] = [*list(public["asks"]), asked] if isinstance(public["asks"], list) else []
    own = kwartet.mine(public, kwartet.cards("Q/S", "Q/C", "Q/D"))
    stage.show(public, own, [{"type": "asked", **asked}, {"type": "turn", "seat": 3}])
    words = "Mila asks Teun for the ace of spades. No. Teun’s turn."
    ada.hears(words)
    ada.page.keyboard.press("l")
    ada.until(lambda: ada.heard().count(words) == 2, "the same again")


_WATCH = """() => {
    const seen = [];
    new MutationObserver((changes) => {
        for (const { addedNodes, target } of changes) for (const node of addedNodes)
            if (target.className === "kwflight") seen.push(node.className.split(" ")[0]);
    }).observe(document.getElementById("flights"), { childList: true, subtree: true });
    return seen;
}"""
