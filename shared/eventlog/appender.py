"""Group commit: one appender a process commits whatever all its tables have queued at once, again and again.

It decides nothing and knows no game. Decisions go on meanwhile on uncommitted state; verdicts wait for the callback.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import assert_never

from shared.eventlog.port import AppendFailed, BadRow, Entry, EventLog, Head, Outcome, Row, Tenure

QUEUED_ROWS_MAX = 2_000
WAIT_MICROS_MAX = 500_000
BATCH_ROWS_MAX = 512
RETRY_SECONDS = 0.02
PACE_MICROS = 2_000
"""Commits begin no closer together: one alone starts at once, many in a row share a commit's cost and its wake-ups."""


class Fate(Enum):
    """What became of a submission.

    COMMITTED: it is in the log; only now may anyone be told. FENCED: a newer owner writes; forget the partition, say
    nothing. DROPPED: the partition was closed here before the outcome was known; say nothing. BAD: the database refuses
    this table's data; stop the table, the others go on.
    """

    COMMITTED = "committed"
    FENCED = "fenced"
    DROPPED = "dropped"
    BAD = "bad"


Done = Callable[[Fate], None]


@dataclass(slots=True, eq=False)
class _Submission:
    lane: "_Lane"
    table_id: str
    rows: Sequence[Row]
    heads: Sequence[Head]
    done: Done
    since: int


@dataclass(slots=True, eq=False)
class _Lane:
    """A partition open for writing. A lane is never opened again: what comes back for a closed one is dropped."""

    tenure: Tenure
    open: bool = True
    pending: dict[_Submission, None] = field(default_factory=dict)  # in order of submission
    bad: set[str] = field(default_factory=set)
    empty: asyncio.Event = field(default_factory=asyncio.Event)


class Appender:
    """Commits for the partitions opened here. All methods but `run` and `finish` are synchronous and cheap."""

    def __init__(
        self,
        log: EventLog,
        owner: str,
        monotonic: Callable[[], int],
        on_commit: Callable[[Entry], None] | None = None,
    ) -> None:
        """`monotonic` gives µs. `on_commit` gets each entry, committed as `tenure.n + 1`, before its callbacks."""
        self._log = log
        self._owner = owner
        self._monotonic = monotonic
        self._on_commit = on_commit
        self._lanes: dict[int, _Lane] = {}
        self._queue: deque[_Submission] = deque()
        self._flying: list[_Submission] = []
        self._rows = 0  # queued and in flight
        self._began = -PACE_MICROS
        self._wake = asyncio.Event()

    def open(self, tenure: Tenure) -> None:
        """Write to this partition from now on, behind `tenure` (what `EventLog.take` returned)."""
        self.close(tenure.partition)
        self._lanes[tenure.partition] = _Lane(tenure)

    def close(self, partition: int) -> None:
        """Forget the partition: what is queued or in flight is told DROPPED at once. Closed already: nothing."""
        if partition in self._lanes:
            self._shut(self._lanes[partition], Fate.DROPPED)

    def submit(self, partition: int, table_id: str, rows: Sequence[Row], heads: Sequence[Head], done: Done) -> None:
        """Queue rows of one table, of one decision or several, to be committed together.

        `done` is called once, in order of submission within a table, and from inside `submit` only when the partition
        is not open here (DROPPED) or the table is bad (BAD).
        """
        lane = self._lanes.get(partition)
        if lane is None:
            done(Fate.DROPPED)
        elif table_id in lane.bad:
            done(Fate.BAD)
        else:
            submission = _Submission(lane, table_id, rows, heads, done, self._monotonic())
            lane.pending[submission] = None
            lane.empty.clear()
            self._queue.append(submission)
            self._rows += len(rows)
            self._wake.set()

    @property
    def busy(self) -> bool:
        """Whether more than 2,000 records wait or the oldest waits over 500 ms: refuse what players send."""
        oldest = self._flying[0] if self._flying else self._queue[0] if self._queue else None
        waits = oldest is not None and self._monotonic() - oldest.since > WAIT_MICROS_MAX
        return waits or self._rows > QUEUED_ROWS_MAX

    async def finish(self, partition: int) -> None:
        """Wait until nothing of the partition is queued or in flight; then close it (hand-over)."""
        lane = self._lanes.get(partition)
        if lane is not None:
            if lane.pending:
                await lane.empty.wait()
            if lane.open:
                self._shut(lane, Fate.DROPPED)

    async def run(self) -> None:
        """Commit until cancelled. Raises only what is a bug or a broken database, never for an outage."""
        while True:
            if not self._queue:
                self._wake.clear()
                await self._wake.wait()
            await self._pace()
            self._flying = self._next_batch()
            await self._commit(self._flying)
            self._flying = []

    async def _pace(self) -> None:
        early = self._began + PACE_MICROS - self._monotonic()
        if early > 0:
            await asyncio.sleep(early / 1_000_000)
        self._began = self._monotonic()

    def _next_batch(self) -> list[_Submission]:
        batch: list[_Submission] = []
        rows = 0
        while self._queue and (not batch or rows + len(self._queue[0].rows) <= BATCH_ROWS_MAX):
            submission = self._queue.popleft()
            if submission in submission.lane.pending:  # else its lane was shut or its table is bad
                batch.append(submission)
                rows += len(submission.rows)
        return batch

    async def _commit(self, batch: Sequence[_Submission]) -> None:
        try:
            await self._send(batch)
        except BadRow:
            await self._commit_by_table(batch)

    async def _commit_by_table(self, batch: Sequence[_Submission]) -> None:
        tables: dict[tuple[_Lane, str], list[_Submission]] = {}
        for submission in batch:
            tables.setdefault((submission.lane, submission.table_id), []).append(submission)
        for (lane, table_id), submissions in tables.items():
            try:
                await self._send(submissions)
            except BadRow:
                lane.bad.add(table_id)
                self._settle([s for s in lane.pending if s.table_id == table_id], Fate.BAD)

    async def _send(self, batch: Sequence[_Submission]) -> None:
        """Send these until their outcome is known or their lanes are shut; the bytes of a lane stay the same."""
        entries = _entries(batch)
        while entries := {lane: entry for lane, entry in entries.items() if lane.open}:
            try:
                outcomes = await self._log.append(self._owner, list(entries.values()))
            except AppendFailed:
                await asyncio.sleep(RETRY_SECONDS)
            else:
                self._conclude(batch, entries, outcomes)
                return

    def _conclude(
        self, batch: Sequence[_Submission], entries: Mapping[_Lane, Entry], outcomes: Mapping[int, Outcome]
    ) -> None:
        for lane, entry in entries.items():
            match outcomes[entry.tenure.partition]:
                case Outcome.COMMITTED if lane.open:
                    self._advance(lane, entry)
                case Outcome.FENCED if lane.open:
                    self._shut(lane, Fate.FENCED)
                case Outcome.COMMITTED | Outcome.FENCED:
                    pass  # shut while in flight: told already
                case never:
                    assert_never(never)
        self._settle([s for s in batch if s in s.lane.pending], Fate.COMMITTED)

    def _advance(self, lane: _Lane, entry: Entry) -> None:
        before = entry.tenure
        lane.tenure = Tenure(before.partition, before.epoch, before.n + 1, before.position + len(entry.rows))
        if self._on_commit is not None:
            self._on_commit(entry)

    def _shut(self, lane: _Lane, fate: Fate) -> None:
        lane.open = False
        if self._lanes.get(lane.tenure.partition) is lane:
            del self._lanes[lane.tenure.partition]
        self._settle(list(lane.pending), fate)

    def _settle(self, submissions: Sequence[_Submission], fate: Fate) -> None:
        for submission in submissions:
            lane = submission.lane
            if submission in lane.pending:  # a callback before may have shut the lane
                del lane.pending[submission]
                self._rows -= len(submission.rows)
                if not lane.pending:
                    lane.empty.set()
                submission.done(fate)


def _entries(batch: Sequence[_Submission]) -> dict[_Lane, Entry]:
    lanes: dict[_Lane, tuple[list[Row], list[Head]]] = {}
    for submission in batch:
        rows, heads = lanes.setdefault(submission.lane, ([], []))
        rows.extend(submission.rows)
        heads.extend(submission.heads)
    return {lane: Entry(lane.tenure, rows, heads) for lane, (rows, heads) in lanes.items()}
