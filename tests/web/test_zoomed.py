"""A page of few pixels, as zooming in makes it (WCAG 1.4.10): nothing is cut or covered, no screen scrolls sideways."""

import pytest

from tests.web.conftest import Visitor
from tests.web.looks import whole
from tests.web.screens import LOOKED_AT, SCREENS
from tests.web.stage import Stage
from tests.web.test_screens import show

NARROW = {"320 wide": (320, 640), "a laptop at 200 %": (640, 400), "a desk at 400 %": (320, 256)}


@pytest.mark.parametrize("name", LOOKED_AT)
def test_a_zoomed_page_is_read_whole_and_every_target_is_reached(name: str, stage: Stage, visit: Visitor) -> None:
    page = show(SCREENS[name], stage, visit).page
    for words, size in NARROW.items():
        whole(page, words, size)
