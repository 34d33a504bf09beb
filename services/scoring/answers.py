"""Answers auditors' questions (ask.scoring): the records of awarded rounds, exactly as stored, with their hashes."""

from collections.abc import Sequence
from typing import assert_never

from services.scoring.bundles import Bundles
from services.scoring.port import Projections, RoundLine
from services.scoring.room import replay
from shared.eventlog.port import EventLog, Row
from shared.wire.questions import PAGE_BYTES_MAX, RECORDS_MAX, Page, Question


async def answer(log: EventLog, store: Projections, bundles: Bundles, question: Question) -> Page:
    """One page. What an open round holds is told to nobody (C-11). Raises Unreachable."""
    line = await store.round(question.table, question.round)
    if line is None:
        known = await store.table(question.table)
        return Page("no_such_table" if known is None else "no_such_round")
    if line.awarded_at is None or line.last_version is None:
        return Page("round_open")
    match question.kind:
        case "records":
            return await _records(log, line, line.last_version, question)
        case "bundle":
            return await bundles.page(question)
        case "replay":
            return await replay(log, store, line, line.last_version, question)
        case _:
            assert_never(question.kind)


async def _records(log: EventLog, line: RoundLine, last: int, question: Question) -> Page:
    first = max(question.start, line.first_version)
    wanted = min(last, first + max(1, min(question.limit, RECORDS_MAX)) - 1)
    rows = await log.table_rows(line.table_id, first, wanted)
    body, taken = page(rows)
    behind = first + taken
    return Page("ok", body, behind if taken and behind <= last else None)


def page(rows: Sequence[Row]) -> tuple[bytes, int]:
    """As many rows as fit as a JSON array, and how many; always one."""
    parts: list[bytes] = []
    size = 2
    for row in rows:
        part = b'{"hash":"%b","record":%b}' % (row.hash.hex().encode(), row.body)
        size += len(part) + 1
        if parts and size > PAGE_BYTES_MAX:
            break
        parts.append(part)
    return b"[%b]" % b",".join(parts), len(parts)
