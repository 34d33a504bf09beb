"""The work on one partition: read what is new, decide stopped rounds again, send what was found until it is logged."""

import asyncio
import time

import msgspec
import structlog

from services.scoring.judge import judge
from services.scoring.port import Projections
from services.scoring.reader import Reader
from shared.eventlog.port import EventLog, Unreachable
from shared.wire.courier import Courier
from shared.wire.messages import Envelope

POLL_SECONDS = 0.5
AGAIN_SECONDS = 0.25

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
        self._found: dict[str, Envelope] = {}
        self._under_way: set[str] = set()

    @property
    def waiting(self) -> int:
        """How many rounds wait for their Award."""
        return len(self._reader.waiting)

    async def run(self) -> None:
        """Until cancelled. An outage of the log or the bus is waited for."""
        while True:
            self.hint.clear()
            try:
                await self._once()
            except Unreachable as outage:
                _log.warning("log_unreachable", outage=str(outage))
            await self._pause(AGAIN_SECONDS if self._reader.waiting else POLL_SECONDS)

    async def _once(self) -> None:
        await self._reader.catch_up()
        for table in self._found.keys() - self._reader.waiting.keys():
            del self._found[table]
        for table, round in tuple(self._reader.waiting.items()):
            if table not in self._found:
                self._found[table] = await self._envelope(table, round)
            self._send(self._found[table])

    async def _envelope(self, table: str, round: int) -> Envelope:
        id, command = await judge(self._log, table, round)
        payload = msgspec.json.encode(command)
        _log.info("round_judged", table=table, round=round, command=type(command).__name__, id=id)
        return Envelope(table, "", id, payload, self._instance, received=time.time_ns() // 1_000)

    def _send(self, envelope: Envelope) -> None:
        if envelope.id not in self._under_way:
            self._under_way.add(envelope.id)
            self._courier.send(envelope, lambda _: self._answered(envelope))

    def _answered(self, envelope: Envelope) -> None:
        """The log alone tells what became of it; look there at once."""
        self._under_way.discard(envelope.id)
        self.hint.set()

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self.hint.wait(), seconds)
        except TimeoutError:
            return
