"""The auditor: verifies every awarded round again from its stored bytes, at a bounded rate, pass after pass."""

import asyncio
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import attrgetter

import structlog

from services.scoring import metrics
from services.scoring.aside import aside
from services.scoring.port import Projections, RoundLine
from shared.eventlog.port import EventLog, Row, Unreachable
from shared.ledger.port import Ledger
from shared.proof.seal import Leaf
from shared.replay import Fault, Verified, verify_round

ROUNDS_BATCH = 64
ROWS_BATCH = 4_000
REST_SECONDS = 5.0
"""Between two looks at all partitions, so that looking alone costs next to nothing."""

_version = attrgetter("version")
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
                with_awards = await self._store.with_awards()
                for partition in self._partitions():
                    if partition in with_awards:
                        await self.some(partition)
            except Unreachable as outage:
                _log.warning("log_unreachable", outage=str(outage))
            await asyncio.sleep(REST_SECONDS)

    async def some(self, partition: int) -> int:
        """Verify the next awarded rounds of a partition; how many. At its end the next pass begins."""
        after = await self._store.audited(partition)
        rounds = await self._store.awarded(partition, after, ROUNDS_BATCH)
        for group in _groups(rounds):
            await self._verify(group)
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

    async def _verify(self, lines: Sequence[RoundLine]) -> None:
        """Rounds of one table, each of which may have to be the one that follows from the one before."""
        first, last = lines[0], lines[-1]
        stored = await self._log.table_rows(first.table_id, max(first.first_version - 1, 1), last.last_version)
        sealed = {} if self._ledger is None else await self._ledger.sealed(first.table_id, first.round, last.round)
        state, head = None, _head_before(stored, first.first_version)
        for line in lines:
            rows = _between(stored, line.first_version, line.last_version or 0)
            found: Verified | Fault | None = _unlike(line, rows, sealed.get(line.round))
            if found is None:
                found = await aside(rows, partial(verify_round, rows, state, head))
            state, head = (None, None) if isinstance(found, Fault) else (found.state, found.head)
            if isinstance(found, Fault):
                self._tell(line, found)
            metrics.AUDITED.inc()
            metrics.AUDITED_RECORDS.inc(len(rows))
            await asyncio.sleep(len(rows) / self._rate)

    def _tell(self, line: RoundLine, fault: Fault) -> None:
        metrics.FAULTS.labels(fault.kind).inc()
        _log.error(
            "audit_fault", table=line.table_id, round=line.round, record=fault.version, kind=fault.kind,
            detail=fault.detail,
        )  # fmt: skip


def _groups(rounds: Sequence[RoundLine]) -> Iterator[Sequence[RoundLine]]:
    """Rounds that are read with one query: those of one table that follow each other, up to some size."""
    tables: dict[str, list[RoundLine]] = {}
    for line in rounds:
        group = tables.setdefault(line.table_id, [])
        if group and not _goes_on(group, line):
            yield group
            group = tables[line.table_id] = []
        group.append(line)
    yield from tables.values()


def _goes_on(group: Sequence[RoundLine], line: RoundLine) -> bool:
    follows = line.round == group[-1].round + 1 and line.first_version == (group[-1].last_version or 0) + 1
    return follows and (line.last_version or 0) - group[0].first_version < ROWS_BATCH


def _between(stored: Sequence[Row], first: int, last: int) -> Sequence[Row]:
    begin = bisect_left(stored, first, key=_version)
    return stored[begin : bisect_right(stored, last, begin, key=_version)]


def _head_before(stored: Sequence[Row], first: int) -> bytes | None:
    return stored[0].hash if stored and stored[0].version == first - 1 else None


def _unlike(line: RoundLine, rows: Sequence[Row], leaf: Leaf | None) -> Fault | None:
    """The round must end as it was awarded, and as it was sealed."""
    last = line.last_version or 0
    if not rows or rows[-1].hash.hex() != line.head:
        return Fault(last, "head", "the round no longer ends as it was awarded")
    if leaf is not None and (leaf.version, leaf.head) != (last, line.head):
        return Fault(last, "seal", "the round does not end as it was sealed")
    return None
