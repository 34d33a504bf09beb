"""Four people at four browsers play a whole game of Quatro against the real service."""

from functools import partial
from itertools import count

from playwright.sync_api import expect

from tests.rules import rule
from tests.web.conftest import Visitor
from tests.web.house import House
from tests.web.person import Frame, Person
from tests.web.play import QUIET, fill_with_bots

RULES = {**QUIET, "points to win": 2}

_TAP_AT = """at => void setTimeout(
    () => document.querySelector('[data-place="0"] .card').click(), at - Date.now())"""


@rule("Q-SWAP-3", "Q-SIGN-2", "Q-VOTE-1", "Q-CALL-1", "Q-COUNTER-3", "Q-WIN-1")
def test_four_people_play_a_whole_game(house: House, visit: Visitor) -> None:
    ada, cas, bo, dee = people = _seated(house, visit)
    _prepare(people)
    _contest(ada, cas)
    _signal(ada, bo, cas)
    _reshuffle(people)
    _collect(ada, people)
    bo.call("quatro")
    for person in people:
        expect(person.page.locator(".shout")).to_contain_text("rightly")
    expect(ada.page.locator(".four")).to_be_visible()
    expect(cas.page.locator('.score [data-score="0"]')).to_have_text("1")

    _next_round(people)
    _wrong_counter(dee, people)
    expect(ada.page.locator('.score [data-score="0"]')).to_have_text("2")
    ada.page.keyboard.press("Escape")
    for person in people:
        person.page.get_by_role("button", name="See who won").click()
        expect(person.page.locator(".win h2")).to_have_text("Sun wins")
    expect(cas.page.get_by_text("Waiting for Ada.")).to_be_visible()
    ada.page.get_by_role("button", name="Play again").click()
    for person in people:
        expect(person.page.locator(".prep")).to_be_visible()


@rule("Q-TIME-1")
def test_a_round_that_nobody_stops_is_a_draw(house: House, visit: Visitor) -> None:
    ada = visit(house.url).come()
    ada.lay({"^round, seconds": 5, "break, seconds": 600})
    fill_with_bots(ada, 3)
    ada.page.get_by_role("button", name="Start", exact=True).click()
    ada.ready()
    for _ in count():  # bots may call within the five seconds; then there is another round
        expect(ada.page.locator(".shout")).to_be_visible(timeout=20_000)
        if "Time is up" in ada.page.locator(".shout").inner_text():
            break
        ada.page.get_by_role("button", name="Next round").click()
        ada.ready()
    assert ada.public["last_round"]["how"] == "time"
    expect(ada.page.locator(".shout")).to_contain_text("Nobody scores")
    expect(ada.page.locator(".open .card").first).to_be_visible()


def _seated(house: House, visit: Visitor) -> tuple[Person, Person, Person, Person]:
    """Ada and Bo against Cas and Dee: seats 0 to 3 in the order in which they come."""
    ada = visit(house.url).come()
    code = ada.lay(RULES)
    cas, bo, dee = (visit(house.url, name).join(code) for name in ("Cas", "Bo", "Dee"))
    expect(ada.page.locator(".foot")).to_contain_text("All seats are taken. You can start.")
    ada.page.get_by_role("button", name="Start", exact=True).click()
    return ada, cas, bo, dee


def _prepare(people: tuple[Person, ...]) -> None:
    """Bo picks, Ada sees it at once; the others learn nothing; all are ready."""
    ada, cas, bo, _ = people
    bo.page.get_by_role("button", name="pineapple", exact=True).click()
    expect(ada.page.locator(".secret")).to_have_text("🍍")
    assert ada.own["sign"] == "🍍"
    assert cas.own["sign"] is None
    for person in people:
        expect(person.page.locator(".prep")).to_be_visible()
        person.ready()
    for person in people:
        expect(person.page.locator(".hand .card")).to_have_count(4)


def _contest(ada: Person, cas: Person) -> None:
    """Both aim at the card in place 0 at one instant: one has it, the other reads by whom and by how much."""
    for _ in range(20):
        pair = (ada, cas)
        for person in pair:
            person.card(person.hand[0]).click()
        before = [len(_verdicts(person)) for person in pair]
        at = ada.page.evaluate("Date.now() + 250")
        for person in pair:
            person.page.evaluate(_TAP_AT, at)
        for person, n in zip(pair, before, strict=True):
            person.until(lambda person=person, n=n: len(_verdicts(person)) > n, "a verdict")  # type: ignore[misc]
        lost = [person for person in pair if not _verdicts(person)[-1]["accepted"]]
        if lost:
            refused = _verdicts(lost[0])[-1]
            assert refused["refused"] == "card_gone"
            assert refused["lost_to"]["seat"] == (0 if lost[0] is cas else 1)
            lost[0].hears("faster. It cost you nothing.")
        for person in pair:
            person.page.keyboard.press("Escape")
        if lost:
            return
    raise AssertionError("twenty contests, and never were both under way at once")


def _verdicts(person: Person) -> list[Frame]:
    return [frame for frame in person.frames if frame["type"] == "verdict"]


def _signal(ada: Person, bo: Person, cas: Person) -> None:
    """Ada shows their sign on her channel; everyone sees the emoji, only Bo knows what it means."""
    ada.page.keyboard.press("t")
    expect(ada.page.get_by_role("button", name="Give back")).to_be_visible()
    ada.page.locator(".palette").get_by_role("button", name="rocket").click()
    expect(bo.page.locator(".partner .signal")).to_have_text("🚀")
    expect(cas.page.locator('[data-seat="0"] .signal')).to_have_text("🚀")
    ada.page.keyboard.press("s")
    ada.until(lambda: ada.own["emoji_next"] == "🍍" or ada.public["seats"][0]["channel"]["emoji"] == "🍍", "our sign")
    ada.page.keyboard.press("t")
    expect(bo.page.locator(".partner .signal")).to_have_count(0)


def _reshuffle(people: tuple[Person, ...]) -> None:
    """Cas asks, all agree; new hands for everyone."""
    _, cas, _, _ = people
    cas.page.get_by_role("button", name="Reshuffle").click()
    for person in people:
        if person is not cas:
            expect(person.page.locator(".vote")).to_contain_text("Cas: reshuffle all?")
            person.page.locator(".vote").get_by_role("button", name="Yes").click()
    for person in people:
        person.until(partial(_reshuffled, person), "the reshuffle")
        expect(person.page.get_by_text("reshuffled", exact=True).first).to_be_visible()


def _reshuffled(person: Person) -> bool:
    return bool(person.public["reshuffled"])


def _collect(ada: Person, people: tuple[Person, ...]) -> None:
    """Everyone puts down Ada's rank, and Ada takes it, until she holds four."""
    rank = max((card[:-1] for card in ada.hand), key=lambda one: sum(card[:-1] == one for card in ada.hand))
    for _ in range(40):
        wanted = [place for place, card in enumerate(ada.centre) if card[:-1] == rank]
        spare = [card for card in ada.hand if card[:-1] != rank]
        if not spare:
            return
        if wanted:
            ada.swap(spare[0], wanted[0])
            continue
        giver, card = next((p, c) for p in people if p is not ada for c in p.hand if c[:-1] == rank)
        giver.swap(card, 0)
        expect(ada.page.locator(f'[data-place="0"] [data-card="{card}"]')).to_be_visible()
    raise AssertionError("forty swaps, and no four")


def _next_round(people: tuple[Person, ...]) -> None:
    people[0].page.get_by_role("button", name="Next round").click()
    for person in people:
        person.ready()
    for person in people:
        expect(person.page.locator(".hand .card")).to_have_count(4)


def _wrong_counter(dee: Person, people: tuple[Person, ...]) -> None:
    """Nobody holds four at the deal (Q-DEAL-2), so Dee is wrong and the accused team scores."""
    dee.call("counter")
    for person in people:
        expect(person.page.locator(".shout")).to_contain_text("wrongly")
    expect(dee.page.locator(".nofour").first).to_be_visible()
