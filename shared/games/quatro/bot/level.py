"""How strong a bot is, as numbers, and its reaction times: those of people, never under 250 ms (C-27)."""

import math

from msgspec import Struct

from shared.kernel import Random

FASTEST_US = 250_000


class Level(Struct, frozen=True):
    """Times are mean µs beyond the fastest; `sure` is the chance at which it counters; `decoy` is the time between."""

    react: int
    swap: int
    decoy: int
    sure: float
    patience: int
    remembers: bool
    bluffs: bool


LEVELS = {
    "easy": Level(1_500_000, 1_500_000, 60_000_000, 0.45, 14_000_000, remembers=False, bluffs=False),
    "normal": Level(900_000, 800_000, 40_000_000, 0.55, 10_000_000, remembers=True, bluffs=False),
    "sharp": Level(550_000, 400_000, 25_000_000, 0.65, 8_000_000, remembers=True, bluffs=True),
}


def reaction(random: Random, mean: int) -> int:
    """A time in µs: 250 ms and an Erlang-2 of this mean, the skewed shape of human reaction times."""
    return FASTEST_US + int(mean / 2 * (_exponential(random) + _exponential(random)))


def _exponential(random: Random) -> float:
    return -math.log(1.0 - random.random())
