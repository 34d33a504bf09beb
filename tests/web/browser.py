"""Finds a Chromium for the tests: Debian's, else fetched where this machine allows it, else none.

On a laptop without one the tests skip and say so; in CI (environment CI) they fail.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> Path:
    """The browser's executable. Skips or fails the test that asks where there is none."""
    found = _installed() or (_from_debian() if _may_install() else None) or _of_playwright(fetch=_may_fetch())
    if found is not None:
        return found
    words = "no Chromium: install the Debian package `chromium`, or run `playwright install chromium`"
    if os.environ.get("CI"):
        pytest.fail(words, pytrace=False)
    pytest.skip(f"BROWSER TESTS DID NOT RUN: {words}")


def _installed() -> Path | None:
    return next((Path(path) for name in _NAMES if (path := shutil.which(name))), None)


def _may_install() -> bool:
    """Only root may, and only where apt is."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def _may_fetch() -> bool:
    """A download of its own is made for `make test` as root and in CI, never on somebody's laptop."""
    return bool(os.environ.get("CI")) or _may_install()


def _from_debian() -> Path | None:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    packages = ("chromium", "fonts-noto-color-emoji")
    for command in (("apt-get", "update", "-qq"), ("apt-get", "install", "-y", "-qq", *packages)):
        try:
            done = subprocess.run(command, env=quiet, capture_output=True, timeout=600)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode != 0 and "install" in command:
            return None
    return _installed()


def _of_playwright(fetch: bool) -> Path | None:
    if fetch:
        subprocess.run((sys.executable, "-m", "playwright", "install", "chromium"), capture_output=True, timeout=600)
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache" / "ms-playwright"))
    return next(iter(sorted(cache.glob("chromium-*/chrome-linux*/chrome"), reverse=True)), None)
