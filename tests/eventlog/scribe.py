"""A table service without games: it writes one table a partition as fast as it can, and announces each committed record
as a service would its verdict. As a program: `python -m tests.eventlog.scribe URL NAME`, announcing on stdout."""

import asyncio
import sys
import time
from collections.abc import Callable

from shared.eventlog.appender import Appender, Fate
from shared.eventlog.chain import genesis, link
from shared.eventlog.port import Head, Row
from shared.eventlog.postgres import PostgresEventLog
from shared.leases.postgres import PostgresLeases
from shared.leases.tenancy import Tenancy
from tests.eventlog.rows import table_in

PARTITIONS = 6
ROLE = "quartet_table"


def monotonic() -> int:
    return time.monotonic_ns() // 1_000


class Scribe:
    """One instance. `say` gets "<partition> <version> <hash>", "taken <partition>", "lost <partition>"."""

    def __init__(self, url: str, name: str, say: Callable[[str], None]) -> None:
        self._name = name
        self._say = say
        self._log = PostgresEventLog(url, ROLE, name, pool_size=4)
        self._leases = PostgresLeases(url, ROLE, name)
        self._appender = Appender(self._log, name, monotonic)
        self._writing: set[int] = set()
        self.tenancy = Tenancy(self._leases, name, "table", self, PARTITIONS, monotonic)

    async def run(self) -> None:
        """Work until cancelled or drained."""
        committing = asyncio.create_task(self._appender.run())
        try:
            await self.tenancy.run()
        finally:
            committing.cancel()
            await self._log.close()
            await self._leases.close()

    async def take(self, partition: int) -> None:
        tenure = await self._log.take(self._name, partition)
        start = {head.table_id: head.first_version for head in await self._log.heads(partition)}
        rows = await self._log.table_rows(table_in(partition), start.get(table_in(partition), 1))
        self._appender.open(tenure)
        self._writing.add(partition)
        self._say(f"taken {partition}")
        version, previous = (rows[-1].version, rows[-1].hash) if rows else (0, genesis(table_in(partition)))
        self._write(partition, version + 1, previous)

    async def hand_over(self, partition: int) -> None:
        self._writing.discard(partition)
        await self._appender.finish(partition)

    def lose(self, partition: int) -> None:
        self._writing.discard(partition)
        self._appender.close(partition)
        self._say(f"lost {partition}")

    def _write(self, partition: int, version: int, previous: bytes) -> None:
        body = f"{self._name} wrote {version}".encode()
        row = Row(table_in(partition), version, 1, version, body, link(previous, version, body))

        def told(fate: Fate) -> None:
            if fate is Fate.FENCED:
                self.tenancy.fenced(partition)
            elif fate is Fate.COMMITTED:
                if self.tenancy.holds(partition):
                    self._say(f"{partition} {version} {row.hash.hex()}")
                if partition in self._writing:
                    self._write(partition, version + 1, row.hash)

        heads = [Head(row.table_id, 1, version, None, "playing")] if version % 50 == 1 else []
        self._appender.submit(partition, row.table_id, [row], heads, told)


if __name__ == "__main__":
    asyncio.run(Scribe(sys.argv[1], sys.argv[2], lambda line: print(line, flush=True)).run())
