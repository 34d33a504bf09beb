"""Ways to a point in a game that several tests begin from."""

from playwright.sync_api import expect

from tests.web.person import Person

QUIET = {"^round, seconds": 3600, "wait between swaps": 0, "wait at the channel": 0, "break, seconds": 600}
"""Rules under which nothing ends by itself while a test looks."""


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
    """From nothing to an open round with bots; gives the table's code."""
    host.come()
    code = host.lay(QUIET, seats)
    fill_with_bots(host, seats - 1)
    start(host)
    host.ready()
    expect(host.page.locator(".hand .card")).to_have_count(4)
    return code
