"""Every screen of Kwartet and of its packs: no fault that axe knows of, nothing wider than the screen or too small."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web import kwartet_scenes as kwartet
from tests.web import scenes
from tests.web.conftest import Visitor
from tests.web.house import House
from tests.web.looks import HIGHER, ODD, SIZES, SMALL, WIDER, accessible
from tests.web.stage import Stage
from tests.web.test_screens import Screen, show

_AT = ".kt, .kend, .kprep"


def _tap(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).first.click()


def _of(shows: str, scene: Callable[[], tuple[object, object]], then: Callable[[Page], None] | None = None) -> Screen:
    return Screen(shows, scene, then=then, before=_AT)


def _over() -> tuple[object, object]:
    return kwartet.over()


def _shared() -> tuple[object, object]:
    return kwartet.over(shared=True, left=("Bears",))


SCREENS = {
    "my turn": _of(".cell.can", kwartet.asking),
    "hole chosen": _of(".cell.sel", kwartet.asking, _tap(".cell.can")),
    "player chosen": _of(".player.picked", kwartet.asking, _tap(".whom")),
    "six players": _of(".asks", kwartet.late),
    "ordinary": _of(".cell.have", kwartet.ordinary),
    "ordinary, my turn": _of(".cell.can", lambda: kwartet.ordinary(0)),
    "two with a stock": _of(".stock", kwartet.two),
    "eight families": _of(".families.f8", kwartet.full),
    "no cards left": _of(".bare", kwartet.nobody_left),
    "watching": _of(".done", lambda: scenes.watched(kwartet.late())),
    "a card in full": _of("dialog .card.full", kwartet.asking, _tap('[data-card="Forest/Fox"]')),
    "families of a player": _of("dialog .done", kwartet.late, _tap(".sets")),
    "preparing": _of(".kprep .ftile", kwartet.preparing),
    "won": _of(".kend .fig", _over),
    "shared": _of(".kend .fig", _shared),
    "halted": _of(".halted", lambda: (kwartet.table(4, "stopped", turn=None, reason="record 812"), None)),
    "help": _of("dialog[open]", kwartet.asking, lambda page: page.keyboard.press("?")),
}
UNSCROLLED = ("my turn", "hole chosen", "player chosen", "ordinary", "ordinary, my turn", "no cards left")


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_is_whole_in_every_size_and_axe_finds_nothing(name: str, stage: Stage, visit: Visitor) -> None:
    _whole(show(SCREENS[name], stage, visit).page, unscrolled=name in UNSCROLLED)


@pytest.mark.parametrize("language", ["nl-BE", "fr-FR"])
@pytest.mark.parametrize("name", ["hole chosen", "six players", "ordinary", "preparing", "shared", "help"])
def test_a_screen_speaks_dutch_and_french(name: str, language: str, stage: Stage, visit: Visitor) -> None:
    page = show(SCREENS[name], stage, visit, locale=language, viewport={"width": 390, "height": 844}).page
    assert page.evaluate("document.documentElement.lang") == language[:2]
    assert page.evaluate(WIDER) <= 0


def test_the_pages_of_packs_are_whole_too(house: House, visit: Visitor) -> None:
    ada = visit(house.url)
    ada.reconnects = True  # a refused file is on the browser's console
    page = ada.come().page
    page.locator(".box", has_text="Kwartet").click()
    page.locator("summary").click()
    expect(page.locator(".house .rule").first).to_be_visible()
    _whole(page)
    page.locator(".packchoice").click()
    expect(page.locator(".packb").first).to_be_visible()
    _whole(page)
    page.get_by_role("button", name="Animals").click()
    expect(page.locator(".ftile").first).to_be_visible()
    _whole(page)
    page.get_by_role("button", name="Choose files").click()
    file: Any = {"name": "zoo.csv", "mimeType": "text/csv", "buffer": b"family,member\nZoo,Lion\nZoo,Lion\n"}
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("What do they call you?")).to_be_visible()
    page.locator("#f-packer").fill("Ada")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator(".src .bad").first).to_be_visible()
    _whole(page)


def _whole(page: Page, unscrolled: bool = False) -> None:
    for words, (width, height) in {**SIZES, **ODD}.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(WIDER) <= 0, f"{words}: wider than the screen"
        if words not in SIZES:
            continue
        assert page.evaluate(SMALL) == [], f"{words}: targets under 44 pixels"
        accessible(page, words, "light" if words == "phone" else "dark")
        if unscrolled:
            assert page.evaluate(HIGHER) <= 0, f"{words}: the table scrolls"
