"""Rows for tests: chained, with a body of the usual size, of tables whose partition is chosen."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

from shared.eventlog.chain import genesis, link
from shared.eventlog.port import Entry, Row, Tenure, partition_of


def table_in(partition: int, number: int = 0, prefix: str = "table-") -> str:
    """The `number`th table id that falls into a partition."""
    ids = (f"{prefix}{i}" for i in itertools.count())
    return next(itertools.islice((i for i in ids if partition_of(i) == partition), number, None))


def rows_of(table_id: str, count: int, first_version: int = 1, round: int = 1, previous: bytes = b"") -> list[Row]:
    """A table's next rows; `previous` is the hash before them (of a new table: its genesis)."""
    previous = previous or genesis(table_id)
    rows = []
    for version in range(first_version, first_version + count):
        body = b'{"n":%d,"table":"%s","events":[]}' % (version, table_id.encode())
        previous = link(previous, version, body.ljust(245))
        rows.append(Row(table_id, version, round, 1_700_000_000_000_000 + version, body.ljust(245), previous))
    return rows


def entry(tenure: Tenure, count: int = 1, table_id: str = "") -> Entry:
    """An entry of the first rows of a table in the tenure's partition."""
    return Entry(tenure, rows_of(table_id or table_in(tenure.partition), count))


def after(tenure: Tenure, count: int) -> Tenure:
    """The tenure behind one more commit of `count` rows."""
    return replace(tenure, n=tenure.n + 1, position=tenure.position + count)


def bad(row: Row) -> Row:
    """The row as no database takes it: a hash that is too short."""
    return replace(row, hash=row.hash[:31])


def versions(rows: Sequence[Row]) -> list[int]:
    return [row.version for row in rows]
