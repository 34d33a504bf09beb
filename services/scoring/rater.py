"""Rates finished games, each once and in the order of their places."""

from itertools import chain

from services.scoring.port import Projections
from services.scoring.ratings import rate

RESULTS_BATCH = 100
POLL_SECONDS = 1.0


async def rate_waiting(store: Projections) -> int:
    """Rate what waits; how many. Stops early when another rater is at it. Raises Unreachable."""
    place, waiting = await store.unplaced(RESULTS_BATCH)
    for done, result in enumerate(waiting):
        players = tuple(chain.from_iterable(result.sides))
        standings = rate(result, await store.standings_of(result.game, players))
        if not await store.place(place + done, result, standings):
            return done
    return len(waiting)
