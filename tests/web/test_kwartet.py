"""Kwartet in the browser, against the real service: with a pack of one's own, by keyboard alone, on a phone."""

import json
import re
from typing import Any

from playwright.sync_api import expect

from tests.rules import rule
from tests.web.conftest import Visitor
from tests.web.house import House
from tests.web.person import Person
from tests.web.play import fill_with_bots, start

OWN = {
    "Forest": ("Fox", "Owl", "Deer", "Boar"),
    "Sea": ("Crab", "Shark", "Whale", "Octopus"),
    "Farm": ("Cow", "Pig", "Sheep", "Goat"),
    "Pond": ("Swan", "Frog", "Duck", "Newt"),
}
CSV = "family,member\n" + "".join(f"{family},{member}\n" for family, four in OWN.items() for member in four)
FAULTY = CSV.replace("Pond,Newt\n", "") + "Zoo,<b>Lion</b>\nZoo,Fox\nZoo,Tiger\nZoo,Bear\n"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

Card = dict[str, str]


@rule("K-PACK-5", "K-ASK-3", "K-ASK-4", "K-ASK-5", "K-ASK-6", "K-SET-1", "K-END-1", "K-VIEW-1")
def test_three_people_play_with_an_own_pack_to_its_end(house: House, visit: Visitor) -> None:
    ada, mila, noor = people = _seated(house, visit)
    for person in people:
        expect(person.page.locator(".kprep h2")).to_have_text("My animals")
        person.ready()
    for person in people:
        expect(person.page.locator(".kt")).to_be_visible()
        expect(person.page.locator(".cell.have")).to_have_count(len(person.own["hand"]))
    _miss(people)
    _to_the_end(people)
    for person in people:
        expect(person.page.locator(".kend h2")).to_contain_text("win")
        expect(person.page.locator(".kend .set")).to_have_count(len(OWN))
    assert sum(ada.public["points"]) == len(OWN)
    expect(mila.page.get_by_text("Waiting for Ada.")).to_be_visible()
    assert "lays down" in noor.heard() or "lay down" in noor.heard()
    ada.page.get_by_role("button", name="Play again").click()
    expect(noor.page.locator(".kprep")).to_be_visible()


@rule("K-PACK-3")
def test_every_fault_of_a_file_stands_under_its_line_and_nothing_is_loaded(house: House, visit: Visitor) -> None:
    ada = visit(house.url)
    ada.reconnects = True  # a refused file is on the browser's console
    ada.come()
    _choose_kwartet(ada)
    _load(ada, "zoo.csv", FAULTY)
    page = ada.page
    expect(page.locator("h1")).to_have_text("Three things to mend in “Zoo”")
    faulty = page.locator(".src .bad")
    expect(faulty).to_have_count(3)
    expect(faulty.nth(0)).to_contain_text("Pond,Swan")
    expect(faulty.nth(0)).to_contain_text("“Pond” has three members. A family needs four.")
    expect(faulty.nth(1)).to_contain_text("A name can’t hold markup.")
    expect(faulty.nth(2)).to_contain_text("“Fox” is already on line 2.")
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".packb", has_text="Composers")).to_be_visible()
    assert page.locator(".packb", has_text="Zoo").count() == 0
    _load(ada, "notes.json", '{"name": 1}')
    expect(page.locator(".why").first).to_be_visible()


def test_a_pack_can_be_dropped_and_a_shipped_one_be_looked_into(house: House, visit: Visitor) -> None:
    ada = visit(house.url).come()
    _choose_kwartet(ada)
    page = ada.page
    page.get_by_role("button", name="Composers").click()
    expect(page.locator(".ftile")).to_have_count(8)
    expect(page.locator(".inside")).to_contain_text("Sources:")
    page.evaluate(_DROP, ["dropped-pack.csv", CSV])
    expect(page.locator("h1")).to_have_text("Dropped pack")
    expect(page.locator(".ftile")).to_have_count(len(OWN))
    page.get_by_role("button", name="Play with it").click()
    expect(page.locator(".packchoice")).to_contain_text("Dropped pack")


@rule("K-VAR-2")
def test_the_game_is_laid_and_played_by_keyboard_alone(house: House, visit: Visitor) -> None:
    ada = visit(house.url).come()
    keys = ada.page.keyboard
    expect(ada.page.locator(".seg").first).to_be_visible()
    _tab_to(ada, "#f-name")
    keys.type("Ada")
    _tab_to(ada, ".box:nth-child(2)")
    keys.press("Enter")
    _tab_to(ada, ".opts > .seg input")
    for _ in range(2):  # from 4 seats to 2
        keys.press("ArrowLeft")
    _tab_to(ada, ".packchoice")
    keys.press("Enter")
    _tab_to(ada, ".packb.on")
    keys.press("Enter")
    _tab_to(ada, ".chosen .btn")
    keys.press("Enter")
    _tab_to(ada, "#f-table")
    keys.press("Enter")
    expect(ada.page.locator(".chair")).to_have_count(2)
    code = (ada.page.locator(".code").get_attribute("aria-label") or "").replace(" ", "")
    mila = visit(house.url, "Mila").join(code)
    expect(ada.page.locator(".foot .main")).to_have_attribute("aria-disabled", "false")
    _tab_to(ada, ".foot .main")
    keys.press("Enter")
    expect(ada.page.locator(".kprep")).to_be_visible()
    keys.press("d")
    mila.ready()
    expect(ada.page.locator(".askbar")).to_be_visible()
    _play_by_keys(ada, mila)


def _play_by_keys(ada: Person, mila: Person) -> None:
    keys = ada.page.keyboard
    while ada.public["turn"] != 0:  # Mila asks until she misses
        _ask(mila, 0, _wrong(mila, ada))
    expect(ada.page.locator("h1.turn")).to_have_text("Your turn")
    ada.hears("Your turn.")
    keys.press("h")
    ada.hears("missing")
    keys.press("ArrowDown")
    for n in range(60):  # right and down through the hand, now and then back
        if ada.page.evaluate("document.activeElement.matches('.cell.can')"):
            break
        keys.press("ArrowLeft" if n % 9 == 8 else "ArrowRight" if n % 5 else "ArrowDown")
    keys.press("Enter")
    expect(ada.page.locator(".cell.sel")).to_have_count(1)
    keys.press("Escape")
    expect(ada.page.locator(".cell.sel")).to_have_count(0)
    keys.press("Enter")
    keys.press("1")
    ada.until(lambda: any(one["by"] == 0 for one in ada.public["asks"]), "my question")
    mila.hears("Ada asks you for")
    keys.press("l")
    ada.hears("Mila")
    keys.press("?")
    expect(ada.page.get_by_role("dialog")).to_contain_text("player, clockwise from my left")
    keys.press("Escape")
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    _peek_by_keys(ada)


def _peek_by_keys(ada: Person) -> None:
    """Enter on a card that is held shows it in full; Escape gives the focus back to it."""
    held = ada.page.locator(".cell.have").first
    held.focus()
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator("dialog .card.full")).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator("dialog")).to_have_count(0)
    expect(held).to_be_focused()


@rule("K-ASK-6")
def test_no_other_hand_is_in_frames_or_page_or_memory(house: House, visit: Visitor) -> None:
    ada = visit(house.url).come()
    code = _lay(ada, 4)
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
    _miss(people)
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


@rule("K-TIME-1")
def test_a_turn_that_runs_out_is_said_and_moves_on(house: House, visit: Visitor) -> None:
    ada = visit(house.url).come()
    code = _lay(ada, 2, {"turn, seconds": 5})
    mila = visit(house.url, "Mila").join(code)
    start(ada)
    for person in (ada, mila):
        person.ready()
    slow, other = (ada, mila) if _turn(ada) == 0 else (mila, ada)
    expect(slow.page.locator("h1.turn")).to_have_text("Your turn")
    expect(slow.page.locator(".clock")).to_have_class(re.compile("last"))
    expect(other.page.locator(".talk")).to_contain_text(f"{slow.name} ran out of time", timeout=20_000)
    other.hears("ran out of time. Your turn.")


def test_bots_play_with_a_person_on_a_phone(house: House, visit: Visitor) -> None:
    ada = visit(house.url, **PHONE).come()
    _lay(ada, 3, {"turn, seconds": 0})
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


def _seated(house: House, visit: Visitor) -> tuple[Person, Person, Person]:
    """Ada lays a table with a pack of her own; Mila comes by the link, Noor by the link and on a phone."""
    ada = visit(house.url).come()
    ada.page.get_by_label("Your name").fill("Ada")
    _choose_kwartet(ada)
    _load(ada, "my-animals.csv", CSV)
    expect(ada.page.locator(".ftile")).to_have_count(len(OWN))
    ada.page.get_by_role("button", name="Play with it").click()
    code = ada.lay({"turn, seconds": 0, "preparing, seconds": 600}, seats=3)
    mila, noor = visit(house.url, "Mila").join(code), visit(house.url, "Noor", **PHONE).join(code)
    start(ada)
    return ada, mila, noor


def _choose_kwartet(ada: Person) -> None:
    ada.page.get_by_label("Your name").fill("Ada")
    ada.page.locator(".box", has_text="Kwartet").click()
    ada.page.locator(".packchoice").click()
    expect(ada.page.locator(".packb").first).to_be_visible()


def _lay(ada: Person, seats: int, rules: dict[str, float] | None = None) -> str:
    ada.page.locator(".box", has_text="Kwartet").click()
    return ada.lay(rules, seats)


def _load(ada: Person, name: str, text: str) -> None:
    kind = "application/json" if name.endswith("json") else "text/csv"
    file: Any = {"name": name, "mimeType": kind, "buffer": text.encode()}
    ada.page.locator("input[type=file]").set_input_files(file)


def _turn(person: Person) -> int:
    person.until(lambda: person.public["phase"] == "playing", "the deal")
    return int(person.public["turn"])


def _ask(person: Person, to: int, card: Card) -> None:
    """A tap on the hole, a tap on the player; waits for the answer at the table."""
    before = len([frame for frame in person.frames if frame["type"] == "verdict"])
    hole = person.page.locator(f'.cell[data-card="{card["family"]}/{card["member"]}"]')
    hole.click()
    expect(hole).to_have_attribute("aria-pressed", "true")
    person.page.locator(".askbar .btn", has_text=person.public["seats"][to]["name"]).click()
    person.until(lambda: len([f for f in person.frames if f["type"] == "verdict"]) > before, "the verdict")
    last = next(frame for frame in reversed(person.frames) if frame["type"] == "verdict")
    assert last["accepted"], last


def _holds(person: Person, card: Card) -> bool:
    return card in person.own["hand"]


def _wrong(person: Person, other: Person) -> Card:
    """A card that the other does not hold, if there is one."""
    cards: list[Card] = person.own["can_ask"][0]["cards"]
    return next((card for card in cards if not _holds(other, card)), cards[0])


def _until_turn(person: Person, turn: int) -> None:
    person.until(lambda: person.public["turn"] == turn, f"the turn of seat {turn}")


def _until_more(person: Person, asks: object) -> None:
    person.until(lambda: person.public["asks"] != asks, "another question")


def _on_turn(people: tuple[Person, ...]) -> tuple[Person, int]:
    """Who is on turn, as all of them have come to know."""
    turn = _turn(people[0])
    for person in people:
        _until_turn(person, turn)
    return people[turn], turn


def _miss(people: tuple[Person, ...]) -> None:
    """A question that is answered with no: nothing moves, and the turn is the asked player's (K-ASK-5)."""
    asker, _ = _on_turn(people)
    to, card = next(
        (one["seat"], card) for one in asker.own["can_ask"] for card in one["cards"]
        if not _holds(people[one["seat"]], card)
    )  # fmt: skip
    hand = asker.own["hand"]
    _ask(asker, to, card)
    for person in people:
        expect(person.page.locator(".talk .answer").first).to_have_text("No")
        _until_turn(person, to)
    expect(people[to].page.locator("h1.turn")).to_have_text("Your turn")
    assert asker.own["hand"] == hand


def _to_the_end(people: tuple[Person, ...]) -> None:
    """Whoever is on turn asks for what they know another to hold."""
    for _ in range(200):
        if people[0].public["phase"] != "playing":
            return
        asker, _ = _on_turn(people)
        known = [
            (one["seat"], card) for one in asker.own["can_ask"] for card in one["cards"]
            if _holds(people[one["seat"]], card)
        ]  # fmt: skip
        asks = asker.public["asks"]
        to, card = known[0]
        _ask(asker, to, card)
        for person in people:
            _until_more(person, asks)
        if people[0].public["phase"] == "playing":
            expect(people[to].page.locator(".talk .answer").first).to_have_text("Given")
    raise AssertionError("two hundred questions, and no end")


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

_DROP = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name, { type: "text/csv" }));
    document.querySelector(".drop").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
}"""

_FOCUS = """() => {
    const style = getComputedStyle(document.activeElement);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 1;
}"""


def _tab_to(person: Person, selector: str) -> None:
    """Tab until something has the focus, which must be seen there."""
    for _ in range(60):
        person.page.keyboard.press("Tab")
        if person.page.evaluate("one => document.activeElement?.matches(one)", selector):
            assert person.page.evaluate(_FOCUS) or "seg" in selector, "focus that can't be seen"
            return
    raise AssertionError(f"no way to {selector} by Tab")
