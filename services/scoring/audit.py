"""The auditor: verifies every awarded round again from its stored bytes, at a bounded rate, pass after pass."""

import asyncio
from collections.abc import Callable, Sequence

import structlog

from services.scoring import metrics
from services.scoring.port import Projections, RoundLine
from shared.eventlog.port import EventLog, Unreachable
from shared.ledger.port import Ledger
from shared.replay import Fault, Verified, verify_round

ROUNDS_BATCH = 64
REST_SECONDS = 5.0
"""Between two looks at all partitions, so that looking alone costs next to nothing."""

_log = structlog.get_logger()


class Auditor:
    """Audits the partitions that `partitions` names at the moment; `rate` is in records a second."""

    def __init__(
        self,
        log: EventLog,
        store: Projections,
        partitions: Callable[[], Sequence[int]],
        rate: float,
        ledger: Ledger | None = None,
    ) -> None:
        """With a `ledger` a sealed round must also be what was sealed."""
        self._ledger = ledger
        self._log, self._store, self._partitions, self._rate = log, store, partitions, rate

    async def run(self) -> None:
        """Audit until cancelled. A fault is told and counted; the log is never touched."""
        while True:
            try:
                for partition in self._partitions():
                    await self.some(partition)
            except Unreachable as outage:
                _log.warning("log_unreachable", outage=str(outage))
            await asyncio.sleep(REST_SECONDS)

    async def some(self, partition: int) -> int:
        """Verify the next awarded rounds of a partition; how many. At its end the next pass begins."""
        after = await self._store.audited(partition)
        rounds = await self._store.awarded(partition, after, ROUNDS_BATCH)
        for line in rounds:
            await self._verify(line)
        if rounds:
            after = rounds[-1].position or 0
        elif after:
            metrics.PASSES.inc()
            after = 0
        else:
            return 0
        await self._store.mark_audited(partition, after)
        metrics.PLACE.labels(partition).set(after)
        return len(rounds)

    async def _verify(self, line: RoundLine) -> None:
        rows = await self._log.table_rows(line.table_id, line.first_version, line.last_version)
        if not rows or rows[-1].hash.hex() != line.head:
            found: Fault | Verified = Fault(
                line.last_version or 0, "head", "the round no longer ends as it was awarded"
            )
        else:
            found = await self._unsealed(line) or verify_round(rows)
        if isinstance(found, Fault):
            self._tell(line, found)
        metrics.AUDITED.inc()
        metrics.AUDITED_RECORDS.inc(len(rows))
        await asyncio.sleep(len(rows) / self._rate)

    async def _unsealed(self, line: RoundLine) -> Fault | None:
        place = None if self._ledger is None else await self._ledger.place(line.table_id, line.round)
        if place is None or (place[1].version, place[1].head) == (line.last_version, line.head):
            return None
        return Fault(line.last_version or 0, "seal", "the round does not end as it was sealed")

    def _tell(self, line: RoundLine, fault: Fault) -> None:
        metrics.FAULTS.labels(fault.kind).inc()
        _log.error(
            "audit_fault", table=line.table_id, round=line.round, record=fault.version, kind=fault.kind,
            detail=fault.detail,
        )  # fmt: skip
