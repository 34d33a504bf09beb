"""`quartet up` as people have it: open tables are found, and a game outlives processes killed with -9 (C-06)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.local.installed import Up
from tests.rules import case
from tests.web.conftest import Visitor
from tests.web.person import Person
from tests.web.play import open_round


@pytest.fixture
def up(tmp_path: Path) -> Iterator[Up]:
    """The whole service, each part its own process."""
    running = Up(tmp_path / "data")
    try:
        yield running.ready()
    finally:
        running.stop()


@case("C-06")
@pytest.mark.parametrize("service", ["gateway-1", "table-1"])
def test_a_process_that_is_killed_costs_neither_seat_nor_hand(service: str, up: Up, visit: Visitor) -> None:
    ada = visit(f"http://127.0.0.1:{up.port}")
    ada.reconnects = True
    open_round(ada)
    ada.swap(ada.hand[0], 1)
    hand = ada.hand
    up.kill(service)
    expect(ada.page.locator("main.table:not(.off)")).to_be_visible(timeout=30_000)
    expect(ada.page.locator(".hand .card")).to_have_count(4)
    assert ada.hand == hand
    ada.until(lambda: _swapped(ada, hand), "a swap after the kill", 30)


def _swapped(ada: Person, hand: list[str]) -> bool:
    """Tries until one goes through: bots want the same cards."""
    if ada.hand != hand:
        return True
    ada.page.keyboard.press("Escape")
    ada.page.keyboard.press("1")
    ada.page.keyboard.press("q")
    ada.page.wait_for_timeout(500)
    return bool(ada.hand != hand)


def test_an_open_table_is_found_by_others_and_sat_down_at(up: Up, visit: Visitor) -> None:
    url = f"http://127.0.0.1:{up.port}"
    ada = visit(url).come()
    ada.lay(open=True)
    bo = visit(url, "Bo").come()
    bo.page.get_by_label("Your name").fill("Bo")
    bo.page.get_by_role("button", name="Sit: Quatro with Ada").click()
    expect(ada.page.locator(".named", has_text="Bo")).to_be_visible()
    expect(bo.page.locator(".chair")).to_have_count(4)
