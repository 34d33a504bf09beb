"""A browser, a house or a stage for a file, and people who come to it."""

from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from services.gateway.web.build import setup
from tests.web.browser import chromium
from tests.web.disputed import ADA, Disputed, played
from tests.web.house import House, furnished
from tests.web.person import Person
from tests.web.stage import Stage, staged

Visitor = Callable[..., Person]
Enter = Callable[..., Person]
PATIENCE_MS = 15_000
expect.set_options(timeout=PATIENCE_MS)  # a machine that tests much at once is slow
_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Marks a failed test, so that what stood on the screens can be shown."""
    report = yield
    item.stash[_FAILED] = report.failed
    return report


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, headless. A file's, since playwright keeps a loop running in this thread as long as it is there."""
    executable = chromium()
    assert setup() == 0, "the client's parts can't be had"
    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture(scope="module")
def house(browser: Browser) -> Iterator[House]:
    """A real service."""
    with furnished() as house:
        yield house


@pytest.fixture(scope="module")
def stage(browser: Browser) -> Iterator[Stage]:
    """Hand-written frames."""
    with staged() as stage:
        yield stage


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """Opens pages for people; afterwards nothing may have gone wrong in any of them."""
    people: list[Person] = []

    def come(url: str, name: str = "Ada", **how: Any) -> Person:
        settings = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "reduced_motion": "reduce"}
        context = browser.new_context(**{**settings, **how})
        context.set_default_timeout(PATIENCE_MS)
        person = Person(context.new_page(), url, name)
        people.append(person)
        return person

    yield come
    if request.node.stash.get(_FAILED, False):
        for person in people:
            print(f"--- {person.name} saw:\n{person.text()}")
    faults = {person.name: person.faults for person in people if person.faults}
    for person in people:
        person.page.context.close()
    assert faults == {}


@pytest.fixture(scope="module")
def dispute(house: House) -> Disputed:
    """A round with two races."""
    return played(house.url)


@pytest.fixture
def enter(dispute: Disputed, visit: Visitor) -> Enter:
    """Someone who played a round (that with two races, if no other is named) looks at it."""

    def come(who: int = ADA, path: str = "", of: Disputed = dispute, **how: Any) -> Person:
        person = visit(of.url, of.people[who]["name"], **how)
        person.page.add_init_script(of.me(who))
        return person.come(path or of.path)

    return come
