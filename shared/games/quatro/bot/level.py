"""How strong a bot is, as numbers, and its reaction times: those of people, never under 250 ms (C-27)."""

import math

from msgspec import Struct

from shared.kernel import Random

FASTEST_US = 250_000


class Level(Struct, frozen=True, kw_only=True):
    """Times are µs. `react` and `swap` are means beyond the fastest; `decoy` lies between two decoys.

    `sure`: the chance at which it counters; `patience`: how long it collects a rank in vain; `span`: how long it
    remembers who took a card; `bluffs`: it sits still while a decoy is out.
    """

    react: int
    swap: int
    decoy: int
    sure: float
    patience: int
    span: int
    bluffs: bool


LEVELS = {
    "easy": Level(
        react=1_600_000, swap=6_000_000, decoy=30_000_000, sure=0.35, patience=30_000_000, span=0, bluffs=False
    ),
    "normal": Level(
        react=1_000_000, swap=4_000_000, decoy=18_000_000, sure=0.65, patience=25_000_000, span=11_000_000, bluffs=False
    ),
    "sharp": Level(
        react=600_000, swap=2_300_000, decoy=12_000_000, sure=0.8, patience=20_000_000, span=20_000_000, bluffs=True
    ),
}


def reaction(random: Random, mean: int) -> int:
    """A time in µs: 250 ms and an Erlang-2 of this mean, the skewed shape of human reaction times."""
    return FASTEST_US + int(mean / 2 * (_exponential(random) + _exponential(random)))


def _exponential(random: Random) -> float:
    return -math.log(1.0 - random.random())
