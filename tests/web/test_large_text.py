"""Text twice as large, as a browser's own setting makes it: nothing is cut or covered, on a phone or on a desk."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.web.browser import chromium
from tests.web.conftest import Visitor
from tests.web.looks import SIZES, accessible, whole
from tests.web.screens import LOOKED_AT, SCREENS
from tests.web.stage import Stage
from tests.web.test_screens import show


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser whose owner has set letters of twice the usual size."""
    large = ["--no-sandbox", "--blink-settings=defaultFontSize=32"]
    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=chromium(), args=large)
        yield running
        running.close()


@pytest.mark.parametrize("name", LOOKED_AT)
def test_text_of_twice_the_size_is_read_whole_and_every_target_is_reached(
    name: str, stage: Stage, visit: Visitor
) -> None:
    page = show(SCREENS[name], stage, visit).page
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    for words, size in SIZES.items():
        whole(page, words, size)
    accessible(page, "large text", "light")
