"""An event loop on virtual time: it never waits, it jumps to the next timer. Hours pass in moments."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any

START_MICROS = 1_800_000_000_000_000


class _Jumping(selectors.SelectSelector):
    loop: "VirtualLoop"

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout:
            self.loop.passed += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """`passed` are the seconds since its start."""

    def __init__(self) -> None:
        self.passed = 0.0
        selector = _Jumping()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        """The virtual time, in seconds."""
        return self.passed


def monotonic_micros() -> int:
    """The running loop's time in µs."""
    return round(asyncio.get_running_loop().time() * 1_000_000)


def database_micros() -> int:
    """What a database's clock says then, in µs since 1970."""
    return START_MICROS + monotonic_micros()


def run(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Play a scenario on virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(scenario())
