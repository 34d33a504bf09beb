"""What must hold of a log after anything at all happened to the processes that wrote it."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TypeAlias

import asyncpg
from msgspec import Struct

from services.cli.census import census
from services.cli.checking import Checked, Scope
from services.cli.verifying import check_all, cores
from shared.eventlog.connection import connect
from shared.eventlog.port import Unreachable, partition_of

GO_ON_SECONDS = 60.0
CONNECT_SECONDS = 60.0

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


class Acknowledged(Struct, frozen=True):
    """What a player was told. Without a receipt nothing was recorded."""

    id: str
    accepted: bool
    receipt: str = ""


Told = Mapping[str, Sequence[Acknowledged]]
"""Table -> every verdict that was told there."""


async def standing_still(url: str, names: Sequence[str]) -> tuple[str, ...]:
    """The tables that write no further record within a minute."""
    async with _connected(url) as connection:
        before = await _versions(connection)
        waiting, until = set(names), time.monotonic() + GO_ON_SECONDS
        while waiting and time.monotonic() < until:
            await asyncio.sleep(0.5)
            now = await _versions(connection)
            waiting = {name for name in waiting if now.get(name, 0) <= before.get(name, 0)}
    return tuple(sorted(waiting))


async def missing(url: str, told: Told) -> tuple[str, ...]:
    """Acknowledged verdicts that the log does not hold, or not as what they said."""
    found: list[str] = []
    async with _connected(url) as connection:
        for table, verdicts in told.items():
            rows = {row["hash"].hex(): row["body"] for row in await connection.fetch(_ROWS, partition_of(table), table)}
            wrong = (each for each in verdicts if each.receipt and not _holds(rows.get(each.receipt), each))
            found += [f"{table} {each.id}" for each in wrong]
    return tuple(found)


def verified(url: str) -> list[Checked]:
    """Every table of the log, decided again."""
    checked: list[Checked] = []
    check_all(url, Scope(tuple(each.table for each in asyncio.run(census(url)).tables)), cores(), checked.append)
    return checked


def _holds(body: bytes | None, told: Acknowledged) -> bool:
    if body is None:
        return False
    record = json.loads(body)
    return record.get("id") == told.id and ("events" in record) == told.accepted


_ROWS = "SELECT hash, body FROM records WHERE partition = $1 AND table_id = $2"
_VERSIONS = "SELECT table_id, max(version) AS version FROM records GROUP BY table_id"


async def _versions(connection: Connection) -> dict[str, int]:
    return {row["table_id"]: row["version"] for row in await connection.fetch(_VERSIONS)}


@asynccontextmanager
async def _connected(url: str) -> AsyncIterator[Connection]:
    """A connection without time-outs, however busy the machine is."""
    until = time.monotonic() + CONNECT_SECONDS
    while True:
        try:
            connection = await connect(url, None, "proof", patient=True)
            break
        except Unreachable:
            if time.monotonic() > until:
                raise
    try:
        yield connection
    finally:
        await connection.close()
