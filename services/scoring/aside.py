"""Work on a round of very many records goes on beside the event loop, which has leases to renew meanwhile."""

import asyncio
from collections.abc import Callable, Sized
from typing import TypeVar

LONG = 2_000
"""Records; to decide so many takes a tenth of a second or two, and a lease lasts one."""

T = TypeVar("T")


async def aside(rows: Sized, work: Callable[[], T]) -> T:
    """What `work` makes of these rows; in a thread if they are many. What it is given must not change meanwhile."""
    return work() if len(rows) < LONG else await asyncio.to_thread(work)
