"""The one statement of an append, and its parameters as columns."""

from collections.abc import Sequence

from shared.eventlog.port import Entry, Head, Row, partition_of

NOW = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

# Partitions in order: two batches never wait for each other crosswise. The join with commit n - 1 and the unique key of
# commit n are the fence. A closed table has no head.
_APPEND = f"""
WITH wanted AS (
    SELECT * FROM unnest($2::smallint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::integer[])
        AS wanted (partition, n, epoch, base, rows)
), won AS (
    INSERT INTO commits (partition, n, epoch, owner, base, rows, at)
    SELECT w.partition, w.n, w.epoch, $1, w.base, w.rows, {NOW}
    FROM wanted w CROSS JOIN LATERAL
        (SELECT epoch, base, rows FROM commits WHERE partition = w.partition AND n = w.n - 1 LIMIT 1) AS last
    WHERE last.epoch = w.epoch AND last.base + last.rows = w.base
    ORDER BY w.partition
    ON CONFLICT DO NOTHING
    RETURNING partition
), written AS (
    INSERT INTO records (partition, position, table_id, version, round, at, body, hash)
    SELECT row.* FROM unnest($7::smallint[], $8::bigint[], $9::text[], $10::bigint[], $11::integer[], $12::bigint[],
        $13::bytea[], $14::bytea[]) AS row (partition, position, table_id, version, round, at, body, hash)
    JOIN won USING (partition)
)"""
_HEADS = """, changed AS (
    SELECT head.* FROM unnest($15::smallint[], $16::text[], $17::integer[], $18::bigint[], $19::bigint[], $20::text[])
        AS head (partition, table_id, round, first_version, due, phase)
    JOIN won USING (partition)
), closed AS (
    DELETE FROM heads USING changed
    WHERE changed.phase = 'closed' AND heads.partition = changed.partition AND heads.table_id = changed.table_id
), live AS (
    INSERT INTO heads (partition, table_id, round, first_version, due, phase)
    SELECT * FROM changed WHERE phase <> 'closed'
    ON CONFLICT (partition, table_id) DO UPDATE SET
        round = excluded.round, first_version = excluded.first_version, due = excluded.due, phase = excluded.phase
)"""
_WON = " SELECT partition FROM won"

COMMITTED = """
SELECT partition FROM commits JOIN unnest($1::smallint[], $2::bigint[], $3::bigint[]) AS mine (partition, n, epoch)
    USING (partition, n, epoch)
"""


def statement(entries: Sequence[Entry]) -> tuple[str, Sequence[Sequence[object]]]:
    """The SQL and its parameters behind the owner: columns of commits, of records and, where there are any, heads."""
    rows: list[tuple[int, int, Row]] = []
    heads: dict[str, tuple[int, Head]] = {}  # a table's last head counts
    for entry in entries:
        partition = entry.tenure.partition
        rows += [(partition, position, row) for position, row in enumerate(entry.rows, entry.tenure.position + 1)]
        heads |= {head.table_id: (partition, head) for head in entry.heads}
    for partition, _, row in rows:
        if partition_of(row.table_id) != partition:
            raise ValueError(f"table {row.table_id!r} is not of partition {partition}")
    columns = [*_commit_columns(entries), *_record_columns(rows)]
    if not heads:
        return _APPEND + _WON, columns
    return _APPEND + _HEADS + _WON, [*columns, *_head_columns(list(heads.values()))]


def _commit_columns(entries: Sequence[Entry]) -> Sequence[Sequence[int]]:
    tenures = [entry.tenure for entry in entries]
    return [
        [t.partition for t in tenures],
        [t.n + 1 for t in tenures],
        [t.epoch for t in tenures],
        [t.position for t in tenures],
        [len(entry.rows) for entry in entries],
    ]


def _record_columns(rows: Sequence[tuple[int, int, Row]]) -> Sequence[Sequence[object]]:
    return [
        [partition for partition, _, _ in rows],
        [position for _, position, _ in rows],
        [row.table_id for _, _, row in rows],
        [row.version for _, _, row in rows],
        [row.round for _, _, row in rows],
        [row.at for _, _, row in rows],
        [row.body for _, _, row in rows],
        [row.hash for _, _, row in rows],
    ]


def _head_columns(heads: Sequence[tuple[int, Head]]) -> Sequence[Sequence[object]]:
    return [
        [partition for partition, _ in heads],
        [head.table_id for _, head in heads],
        [head.round for _, head in heads],
        [head.first_version for _, head in heads],
        [head.due for _, head in heads],
        [head.phase for _, head in heads],
    ]
