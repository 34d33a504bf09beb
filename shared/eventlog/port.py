"""The event log as its users see it: rows in, rows out, fenced by epochs. It knows no game and decodes no body."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from hashlib import sha256
from typing import Protocol

PARTITIONS = 64


@lru_cache(maxsize=65_536)
def partition_of(table_id: str) -> int:
    """The partition that holds a table, for ever: the first byte of SHA-256(table id) mod 64."""
    return sha256(table_id.encode()).digest()[0] % PARTITIONS


@dataclass(frozen=True, slots=True)
class Row:
    """One record as it is stored: `body` is the exact canonical JSON that was hashed, `hash` its 32-byte chain hash.

    `version` counts a table's records from 1; `at` is in µs; the other fields are copies of what the body says.
    """

    table_id: str
    version: int
    round: int
    at: int
    body: bytes
    hash: bytes


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A row with its place in its partition: positions count from 1 without a gap."""

    partition: int
    position: int
    row: Row


@dataclass(frozen=True, slots=True)
class Head:
    """Where a live table stands: the round in progress, its first version, when it is due next (µs) and its phase.

    `due` is a hint, written only when a record opens a round, changes the phase or closes the table (phase "closed").
    """

    table_id: str
    round: int
    first_version: int
    due: int | None
    phase: str


@dataclass(frozen=True, slots=True)
class Tenure:
    """A writer's right to a partition: `epoch` is its own, `n` its last commit, `position` where that commit ends."""

    partition: int
    epoch: int
    n: int
    position: int


@dataclass(frozen=True, slots=True)
class Entry:
    """What one writer appends to one partition in one commit: `tenure` is as before it; rows get the next positions."""

    tenure: Tenure
    rows: Sequence[Row]
    heads: Sequence[Head] = ()


class Outcome(Enum):
    """What became of an entry: committed (now, or when it was sent before), or fenced by a newer epoch."""

    COMMITTED = "committed"
    FENCED = "fenced"


class Unreachable(ConnectionError):
    """The database can't be reached or doesn't answer in time; nothing is known of a change that was asked for."""


class AppendFailed(Unreachable):
    """The outcome is not known (connection lost, time-out): send the very same entries again."""


class BadRow(Exception):
    """The database refuses the data itself; nothing of the statement was written. Send table by table to find it."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit of a partition as stored: `rows` records end at `base + rows`; `at` is the database's time in µs."""

    partition: int
    n: int
    epoch: int
    owner: str
    base: int
    rows: int
    at: int


class EventLog(Protocol):
    """Append-only, per-partition ordered, one writer a partition and epoch.

    Every method may raise Unreachable (`append`: AppendFailed).
    """

    async def append(self, owner: str, entries: Sequence[Entry]) -> Mapping[int, Outcome]:
        """Append all entries (at most one a partition) in one statement; partition -> outcome.

        Each entry becomes commit `tenure.n + 1`. A fenced partition writes nothing and does not hold up the others.
        Sending the same entries again after AppendFailed is safe. Raises AppendFailed, BadRow.
        """

    async def take(self, owner: str, partition: int) -> Tenure:
        """Insert an empty commit with the next epoch and return the new tenure; older writers are fenced then."""

    async def tenure(self, partition: int) -> Tenure | None:
        """The newest tenure of a partition, whoever holds it; None if nobody ever took it."""

    async def ends(self) -> Mapping[int, int]:
        """The position of the newest record of every partition that was ever taken."""

    async def heads(self, partition: int) -> Sequence[Head]:
        """The live tables of a partition (phase other than closed), any order."""

    async def table_rows(self, table_id: str, first_version: int = 1, last_version: int | None = None) -> Sequence[Row]:
        """A table's rows by version, both ends included."""

    async def round_rows(self, table_id: str, round: int) -> Sequence[Row]:
        """The rows of one round of a table by version."""

    def partition_rows(self, partition: int, after: int = 0, batch: int = 500) -> AsyncIterator[Sequence[StoredRow]]:
        """Every committed row of a partition behind position `after`, in order, in batches, up to what is there now."""

    async def commit_of(self, table_id: str, version: int) -> Commit | None:
        """The commit that wrote a record: who, when (`at`), under which epoch."""

    async def commits_of(self, table_id: str, first_version: int, last_version: int) -> Sequence[tuple[int, Commit]]:
        """The commits that wrote these records of a table, in order, each with the last version in it."""

    async def tables(self, partition: int) -> Sequence[str]:
        """Every table id a partition ever held, in order of its first record."""

    async def close(self) -> None:
        """Give back what is held (connections)."""
