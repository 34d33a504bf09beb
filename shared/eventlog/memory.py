"""An event log in memory, with the contract of the real one: a database for simulations and for a demo without servers.

One object is the database; services that share it share the log.
"""

from bisect import bisect_left
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from shared.eventlog.port import (
    PARTITIONS,
    BadRow,
    Commit,
    Entry,
    Head,
    Outcome,
    Row,
    StoredRow,
    Tenure,
    partition_of,
)

_INT_MAX = 2**63


@dataclass(slots=True)
class _Partition:
    commits: list[Commit] = field(default_factory=list)
    rows: list[StoredRow] = field(default_factory=list)
    tables: dict[str, dict[int, StoredRow]] = field(default_factory=dict)
    heads: dict[str, Head] = field(default_factory=dict)


class MemoryEventLog:
    """`now` is the database's clock in µs. Every call is one step of the event loop, so nothing is ever half done."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._partitions = [_Partition() for _ in range(PARTITIONS)]

    async def append(self, owner: str, entries: Sequence[Entry]) -> Mapping[int, Outcome]:
        """See EventLog.append."""
        won = [entry for entry in entries if self._next_of(entry)]
        for entry in won:
            self._check(entry)
        for entry in won:
            self._write(owner, entry)
        return {entry.tenure.partition: self._outcome(entry) for entry in entries}

    async def take(self, owner: str, partition: int) -> Tenure:
        """See EventLog.take."""
        last = await self.tenure(partition) or Tenure(partition, 0, 0, 0)
        commit = Commit(partition, last.n + 1, last.epoch + 1, owner, last.position, 0, self._now())
        self._partitions[partition].commits.append(commit)
        return Tenure(partition, commit.epoch, commit.n, commit.base)

    async def tenure(self, partition: int) -> Tenure | None:
        """See EventLog.tenure."""
        commits = self._partitions[partition].commits
        return _tenure_after(commits[-1]) if commits else None

    async def ends(self) -> Mapping[int, int]:
        """See EventLog.ends."""
        return {number: len(one.rows) for number, one in enumerate(self._partitions) if one.commits}

    async def heads(self, partition: int) -> Sequence[Head]:
        """See EventLog.heads."""
        return list(self._partitions[partition].heads.values())

    async def table_rows(self, table_id: str, first_version: int = 1, last_version: int | None = None) -> Sequence[Row]:
        """See EventLog.table_rows."""
        return [
            stored.row
            for stored in self._table(table_id)
            if first_version <= stored.row.version and (last_version is None or stored.row.version <= last_version)
        ]

    async def round_rows(self, table_id: str, round: int) -> Sequence[Row]:
        """See EventLog.round_rows."""
        return [stored.row for stored in self._table(table_id) if stored.row.round == round]

    async def partition_rows(
        self, partition: int, after: int = 0, batch: int = 500
    ) -> AsyncIterator[Sequence[StoredRow]]:
        """See EventLog.partition_rows."""
        rows = self._partitions[partition].rows
        end = len(rows)
        while after < end:
            yield rows[after : min(after + batch, end)]
            after += batch

    async def commit_of(self, table_id: str, version: int) -> Commit | None:
        """See EventLog.commit_of."""
        partition = self._partitions[partition_of(table_id)]
        stored = partition.tables.get(table_id, {}).get(version)
        if stored is None:
            return None
        first = bisect_left(partition.commits, stored.position, key=lambda commit: commit.base + commit.rows)
        return partition.commits[first]

    async def commits_of(self, table_id: str, first_version: int, last_version: int) -> Sequence[tuple[int, Commit]]:
        """See EventLog.commits_of."""
        found: dict[int, tuple[int, Commit]] = {}
        for version in range(first_version, last_version + 1):
            commit = await self.commit_of(table_id, version)
            if commit is not None:
                found[commit.n] = version, commit
        return list(found.values())

    async def tables(self, partition: int) -> Sequence[str]:
        """See EventLog.tables."""
        return list(self._partitions[partition].tables)

    async def close(self) -> None:
        """Nothing is held."""

    def _table(self, table_id: str) -> Iterable[StoredRow]:
        return self._partitions[partition_of(table_id)].tables.get(table_id, {}).values()

    def _next_of(self, entry: Entry) -> bool:
        commits = self._partitions[entry.tenure.partition].commits
        return bool(commits) and _tenure_after(commits[-1]) == entry.tenure

    def _outcome(self, entry: Entry) -> Outcome:
        commits = self._partitions[entry.tenure.partition].commits
        n = entry.tenure.n  # commit n + 1 is at index n
        mine = n < len(commits) and commits[n].epoch == entry.tenure.epoch
        return Outcome.COMMITTED if mine else Outcome.FENCED

    def _check(self, entry: Entry) -> None:
        tables = self._partitions[entry.tenure.partition].tables
        seen: set[tuple[str, int]] = set()
        for row in entry.rows:
            key = row.table_id, row.version
            if key in seen or row.version in tables.get(row.table_id, {}) or not _storable(row, entry.tenure.partition):
                raise BadRow(f"table {row.table_id!r}, version {row.version}")
            seen.add(key)

    def _write(self, owner: str, entry: Entry) -> None:
        partition, last = self._partitions[entry.tenure.partition], entry.tenure
        commit = Commit(last.partition, last.n + 1, last.epoch, owner, last.position, len(entry.rows), self._now())
        partition.commits.append(commit)
        for position, row in enumerate(entry.rows, last.position + 1):
            stored = StoredRow(last.partition, position, row)
            partition.rows.append(stored)
            partition.tables.setdefault(row.table_id, {})[row.version] = stored
        for head in entry.heads:
            partition.heads[head.table_id] = head
            if head.phase == "closed":
                del partition.heads[head.table_id]


def _tenure_after(commit: Commit) -> Tenure:
    return Tenure(commit.partition, commit.epoch, commit.n, commit.base + commit.rows)


def _storable(row: Row, partition: int) -> bool:
    numbers = 1 <= row.version < _INT_MAX and 0 <= row.round < 2**31 and -_INT_MAX <= row.at < _INT_MAX
    return numbers and len(row.hash) == 32 and _is_text(row.table_id) and partition_of(row.table_id) == partition


def _is_text(value: str) -> bool:
    return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
