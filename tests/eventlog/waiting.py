"""Waiting for a condition."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable


async def until(condition: Callable[[], bool | Awaitable[bool]], seconds: float = 15.0) -> None:
    """Look every 10 ms until the condition holds. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while not await _holds(condition):
            await asyncio.sleep(0.01)


async def _holds(condition: Callable[[], bool | Awaitable[bool]]) -> bool:
    result = condition()
    return await result if inspect.isawaitable(result) else bool(result)
