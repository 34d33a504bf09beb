"""People at a table of Kwartet: laying it, asking, missing, playing to the end."""

from playwright.sync_api import expect

from tests.web.conftest import Visitor
from tests.web.house import House
from tests.web.packs import CSV, OWN, choose_kwartet, load
from tests.web.person import Person
from tests.web.play import start

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

Card = dict[str, str]


def seated(house: House, visit: Visitor) -> tuple[Person, Person, Person]:
    """Ada lays a table with a pack of her own; Mila comes by the link, Noor by the link and on a phone."""
    ada = visit(house.url).come()
    ada.page.get_by_label("Your name").fill("Ada")
    choose_kwartet(ada)
    load(ada, "my-animals.csv", CSV)
    expect(ada.page.locator(".ftile")).to_have_count(len(OWN))
    ada.page.get_by_role("button", name="Play with it").click()
    code = ada.lay({"turn, seconds": 0, "preparing, seconds": 600}, seats=3)
    mila, noor = visit(house.url, "Mila").join(code), visit(house.url, "Noor", **PHONE).join(code)
    start(ada)
    return ada, mila, noor


def lay(ada: Person, seats: int, rules: dict[str, float] | None = None) -> str:
    """Lays a table of Kwartet; gives its code."""
    ada.page.locator(".box", has_text="Kwartet").click()
    return ada.lay(rules, seats)


def turn_of(person: Person) -> int:
    """Whose turn it is, once the cards are dealt."""
    person.until(lambda: person.public["phase"] == "playing", "the deal")
    return int(person.public["turn"])


def ask(person: Person, to: int, card: Card) -> None:
    """A tap on the hole, a tap on the player; waits for the answer at the table."""
    before = len([frame for frame in person.frames if frame["type"] == "verdict"])
    hole = person.page.locator(f'.cell[data-card="{card["family"]}/{card["member"]}"]')
    hole.click()
    expect(hole).to_have_attribute("aria-pressed", "true")
    person.page.locator(".askbar .btn", has_text=person.public["seats"][to]["name"]).click()
    person.until(lambda: len([f for f in person.frames if f["type"] == "verdict"]) > before, "the verdict")
    last = next(frame for frame in reversed(person.frames) if frame["type"] == "verdict")
    assert last["accepted"], last


def holds(person: Person, card: Card) -> bool:
    """Whether a card is in a hand."""
    return card in person.own["hand"]


def wrong(person: Person, other: Person) -> Card:
    """A card that the other does not hold, if there is one."""
    cards: list[Card] = person.own["can_ask"][0]["cards"]
    return next((card for card in cards if not holds(other, card)), cards[0])


def until_turn(person: Person, turn: int) -> None:
    """Waits until a seat is on turn."""
    person.until(lambda: person.public["turn"] == turn, f"the turn of seat {turn}")


def _until_more(person: Person, asks: object) -> None:
    person.until(lambda: person.public["asks"] != asks, "another question")


def on_turn(people: tuple[Person, ...]) -> tuple[Person, int]:
    """Who is on turn, as all of them have come to know."""
    turn = turn_of(people[0])
    for person in people:
        until_turn(person, turn)
    return people[turn], turn


def miss(people: tuple[Person, ...]) -> None:
    """A question that is answered with no: nothing moves, and the turn is the asked player's (K-ASK-5)."""
    asker, _ = on_turn(people)
    to, card = next(
        (one["seat"], card) for one in asker.own["can_ask"] for card in one["cards"]
        if not holds(people[one["seat"]], card)
    )  # fmt: skip
    hand = asker.own["hand"]
    ask(asker, to, card)
    for person in people:
        expect(person.page.locator(".talk .answer").first).to_have_text("No")
        until_turn(person, to)
    expect(people[to].page.locator("h1.turn")).to_have_text("Your turn")
    assert asker.own["hand"] == hand


def to_the_end(people: tuple[Person, ...]) -> None:
    """Whoever is on turn asks for what they know another to hold."""
    for _ in range(200):
        if people[0].public["phase"] != "playing":
            return
        asker, _ = on_turn(people)
        known = [
            (one["seat"], card) for one in asker.own["can_ask"] for card in one["cards"]
            if holds(people[one["seat"]], card)
        ]  # fmt: skip
        asks = asker.public["asks"]
        to, card = known[0]
        ask(asker, to, card)
        for person in people:
            _until_more(person, asks)
        if people[0].public["phase"] == "playing":
            expect(people[to].page.locator(".talk .answer").first).to_have_text("Given")
    raise AssertionError("two hundred questions, and no end")
