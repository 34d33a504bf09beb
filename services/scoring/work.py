"""The work on one partition: read what is new, decide stopped rounds again, send what was found until it is logged."""

import asyncio
import time

import msgspec
import structlog

from services.scoring.judge import judge
from services.scoring.port import Projections
from services.scoring.reader import Reader, Stopped
from shared.eventlog.port import EventLog, Unreachable
from shared.wire.courier import Courier
from shared.wire.messages import Envelope

AGAIN_SECONDS = 2.0
"""After an outage. What is on its way is sent again by the courier, every 300 ms."""

GATHER_SECONDS = 0.03
"""After a hint: seats taken one after another are read together, and nobody sees the difference."""

_log = structlog.get_logger()


class Work:
    """`courier` sends as kind "scoring" for `instance`."""

    def __init__(
        self,
        log: EventLog,
        store: Projections,
        courier: Courier,
        instance: str,
        partition: int,
    ) -> None:
        self.hint = asyncio.Event()
        self._log, self._courier, self._instance = log, courier, instance
        self._reader = Reader(log, store, partition)
        self._found: dict[tuple[str, Stopped], Envelope] = {}
        self._under_way: set[str] = set()

    @property
    def waiting(self) -> int:
        """How many rounds wait for their Award."""
        return len(self._reader.waiting)

    def look(self, end: int) -> None:
        """The partition's newest record is at `end`: read on if that is not known yet, for hints get lost."""
        if self._reader.position != end:
            self.hint.set()

    async def run(self) -> None:
        """Until cancelled. An outage of the log or the bus is waited for."""
        while True:
            self.hint.clear()
            pause = None
            try:
                await self._once()
            except Unreachable as outage:
                _log.warning("log_unreachable", outage=str(outage))
                pause = AGAIN_SECONDS
            await self._pause(pause)

    async def _once(self) -> None:
        await self._reader.catch_up()
        waiting = set(self._reader.waiting.items())
        for gone in self._found.keys() - waiting:
            del self._found[gone]
        for table, stopped in waiting:
            if (table, stopped) not in self._found:
                await self._judge(table, stopped)
            if (table, stopped) in self._found:
                self._send(self._found[table, stopped])

    async def _judge(self, table: str, stopped: Stopped) -> None:
        found = await judge(self._log, table, stopped.round, stopped.first_version)
        if found is None:
            return  # its Award is in the log already: the next reading sees it
        id, command = found
        payload, now = msgspec.json.encode(command), time.time_ns() // 1_000
        self._found[table, stopped] = Envelope(table, "", id, payload, self._instance, received=now)
        _log.info("round_judged", table=table, round=stopped.round, command=type(command).__name__, id=id)

    def _send(self, envelope: Envelope) -> None:
        if envelope.id not in self._under_way:
            self._under_way.add(envelope.id)
            self._courier.send(envelope, lambda _: self._answered(envelope))

    def _answered(self, envelope: Envelope) -> None:
        """The log alone tells what became of it; look there at once."""
        self._under_way.discard(envelope.id)
        self.hint.set()

    async def _pause(self, seconds: float | None) -> None:
        try:
            await asyncio.wait_for(self.hint.wait(), seconds)
        except TimeoutError:
            return
        await asyncio.sleep(GATHER_SECONDS)
