"""The start page on a phone's connection: `python -m bench.firstload`. First paint, and when the form can be used.

The connection is "Fast 4G" of Chrome's developer tools: every request waits 165 ms, 8.1 Mbit/s come down, 1.35 go up.
"""

from statistics import median
from typing import NamedTuple

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
  if (!document.getElementById("f-table")) return;
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
    """One load by a visitor who was never here: times in ms since the link was opened."""

    painted: float
    usable: float
    requests: int
    bytes: int


def main() -> None:
    """Print the medians and the worst, on a processor as it is and on one four times slower."""
    with folder() as data, running(data) as url, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for slower in (1, 4):
            loads = [_load(browser, url, slower) for _ in range(LOADS)]
            painted, usable = ([getattr(load, name) for load in loads] for name in ("painted", "usable"))
            print(
                f"first load, 4G, CPU {slower} x slower  painted {median(painted):.0f} ms (worst {max(painted):.0f}), "
                f"usable {median(usable):.0f} ms (worst {max(usable):.0f}), "
                f"{loads[0].requests} requests, {loads[0].bytes / 1000:.0f} KB"
            )
        browser.close()


def _load(browser: Browser, url: str, slower: int) -> Load:
    context = browser.new_context(viewport={"width": 390, "height": 844}, device_scale_factor=3, is_mobile=True)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", FAST_4G)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.add_init_script(WATCH)
    page.goto(url)
    page.locator("#f-table").wait_for()
    page.wait_for_load_state("networkidle")
    load = Load(*page.evaluate(FIGURES))
    context.close()
    return load


if __name__ == "__main__":
    main()
