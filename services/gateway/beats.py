"""Every 5 s each socket is told which view is the newest, and quiet audiences are asked after: a frame lost on the way
to this gateway leaves no gap to see until the next one comes (C-07)."""

import asyncio
from itertools import islice

from services.gateway.gateway import Gateway
from services.gateway.shown import Audience

BEAT_SECONDS = 5.0
STEPS = 20
PROBES_MAX = 25
"""A step: audiences that are asked after, so that many quiet ones cost little."""


async def run(gateway: Gateway) -> None:
    """Until cancelled; the sockets take turns, a twentieth each quarter of a second."""
    while True:
        for step in range(STEPS):
            await asyncio.sleep(BEAT_SECONDS / STEPS)
            turn(gateway, step)


def turn(gateway: Gateway, step: int) -> None:
    """The beats of one step."""
    asked: set[Audience] = set()
    for line in islice(tuple(gateway.lines), step, None, STEPS):
        line.beat()
        audience = line.audience
        if audience is not None and gateway.clock() - audience.heard > BEAT_SECONDS and len(asked) < PROBES_MAX:
            asked.add(audience)
    for audience in asked:
        audience.heard = gateway.clock()
        gateway.want(audience)  # not an HTTP request, which would count as theirs (T-PRES-1)
