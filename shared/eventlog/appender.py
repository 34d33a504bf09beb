"""Group commit: one appender a process commits whatever all its tables have queued at once, again and again.

It decides nothing and knows no game. Decisions go on meanwhile on uncommitted state; verdicts wait for the callback.
"""

from collections.abc import Callable, Sequence
from enum import Enum

from shared.eventlog.port import Entry, EventLog, Head, Row, Tenure

ROWS_MAX = 2_000
WAIT_MICROS_MAX = 500_000


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


class Appender:
    """Commits for the partitions opened here. All methods but `run` and `finish` are synchronous and cheap."""

    def __init__(
        self,
        log: EventLog,
        owner: str,
        monotonic: Callable[[], int],
        on_commit: Callable[[Entry], None] | None = None,
    ) -> None:
        """`monotonic` gives µs. `on_commit` gets each entry once it is committed as `tenure.n + 1`, before callbacks."""

    def open(self, tenure: Tenure) -> None:
        """Write to this partition from now on, behind `tenure` (what `EventLog.take` returned)."""

    def close(self, partition: int) -> None:
        """Forget the partition: what is queued or in flight is told DROPPED at once. Closed already: nothing."""

    def submit(self, partition: int, table_id: str, rows: Sequence[Row], heads: Sequence[Head], done: Done) -> None:
        """Queue rows of one table, of one decision or several, to be committed together.

        `done` is called once, in order of submission within a table, never from inside `submit` unless the partition
        is not open (FENCED) or the table is bad (BAD).
        """

    @property
    def busy(self) -> bool:
        """Whether more than 2,000 records wait or the oldest waits over 500 ms: refuse what players send."""

    async def finish(self, partition: int) -> None:
        """Wait until nothing of the partition is queued or in flight; then close it (hand-over)."""

    async def run(self) -> None:
        """Commit until cancelled. Raises only what is a bug or a broken database, never for an outage."""
