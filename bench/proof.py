"""What must hold of a log after anything at all happened to the processes that wrote it."""

import asyncio
import json
import time
from collections.abc import Mapping, Sequence

from msgspec import Struct

from services.cli.verifying import Checked, Scope, check_all, cores, tables
from shared.eventlog.port import EventLog
from shared.eventlog.postgres import PostgresEventLog

GO_ON_SECONDS = 60.0


class Acknowledged(Struct, frozen=True):
    """What a player was told. Without a receipt nothing was recorded."""

    id: str
    accepted: bool
    receipt: str = ""


Told = Mapping[str, Sequence[Acknowledged]]
"""Table -> every verdict that was told there."""


async def standing_still(url: str, names: Sequence[str]) -> tuple[str, ...]:
    """The tables that write no further record within a minute."""
    log = PostgresEventLog(url, None, "proof")
    before = {name: await _last(log, name) for name in names}
    waiting, until = set(names), time.monotonic() + GO_ON_SECONDS
    while waiting and time.monotonic() < until:
        await asyncio.sleep(0.5)
        waiting -= {name for name in waiting if await log.table_rows(name, before[name] + 1)}
    await log.close()
    return tuple(sorted(waiting))


async def missing(url: str, told: Told) -> tuple[str, ...]:
    """Acknowledged verdicts that the log does not hold, or not as what they said."""
    log, found = PostgresEventLog(url, None, "proof"), list[str]()
    for table, verdicts in told.items():
        rows = {row.hash.hex(): row.body for row in await log.table_rows(table)}
        found += [
            f"{table} {each.id}" for each in verdicts if each.receipt and not _holds(rows.get(each.receipt), each)
        ]
    await log.close()
    return tuple(found)


def verified(url: str) -> list[Checked]:
    """Every table of the log, decided again."""
    checked: list[Checked] = []
    check_all(url, Scope(tuple(asyncio.run(_tables(url)))), cores(), checked.append)
    return checked


def _holds(body: bytes | None, told: Acknowledged) -> bool:
    if body is None:
        return False
    record = json.loads(body)
    return record.get("id") == told.id and ("events" in record) == told.accepted


async def _last(log: EventLog, name: str) -> int:
    rows = await log.table_rows(name)
    return rows[-1].version if rows else 0


async def _tables(url: str) -> list[str]:
    log = PostgresEventLog(url, None, "proof", pool_size=1)
    try:
        return await tables(log)
    finally:
        await log.close()
