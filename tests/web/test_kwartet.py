"""Kwartet in the browser, against the real service: with a pack of one's own, to its end, by the clock, with bots."""

from playwright.sync_api import expect

from tests.rules import rule
from tests.web.conftest import Visitor
from tests.web.house import House
from tests.web.kwartet_play import PHONE, lay, miss, seated, to_the_end
from tests.web.packs import OWN
from tests.web.play import fill_with_bots, start


@rule("K-PACK-5", "K-ASK-3", "K-ASK-4", "K-ASK-5", "K-ASK-6", "K-SET-1", "K-END-1", "K-VIEW-1")
def test_three_people_play_with_an_own_pack_to_its_end(house: House, visit: Visitor) -> None:
    ada, mila, noor = people = seated(house, visit)
    for person in people:
        expect(person.page.locator(".kprep h2")).to_have_text("My animals")
        person.ready()
    for person in people:
        expect(person.page.locator(".kt")).to_be_visible()
        expect(person.page.locator(".cell.have")).to_have_count(len(person.own["hand"]))
    miss(people)
    to_the_end(people)
    for person in people:
        expect(person.page.locator(".kend h2")).to_contain_text("win")
        expect(person.page.locator(".kend .set")).to_have_count(len(OWN))
    assert sum(ada.public["points"]) == len(OWN)
    expect(mila.page.get_by_text("Waiting for Ada.")).to_be_visible()
    assert "lays down" in noor.heard() or "lay down" in noor.heard()
    ada.page.get_by_role("button", name="Play again").click()
    expect(noor.page.locator(".kprep")).to_be_visible()


@rule("K-TIME-1")
def test_a_turn_that_runs_out_is_said_and_moves_on(house: House, visit: Visitor) -> None:
    ada = visit(house.url).come()
    code = lay(ada, 2, {"turn, seconds": 5, "preparing, seconds": 600})
    mila = visit(house.url, "Mila").join(code)
    start(ada)
    people = (ada, mila)
    for person in people:
        person.ready()

    def out() -> list[int]:
        heard = [news for frame in ada.frames for news in frame.get("news", [])]
        return [news["seat"] for news in heard if news["type"] == "timeout"]

    ada.until(lambda: out() != [], "a turn to run out", seconds=60)
    slow, other = people[out()[0]], people[1 - out()[0]]
    expect(other.page.locator("aside.record")).to_contain_text(f"{slow.name} ran out of time")
    other.hears(f"{slow.name} ran out of time. Your turn.")
    slow.hears(f"Your time ran out. {other.name}’s turn.")


def test_bots_play_with_a_person_on_a_phone(house: House, visit: Visitor) -> None:
    ada = visit(house.url, **PHONE).come()
    lay(ada, 3, {"turn, seconds": 0, "preparing, seconds": 600})
    fill_with_bots(ada, 2)
    start(ada)
    ada.ready()
    page = ada.page
    expect(page.locator(".askbar")).to_be_visible()
    assert page.locator(".clock:visible").count() == 0
    for _ in range(4):
        ada.until(lambda: ada.public["turn"] in (0, None), "my turn, or the end", seconds=60)
        if ada.public["turn"] is None or ada.public["phase"] != "playing":
            break
        page.locator(".cell.can").first.tap()
        expect(page.locator(".askbar .btn.main").first).to_be_visible()
        page.locator(".askbar .btn.main").first.tap()
        expect(page.locator(".cell.sel")).to_have_count(0)
    page.locator(".talk .all").tap()
    expect(page.get_by_role("dialog")).to_contain_text("What was asked")
