"""Waiting for a condition, on whatever time the loop runs."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable


async def until(condition: Callable[[], bool | Awaitable[bool]], seconds: float = 600.0) -> None:
    """Look every 50 ms until the condition holds. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while not await _holds(condition):
            await asyncio.sleep(0.05)


async def _holds(condition: Callable[[], bool | Awaitable[bool]]) -> bool:
    found = condition()
    return await found if inspect.isawaitable(found) else bool(found)
