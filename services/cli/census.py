"""What a log holds by its own account: its tables and where each ends, and what was committed and is gone.

Nothing is decided again here; it takes a few look-ups a table.
"""

from collections.abc import Sequence

from msgspec import Struct

from shared.eventlog.connection import Direct
from shared.eventlog.port import PARTITIONS

READ_SECONDS = 30.0
LEAVES_BATCH = 20_000


class Extent(Struct, frozen=True):
    """A table, its newest version and that record's hash as stored (hex)."""

    table: str
    version: int
    head: str


class Lost(Struct, frozen=True):
    """So many of a partition's committed records are behind the end of no table: tails or tables that were cut off."""

    partition: int
    records: int


class Unsealed(Struct, frozen=True):
    """A sealed round whose last record is gone, or is not the one that was sealed."""

    table: str
    round: int
    version: int


class Census(Struct, frozen=True):
    """Every table of the log, by partition and id, and what is missing."""

    tables: tuple[Extent, ...]
    lost: tuple[Lost, ...]
    unsealed: tuple[Unsealed, ...]


async def census(url: str) -> Census:
    """Raises Unreachable."""
    direct = Direct(url, None, "verify")
    tables: list[Extent] = []
    lost: list[Lost] = []
    try:
        for partition in range(PARTITIONS):
            found, missing = await _partition(direct, partition)
            tables += found
            lost += [Lost(partition, missing)] if missing else []
        return Census(tuple(tables), tuple(lost), tuple(await _unsealed(direct)))
    finally:
        await direct.close()


async def _partition(direct: Direct, partition: int) -> tuple[Sequence[Extent], int]:
    """Its tables, and how many records are missing: versions count a table's records, positions the partition's."""
    rows = await direct.fetch(_TABLES, partition, seconds=READ_SECONDS)
    found = [Extent(table, version, hash.hex()) for _, table, version, hash in rows if table is not None]
    return found, max(0, (rows[0][0] or 0) - sum(each.version for each in found))


async def _unsealed(direct: Direct) -> Sequence[Unsealed]:
    found: list[Unsealed] = []
    first, count = 0, LEAVES_BATCH
    while count == LEAVES_BATCH:
        rows = await direct.fetch(_LEAVES, first, LEAVES_BATCH, seconds=READ_SECONDS)
        count = rows[0][0]
        found += [Unsealed(table, round, version) for _, table, round, version in rows if table is not None]
        first += LEAVES_BATCH
    return found


# From one table's key to the next, so that the index is entered once a table and no record is read in between.
# A table whose first record is gone is found like any other. One statement, so that all of it is of one moment.
_TABLES = """
WITH RECURSIVE every (table_id) AS (
    (SELECT table_id FROM records WHERE partition = $1 ORDER BY partition, table_id LIMIT 1)
    UNION ALL
    SELECT (
        SELECT table_id FROM records
        WHERE partition = $1 AND table_id > every.table_id ORDER BY partition, table_id LIMIT 1
    ) FROM every WHERE every.table_id IS NOT NULL
),
ends AS (
    SELECT every.table_id, newest.version, newest.hash
    FROM every, LATERAL (
        SELECT version, hash FROM records
        WHERE partition = $1 AND table_id = every.table_id ORDER BY version DESC LIMIT 1
    ) AS newest
)
SELECT committed.position, ends.table_id, ends.version, ends.hash
FROM (SELECT max(base + rows) AS position FROM commits WHERE partition = $1) AS committed LEFT JOIN ends ON true
"""

_LEAVES = """
WITH page AS (SELECT * FROM leaves WHERE index >= $1 ORDER BY index LIMIT $2)
SELECT counted.leaves, wrong.* FROM (SELECT count(*) AS leaves FROM page) AS counted LEFT JOIN (
    SELECT page.table_id, page.round, page.version FROM page LEFT JOIN records
    ON records.partition = (get_byte(sha256(convert_to(page.table_id, 'UTF8')), 0) % 64)::smallint
        AND records.table_id = page.table_id AND records.version = page.version
    WHERE records.hash IS NULL OR encode(records.hash, 'hex') <> page.head
) AS wrong ON true
"""
