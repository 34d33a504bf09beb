"""A tab that nobody looked at, a phone that slept: the page is right again at once (C-07, C-24)."""

from playwright.sync_api import expect

from tests.rules import case
from tests.web import scenes
from tests.web.conftest import Visitor
from tests.web.person import Person
from tests.web.stage import Stage

_LOOK = """hidden => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
_FLIGHTS = """() => {
    window.flown = 0;
    new MutationObserver(() => { window.flown += 1; }).observe(document.getElementById("flights"), { childList: true });
}"""


def _at_the_table(stage: Stage, visit: Visitor) -> Person:
    """Ada, whose page's clock can be moved; it animates what is seen."""
    stage.scene = scenes.playing4
    stage.heard.clear()
    ada = visit(stage.url, reduced_motion="no-preference")
    ada.reconnects = True
    ada.page.clock.install()
    ada.come(f"/#{scenes.TABLE}")
    expect(ada.page.locator(".hand .card")).to_have_count(4)
    ada.page.evaluate(_FLIGHTS)
    return ada


def _hellos(stage: Stage) -> int:
    return sum(frame["type"] == "hello" for frame in stage.heard)


@case("C-24")
def test_a_tab_hidden_for_ten_minutes_calls_by_its_title_and_shows_now_when_it_is_seen(
    stage: Stage, visit: Visitor
) -> None:
    ada = _at_the_table(stage, visit)
    ada.page.evaluate(_LOOK, True)
    public, own = scenes.playing(4)
    public["centre"] = ["KC", "JH", "AS", "QD"]
    swap = {"type": "swap", "seat": 1, "place": 3, "given": "QD", "taken": "10D"}
    stage.show(public, own, [swap])
    expect(ada.page).to_have_title("• The round is open")
    stage.scene = lambda: scenes.stopped(4)
    stage.show(*scenes.stopped(4), [{"type": "quatro", "seat": 2, "team": 0, "right": True}])
    expect(ada.page).to_have_title("• Quatro!")
    expect(ada.page.locator(".shout")).to_be_attached()
    ada.page.clock.run_for(1000)  # the stop has begun
    ada.page.clock.fast_forward("10:00")
    ada.page.evaluate(_LOOK, False)
    expect(ada.page).to_have_title("Quatro · Quartet")
    expect(ada.page.locator(".shout")).to_contain_text("Bo called, rightly")
    expect(ada.page.locator(".team .pts").first).to_contain_text("3")
    assert ada.page.evaluate("window.flown") == 0


@case("C-07", "C-24")
def test_a_phone_that_slept_on_a_dead_socket_opens_another_and_shows_now(stage: Stage, visit: Visitor) -> None:
    ada = _at_the_table(stage, visit)
    stage.fall_silent()

    def later() -> tuple[object, object]:
        public, own = scenes.playing(4)
        own["hand"] = ["QS", "QD", "QH", "KH"]
        return public, own

    stage.scene = later
    ada.page.evaluate(_LOOK, True)
    ada.page.clock.fast_forward("10:00")
    ada.page.evaluate(_LOOK, False)
    ada.page.clock.run_for(4000)
    ada.until(lambda: _hellos(stage) == 2, "a second hello")
    expect(ada.card("QS")).to_be_visible()
    expect(ada.page.locator("main.table:not(.off)")).to_be_visible()
    assert ada.page.evaluate("window.flown") == 0


@case("C-24")
def test_a_socket_that_lives_is_kept_when_the_tab_is_seen_again(stage: Stage, visit: Visitor) -> None:
    ada = _at_the_table(stage, visit)
    pings = sum(frame["type"] == "ping" for frame in stage.heard)
    ada.page.evaluate(_LOOK, True)
    ada.page.evaluate(_LOOK, False)
    ada.until(lambda: sum(frame["type"] == "ping" for frame in stage.heard) > pings, "a ping")
    ada.until(lambda: ada.frames[-1]["type"] == "beat" and "t" in ada.frames[-1], "its answer")
    ada.page.clock.run_for(3000)
    assert _hellos(stage) == 1
