"""What a seat of Kwartet may not know never reaches its page: not in a frame, not in memory (C-11)."""

import json

from playwright.sync_api import expect

from tests.rules import rule
from tests.web.conftest import Visitor
from tests.web.house import House
from tests.web.kwartet_play import Card, lay, miss
from tests.web.person import Person
from tests.web.play import start


@rule("K-ASK-6")
def test_no_other_hand_is_in_frames_or_page_or_memory(house: House, visit: Visitor) -> None:
    ada = visit(house.url).come()
    code = lay(ada, 4, {"turn, seconds": 0, "preparing, seconds": 600})
    people = (ada, *(visit(house.url, name).join(code) for name in ("Mila", "Noor", "Teun")))
    watcher = visit(house.url, "Eve").come(f"/?join={code}")
    watcher.page.get_by_role("button", name="Watch").click()
    start(ada)
    for person in people:
        person.ready()
    for person in people:
        expect(person.page.locator(".families, .bare").first).to_be_visible()
    expect(watcher.page.locator(".askbar")).to_contain_text("You are watching.")
    expect(watcher.page.locator(".cell.have")).to_have_count(4 * len(ada.public["exposed"]))
    miss(people)
    for person in (*people, watcher):
        asked = [one["card"] for one in person.public["asks"]]
        own = {} if person is watcher else person.own
        mine = [*own.get("hand", []), *(card for one in own.get("can_ask", []) for card in one["cards"])]
        families = {card["family"] for card in mine}
        for frame in person.frames:
            hidden = [card for card in _cards_in(frame) if card["family"] not in families and card not in asked]
            assert hidden == [], f"{person.name}: {frame}"
        known = _cards_in_memory(person)
        assert all(card in known for card in mine), "the search finds what must be there"
        for card in known:
            assert card["family"] in families or card in asked, f"{person.name} has {card} in memory"


def _cards_in(value: object) -> list[Card]:
    match value:
        case {"family": str() as family, "member": str() as member}:
            return [{"family": family, "member": member}]
        case dict():
            return [card for item in value.values() for card in _cards_in(item)]
        case list():
            return [card for item in value for card in _cards_in(item)]
        case _:
            return []


def _cards_in_memory(person: Person) -> list[Card]:
    """Every object on the page's heap that names a card, as the browser's own debugger finds it."""
    session = person.page.context.new_cdp_session(person.page)
    session.send("HeapProfiler.collectGarbage")
    proto = session.send("Runtime.evaluate", {"expression": "Object.prototype"})["result"]["objectId"]
    found = session.send("Runtime.queryObjects", {"prototypeObjectId": proto})["objects"]["objectId"]
    read = session.send(
        "Runtime.callFunctionOn", {"objectId": found, "functionDeclaration": _NAMED, "returnByValue": True}
    )
    cards: list[Card] = json.loads(read["result"]["value"])
    return cards


_NAMED = """function () {
    const cards = this.filter((one) => Object.hasOwn(one, "family") && Object.hasOwn(one, "member"));
    return JSON.stringify(cards.filter((one) => typeof one.member === "string" && typeof one.family === "string")
        .map(({ family, member }) => ({ family, member })));
}"""
