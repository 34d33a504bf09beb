"""Which tables a log holds and where each ends, found from the records alone: also of a table whose start is gone."""

from collections.abc import Sequence

from msgspec import Struct

from shared.eventlog.connection import Direct
from shared.eventlog.port import PARTITIONS

READ_SECONDS = 30.0


class Extent(Struct, frozen=True):
    """A table, its newest version and that record's hash as stored (hex)."""

    table: str
    version: int
    head: str


async def extents(url: str) -> list[Extent]:
    """Every table of the log, by partition and id. Raises Unreachable."""
    direct = Direct(url, None, "verify")
    try:
        return [each for partition in range(PARTITIONS) for each in await _extents(direct, partition)]
    finally:
        await direct.close()


async def _extents(direct: Direct, partition: int) -> Sequence[Extent]:
    found = await direct.fetch(_EXTENTS, partition, seconds=READ_SECONDS)
    return [Extent(table, version, hash.hex()) for table, version, hash in found]


# From one table's key to the next, so that the index is entered once a table and no record is read in between.
_EXTENTS = """
WITH RECURSIVE every (table_id) AS (
    (SELECT table_id FROM records WHERE partition = $1 ORDER BY partition, table_id LIMIT 1)
    UNION ALL
    SELECT (
        SELECT table_id FROM records
        WHERE partition = $1 AND table_id > every.table_id ORDER BY partition, table_id LIMIT 1
    ) FROM every WHERE every.table_id IS NOT NULL
)
SELECT every.table_id, newest.version, newest.hash
FROM every, LATERAL (
    SELECT version, hash FROM records
    WHERE partition = $1 AND table_id = every.table_id ORDER BY version DESC LIMIT 1
) AS newest
"""
