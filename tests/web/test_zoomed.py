"""A page of few pixels, as zooming in makes it (WCAG 1.4.10): nothing is cut or covered, no screen scrolls sideways."""

import pytest

from tests.web import test_kwartet_screens as kwartet
from tests.web import test_screens as quatro
from tests.web.conftest import Visitor
from tests.web.looks import whole
from tests.web.stage import Stage
from tests.web.test_screens import show

SCREENS = {**quatro.SCREENS, **{f"kwartet, {name}": screen for name, screen in kwartet.SCREENS.items()}}
NARROW = {"320 wide": (320, 640), "a laptop at 200 %": (640, 400), "a desk at 400 %": (320, 256)}


@pytest.mark.parametrize("name", SCREENS)
def test_a_zoomed_page_is_read_whole_and_every_target_is_reached(name: str, stage: Stage, visit: Visitor) -> None:
    page = show(SCREENS[name], stage, visit).page
    for words, size in NARROW.items():
        whole(page, words, size)
