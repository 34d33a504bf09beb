"""Someone at a browser: what they do at a table, and what reached their page."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from playwright.sync_api import Locator, Page, WebSocket, expect

Frame = dict[str, Any]

_LISTEN = """window.heard = [];
new MutationObserver((changes) => {
    for (const { target } of changes) {
        if (target.parentElement?.id === "voices" && target.textContent) window.heard.push(target.textContent);
    }
}).observe(document, { subtree: true, childList: true });"""


class Person:
    """A page of its own context; every frame of its sockets and every fault is kept for the test."""

    def __init__(self, page: Page, url: str, name: str) -> None:
        self.page = page
        self.url = url
        self.name = name
        self.frames: list[Frame] = []
        self.sent: list[Frame] = []
        self.faults: list[str] = []
        self.reconnects = False
        page.add_init_script(_LISTEN)
        page.on("websocket", self._socket)
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        page.on("console", lambda said: self._said(said.type, said.text))

    def come(self, path: str = "/") -> "Person":
        """Opens the page."""
        self.page.goto(self.url + path)
        return self

    def lay(self, rules: Mapping[str, float] | None = None, seats: int = 4, open: bool = False) -> str:
        """Lays a table of Quatro with house rules; gives its code."""
        page = self.page
        page.get_by_label("Your name").fill(self.name)
        if seats != 4:
            page.get_by_role("radio", name=str(seats)).check(force=True)
        if rules or open:
            page.locator("summary").click()
        if open:
            page.get_by_role("radio", name="Open to all").check(force=True)
        for words, value in (rules or {}).items():
            field = page.get_by_role("spinbutton", name=re.compile(words.replace("_", " ")))
            field.fill(str(value))
            field.blur()
        page.get_by_role("button", name="Set the table").click()
        tiles = page.locator(".code")
        expect(tiles).to_be_visible()
        return (tiles.get_attribute("aria-label") or "").replace(" ", "")

    def join(self, code: str) -> "Person":
        """Comes by the link and sits down."""
        self.come(f"/?join={code}")
        self.page.get_by_label("Your name").fill(self.name)
        self.page.get_by_role("button", name="Sit down").click()
        expect(self.page.locator(".chair").first).to_be_visible()
        return self

    @property
    def public(self) -> Frame:
        """The newest public part that reached this page."""
        return self._newest("public")

    @property
    def own(self) -> Frame:
        """The newest own part."""
        return self._newest("own")

    @property
    def hand(self) -> list[str]:
        """The cards of the hand as they are drawn."""
        return [card.get_attribute("data-card") or "" for card in self.page.locator(".hand .card").all()]

    @property
    def centre(self) -> list[str]:
        """The cards of the centre as they are drawn."""
        return [card.get_attribute("data-card") or "" for card in self.page.locator(".centre .card").all()]

    def card(self, card: str) -> Locator:
        """A card of the hand."""
        return self.page.locator(f'.hand [data-card="{card}"]')

    def place(self, place: int) -> Locator:
        """A place of the centre."""
        return self.page.locator(f'[data-place="{place}"] .card')

    def swap(self, card: str, place: int) -> None:
        """Tap, tap; waits until the card lies there."""
        self.card(card).click()
        self.place(place).click()
        expect(self.page.locator(f'[data-place="{place}"] [data-card="{card}"]')).to_be_visible()

    def call(self, what: str) -> None:
        """Quatro! or Counter!"""
        self.page.locator(f".call.{what}").click()

    def ready(self) -> None:
        """I'm ready."""
        self.page.get_by_role("button", name="I’m ready").click()

    def until(self, condition: Callable[[], bool], what: str, seconds: float = 15) -> None:
        """Waits for something that the page comes to know."""
        for _ in range(round(seconds * 50)):
            if condition():
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"{self.name} waited in vain: {what}")

    def text(self) -> str:
        """What stands on the page, voices included; for a test that failed."""
        return str(self.page.evaluate("document.body?.innerText"))

    def heard(self) -> str:
        """Everything the live regions have said on this page, in order."""
        return str(self.page.evaluate("window.heard.join(' ')"))

    def hears(self, words: str) -> None:
        """Waits until that has been said."""
        self.until(lambda: words in self.heard(), f"to hear {words}")

    def _newest(self, part: str) -> Frame:
        shown = next((frame[part] for frame in reversed(self.frames) if frame.get(part) is not None), None)
        assert shown is not None, f"no {part} part has come"
        return dict(shown)

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: self.frames.append(json.loads(text)))
        socket.on("framesent", lambda text: self.sent.append(json.loads(text)))

    def _said(self, kind: str, text: str) -> None:
        network = "WebSocket connection" in text or "Failed to load resource" in text
        if kind == "error" and not (network and self.reconnects):
            self.faults.append(text)
