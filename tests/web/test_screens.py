"""Every screen as hand-written views give it: no fault that axe knows of, nothing cut, nothing too small."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web import scenes
from tests.web.conftest import Visitor
from tests.web.looks import HIGHER, ODD, SIZES, SMALL, WIDER, accessible
from tests.web.person import Person
from tests.web.stage import Stage


@dataclass(frozen=True)
class Screen:
    """A screen: where it is, what is shown there, what is done then, and what stands there when it is reached."""

    shows: str
    scene: Callable[[], tuple[object, object]] = scenes.playing4
    path: str = f"/#{scenes.TABLE}"
    then: Callable[[Page], object] | None = None
    before: str = ".hand, .next, .win"
    join: tuple[int, dict[str, Any]] = (404, {"code": "no_such_code"})


def _asked(**more: object) -> tuple[int, dict[str, Any]]:
    table = {"table_id": scenes.TABLE, "code": "TULP7", "game": "quatro", "seats": 4, "free": 2, "taken": 2}
    return 200, {**table, "phase": "seating", "round": 0, "host": "Ada", "private": True, **more}


def _last_icon(page: Page) -> None:
    page.locator(".top .icon").last.click()


def _menu(page: Page) -> None:
    page.get_by_role("button", name="Menu").click()


SCREENS = {
    "start": Screen(".boxes .box", path="/"),
    "house rules": Screen(".house .rule", path="/", before=".seg", then=lambda page: page.locator("summary").click()),
    "name missing": Screen(".fault:not(:empty)", path="/", before=".seg", then=lambda page: _no_name(page)),
    "asked to sit": Screen(".asked form, form.asked", path="/?join=TULP7", join=_asked()),
    "full": Screen(".asked h1", path="/?join=TULP7", join=_asked(free=0, taken=4, phase="playing")),
    "over": Screen(".asked h1", path="/?join=TULP7", join=_asked(free=0, taken=4, phase="over")),
    "unknown": Screen(".asked h1", path="/?join=TULP8"),
    "lobby 4": Screen(".chair", lambda: scenes.seating(4)),
    "lobby 6": Screen(".chair", lambda: scenes.seating(6, 2)),
    "lobby 8": Screen(".chair", lambda: scenes.seating(8, 3)),
    "sign": Screen(".wall", lambda: scenes.preparing(4)),
    "sign set": Screen(".secret .emoji", lambda: scenes.preparing(8, "🍍")),
    "playing 4": Screen(".hand"),
    "playing 6": Screen(".hand", lambda: scenes.playing(6)),
    "playing 8": Screen(".hand", lambda: scenes.playing(8)),
    "selected": Screen(".card.sel", then=lambda page: page.locator('[data-slot="2"] .card').click()),
    "vote": Screen(".vote", scenes.voting),
    "which team": Screen(".team-sheet", lambda: scenes.playing(8), then=lambda page: page.locator(".counter").click()),
    "own four": Screen(".own4", scenes.own_four, then=lambda page: page.locator(".call.quatro").click()),
    "watching": Screen(".watchstrip", lambda: scenes.watched(scenes.playing(4))),
    "stop": Screen(".next .btn", lambda: scenes.stopped(4)),
    "stop 6": Screen(".next .btn", lambda: scenes.stopped(6, "counter")),
    "stop 8": Screen(".next .btn", lambda: scenes.stopped(8)),
    "draw": Screen(".shout.draw", lambda: scenes.stopped(4, "time")),
    "win": Screen(".win", lambda: scenes.stopped(4, "call", "over")),
    "halted": Screen(".halted", lambda: (scenes.table(4, "stopped", reason="record 812"), scenes.mine("stopped"))),
    "menu": Screen("dialog[open]", then=_menu),
    "help": Screen("dialog[open]", then=lambda page: page.keyboard.press("?")),
}


def _no_name(page: Page) -> None:
    page.get_by_label("Your name").fill("")
    page.get_by_role("button", name="Set the table").click()


def show(screen: Screen, stage: Stage, visit: Visitor, **how: Any) -> Person:
    """Someone before that screen."""
    stage.scene, stage.join = screen.scene, screen.join
    stage.tables = [_asked(free=1, taken=3)[1], _asked(free=0, taken=4, phase="playing", round=3)[1]]
    stage.tables[1]["table_id"] = scenes.TABLE[:-1] + "8"
    person = visit(stage.url, **how)
    person.reconnects = True  # unknown codes and closed sockets are on the browser's console
    person.page.add_init_script(_ME)
    person.come(screen.path)
    expect(person.page.locator("main").first).to_be_visible()
    if screen.then is not None:
        expect(person.page.locator(screen.before).first).to_be_visible()
        screen.then(person.page)
    expect(person.page.locator(screen.shows).first).to_be_visible()
    return person


_ME = "localStorage.setItem('quartet.me', JSON.stringify({name: 'Ada', player: 'p0', token: 'stage'}))"


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_is_whole_in_every_size_and_axe_finds_nothing(name: str, stage: Stage, visit: Visitor) -> None:
    page = show(SCREENS[name], stage, visit).page
    for words, (width, height) in {**SIZES, **ODD}.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(WIDER) <= 0, f"{words}: wider than the screen"
        if words in SIZES:
            assert page.evaluate(SMALL) == [], f"{words}: targets under 44 pixels"
            accessible(page, words, "light" if words == "phone" else "dark")
        if name in PLAYED:
            assert page.evaluate(HIGHER) <= 0, f"{words}: the table scrolls"
        if name.startswith("playing"):
            assert page.evaluate(_COVERED) == [], f"{words}: covered or cut"


@pytest.mark.parametrize("language", ["nl-BE", "fr-FR"])
@pytest.mark.parametrize("name", ["start", "lobby 8", "sign", "playing 8", "vote", "stop 6", "win", "menu", "help"])
def test_a_screen_speaks_dutch_and_french(name: str, language: str, stage: Stage, visit: Visitor) -> None:
    screen = (
        SCREENS[name]
        if name != "menu"
        else replace(SCREENS[name], then=lambda page: page.locator(".top .icon").last.click())
    )
    page = show(screen, stage, visit, locale=language, viewport={"width": 390, "height": 844}).page
    assert page.evaluate("document.documentElement.lang") == language[:2]
    assert page.evaluate(WIDER) <= 0


@pytest.mark.parametrize("n", [4, 8])
def test_names_of_24_wide_letters_make_no_screen_wider_and_cover_no_card(n: int, stage: Stage, visit: Visitor) -> None:
    def wide() -> tuple[object, object]:
        public, own = scenes.playing(n)
        for seat in public["seats"]:  # type: ignore[attr-defined]
            seat["name"] = 24 * "W"
        return public, own

    for width, height in ((320, 568), (390, 664), (1280, 680)):
        size = {"width": width, "height": height}
        page = show(Screen(".hand", wide), stage, visit, viewport=size).page
        assert page.evaluate(WIDER) <= 0, f"{width}: wider than the screen"
        if width > 320:
            assert page.evaluate(_COVERED) == [], f"{width}: covered or cut"


PLAYED = ("playing 4", "playing 6", "playing 8", "watching", "vote")
_COVERED = """() => [
    ...document.querySelectorAll(".hand .card, .centre .card, .partner .signal, .call"),
].filter((one) => {
    const box = one.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const inside = box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
    return !inside || !(one.contains(top) || top?.contains(one));
}).map((one) => one.className)"""
