"""Everything that a run draws or reads from the machine comes from its seed and its virtual time."""

import asyncio
import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

START_NANOS = 1_800_000_000_000_000_000


@contextmanager
def seeded(seed: int) -> Iterator[random.Random]:
    """While inside, the system's randomness (ids, salts, deals) and its wall clock are the seed's; yields the weather's
    own chance, which nothing else draws from."""
    drawn = random.Random(f"drawn {seed}")
    with pytest.MonkeyPatch.context() as machine:
        machine.setattr(os, "urandom", drawn.randbytes)
        machine.setattr(random, "_urandom", drawn.randbytes)  # what SystemRandom and secrets draw from
        machine.setattr(time, "time_ns", _nanos)
        machine.setattr(time, "time", lambda: _nanos() / 1_000_000_000)
        yield random.Random(f"weather {seed}")


def _nanos() -> int:
    return START_NANOS + round(asyncio.get_running_loop().time() * 1_000_000_000)
