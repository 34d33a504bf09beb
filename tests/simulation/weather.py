"""How bad it is at the moment: what becomes of messages, and how the database behaves."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

DELAY_SECONDS = 0.002
LATE_SECONDS_MAX = 0.4


@dataclass(slots=True)
class Weather:
    """`stormy`: messages get lost, doubled and overtaken, and the database stumbles. `database_down`: it does not
    answer at all."""

    chance: Random
    stormy: bool = False
    database_down: bool = False
    stalled: dict[str, float] = field(default_factory=dict)
    """Service -> until when (loop's time) what it says to the database does not get there."""

    def fate(self, _publisher: str, _receiver: str, _subject: str, _payload: bytes) -> Sequence[float]:
        """The delays of the copies that arrive (shared.bus.memory.Fate)."""
        drawn = self.chance.random()
        if not self.stormy or drawn > 0.06:
            return (self._delay(),)
        if drawn < 0.02:
            return ()
        if drawn < 0.04:
            return (self._delay(), self.chance.uniform(0, LATE_SECONDS_MAX))
        return (self.chance.uniform(0, LATE_SECONDS_MAX),)

    async def database(self, service: str) -> bool:
        """Wait as long as a service's statement, or the answer to it, is on its way; whether it arrives."""
        await asyncio.sleep(self._delay())
        await asyncio.sleep(max(0.0, self.stalled.get(service, 0.0) - asyncio.get_running_loop().time()))
        if self.stormy and self.chance.random() < 0.02:
            await asyncio.sleep(self.chance.uniform(0, LATE_SECONDS_MAX))
        return not self.database_down and not (self.stormy and self.chance.random() < 0.01)

    def _delay(self) -> float:
        return self.chance.uniform(0.1, 1.9) * DELAY_SECONDS
