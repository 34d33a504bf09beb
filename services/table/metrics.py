"""What the table service shows of refusals: how many by code, and those that tell of hidden things under one label."""

from functools import cache

from prometheus_client import Counter

from shared.games.registry import GAMES
from shared.kernel import Refused

HIDDEN = "hidden"

_refused = Counter("quartet_table_refused", "Commands that were refused, by the reason", ["code"])


def refused(game: str | None, refusal: Refused) -> None:
    """Count a refusal at a table of a game; None: a table that is none."""
    _child(game, refusal.code).inc()


@cache
def _child(game: str | None, code: str) -> Counter:
    hidden = game is not None and code in GAMES[game].telling
    return _refused.labels(HIDDEN if hidden else code)
