"""On a phone's connection: `python -m bench.firstload`. The start page and an invitation: when something is painted and
when the form can be used; and from "Sit down" to the table.

The connection is "Fast 4G" of Chrome's developer tools: every request waits 165 ms, 8.1 Mbit/s come down, 1.35 go up.
"""

import time
from statistics import median
from typing import NamedTuple

import httpx
from playwright.sync_api import Browser, sync_playwright

from bench.running import running
from bench.service import folder
from tests.web.browser import chromium

LOADS = 9
FAST_4G = {
    "offline": False,
    "latency": 165,
    "downloadThroughput": 9_000_000 / 8 * 0.9,
    "uploadThroughput": 1_500_000 / 8 * 0.9,
}
WATCH = """
new MutationObserver((_, watcher) => {
  if (!document.querySelector("#f-table, .acts .main")) return;
  window.usable = performance.now();
  watcher.disconnect();
}).observe(document, { childList: true, subtree: true });
"""
FIGURES = """() => {
  const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  return [performance.getEntriesByName("first-contentful-paint")[0].startTime, window.usable, entries.length,
    entries.reduce((sum, entry) => sum + entry.transferSize, 0)];
}"""


class Load(NamedTuple):
    """One load by a visitor who was never here: times in ms since the link was opened, `seated` since "Sit down"."""

    painted: float
    usable: float
    requests: int
    bytes: int
    seated: float = 0.0


def main() -> None:
    """Print the medians and the worst, on a processor as it is and on one four times slower."""
    with folder() as data, running(data) as url, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for slower in (1, 4):
            _report("start page", slower, [_load(browser, url, slower) for _ in range(LOADS)])
            _report("invitation", slower, [_load(browser, _invitation(url), slower) for _ in range(LOADS)])
        browser.close()


def _report(page: str, slower: int, loads: list[Load]) -> None:
    print(f"{page}, 4G, CPU {slower} x slower   {loads[0].requests} requests, {loads[0].bytes / 1000:.0f} KB")
    for name in ("painted", "usable", "seated"):
        times = [time for load in loads if (time := getattr(load, name))]
        if times:
            print(f"{'':<28} {name} after {median(times):.0f} ms (worst {max(times):.0f})")


def _invitation(url: str) -> str:
    """The link to a table that a host has just laid."""
    with httpx.Client(base_url=f"{url}/api", timeout=30) as api:
        token = api.post("/players", json={"name": "Ada"}).json()["token"]
        asked = {"game": "quatro", "seats": 4, "sit": True}
        laid = api.post("/tables", json=asked, headers={"Authorization": f"Bearer {token}"}).json()
    return f"{url}/?join={laid['code']}"


def _load(browser: Browser, url: str, slower: int) -> Load:
    context = browser.new_context(viewport={"width": 390, "height": 844}, device_scale_factor=3, is_mobile=True)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", FAST_4G)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.add_init_script(WATCH)
    page.goto(url)
    page.locator("#f-table, .acts .main").wait_for()
    page.wait_for_load_state("networkidle")
    load = Load(*page.evaluate(FIGURES))
    if "?join=" in url:
        page.get_by_role("textbox").fill("Bo")
        began = time.monotonic()
        page.locator(".acts .main").click()
        page.locator(".chair").first.wait_for()
        load = load._replace(seated=1000 * (time.monotonic() - began))
    context.close()
    return load


if __name__ == "__main__":
    main()
