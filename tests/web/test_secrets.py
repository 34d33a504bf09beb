"""What a seat may not know never reaches its page: not in a frame, not in the document, not in memory (C-11)."""

import json
from itertools import product
from typing import Any

from playwright.sync_api import expect

from shared.games.quatro.cards import deck
from tests.rules import case, rule
from tests.web.conftest import Visitor
from tests.web.house import House
from tests.web.person import Person
from tests.web.play import QUIET, start


@rule("Q-DEAL-4", "Q-SIGN-3")
@case("C-11")
def test_nothing_hidden_is_in_frames_or_page_or_memory(house: House, visit: Visitor) -> None:
    ada = visit(house.url).come()
    code = ada.lay(QUIET)
    people = (ada, *(visit(house.url, name).join(code) for name in ("Cas", "Bo", "Dee")))
    watcher = visit(house.url, "Noor").come(f"/?join={code}")
    expect(watcher.page.locator(".asked h1")).to_be_visible()
    watcher.page.get_by_role("button", name="Watch").click()
    start(ada)
    for person, sign in ((people[0], "pineapple"), (people[1], "ghost")):
        person.page.get_by_role("button", name=sign, exact=True).click()
    for person in people:
        person.page.reload()  # what the start page draws is gone from memory
    for person in people:
        person.ready()
    for person in people:
        expect(person.page.locator(".hand .card")).to_have_count(4)
    expect(watcher.page.locator(".watchstrip")).to_be_visible()
    for person in (*people, watcher):
        mine = set(person.hand) if person is not watcher else set()
        hidden = set(deck(4)) - mine - set(person.centre)
        _in_no_frame(person, hidden)
        assert [card for card in hidden if f'"{card}"' in json.dumps(person.page.content())] == []
        if person is not watcher:
            assert hidden & _strings_in_memory(person) == set()
    _signs_stay_in_their_team(people, watcher)


def _in_no_frame(person: Person, hidden: set[str]) -> None:
    for frame in person.frames:
        assert not hidden & set(_strings(frame)), f"{person.name}: {frame}"


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    items = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    return [text for item in items for text in _strings(item)]


def _strings_in_memory(person: Person) -> set[str]:
    """Every string on the page's heap, as the browser's own profiler sees it."""
    session = person.page.context.new_cdp_session(person.page)
    chunks: list[str] = []
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda part: chunks.append(part["chunk"]))
    session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    return set(json.loads("".join(chunks))["strings"])


def _signs_stay_in_their_team(people: tuple[Person, ...], watcher: Person) -> None:
    ada, cas, bo, dee = people
    assert ada.own["sign"] == bo.own["sign"] == "🍍"
    assert cas.own["sign"] == dee.own["sign"] == "👻"
    others = [*product((ada, bo), "👻"), *product((cas, dee), "🍍"), (watcher, "👻"), (watcher, "🍍")]
    assert [person.name for person, sign in others for frame in person.frames if sign in _strings(frame)] == []
