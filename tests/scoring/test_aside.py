"""Long work and the event loop."""

import asyncio
import threading

from services.scoring.aside import LONG, aside

PATIENCE_SECONDS = 30


async def test_while_a_long_round_is_decided_the_loop_goes_on() -> None:
    turned = threading.Event()
    asyncio.get_running_loop().call_later(0.01, turned.set)
    assert await aside(range(LONG), lambda: turned.wait(PATIENCE_SECONDS))


async def test_a_short_one_is_decided_at_once() -> None:
    assert await aside(range(LONG - 1), threading.current_thread) is threading.current_thread()
