"""Ways to a point in a game that several tests begin from."""

from uuid import uuid4

import httpx
from playwright.sync_api import expect

from tests.web.person import Person

QUIET = {
    "^round, seconds": 3600, "^preparing, seconds": 600, "break, seconds": 600, "time to vote": 60,
    "wait between swaps": 0, "wait at the channel": 0,
}  # fmt: skip
"""Rules under which nothing ends by itself while a test looks, on however slow a machine."""
_SILENT = ("Sil", "Tacita", "Mum", "Hush", "Still", "Pax", "Calm")


class Silent:
    """Someone at the table who says ready and never plays: unlike a bot they call nothing while a test looks."""

    def __init__(self, url: str, name: str) -> None:
        self._api = f"{url}/api"
        self._token = httpx.post(f"{self._api}/players", json={"name": name}, timeout=30).json()["token"]

    def sit(self, table: str) -> None:
        """Takes the first free seat."""
        self._do(table, "Sit")

    def ready(self, table: str) -> None:
        """Says ready; the preparation has begun."""
        self._do(table, "Ready")

    def _do(self, table: str, command: str) -> None:
        body = {"id": str(uuid4()), "command": {"type": command}}
        headers = {"Authorization": f"Bearer {self._token}"}
        answer = httpx.post(f"{self._api}/tables/{table}/commands", json=body, headers=headers, timeout=30)
        assert answer.json().get("accepted"), answer.text


def fill_with_bots(host: Person, n: int) -> None:
    """Seats a bot in each free seat."""
    for left in range(n, 0, -1):
        expect(host.page.get_by_role("button", name="Seat a bot")).to_have_count(left)
        host.page.get_by_role("button", name="Seat a bot").first.click()
    expect(host.page.locator(".foot")).to_contain_text("All seats are taken. You can start.")


def start(host: Person) -> None:
    """Starts the game."""
    host.page.get_by_role("button", name="Start", exact=True).click()


def open_round(host: Person, seats: int = 4) -> str:
    """From nothing to an open round in which only the host plays; gives the table's code."""
    host.come()
    code = host.lay(QUIET, seats)
    table = host.page.evaluate("location.hash.slice(1)")
    others = [Silent(host.url, name) for name in _SILENT[: seats - 1]]
    for other in others:
        other.sit(table)
    expect(host.page.locator(".foot")).to_contain_text("All seats are taken. You can start.")
    start(host)
    expect(host.page.locator(".prep")).to_be_visible()
    for other in others:
        other.ready(table)
    host.ready()
    expect(host.page.locator(".hand .card")).to_have_count(4)
    return code
