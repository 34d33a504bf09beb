"""Leases in Postgres, on its clock: over direct connections, without waiting for the disk (who crashes begins anew)."""

from collections.abc import Mapping, Sequence

import asyncpg

from shared.eventlog.connection import Direct
from shared.eventlog.port import Unreachable
from shared.leases.port import LEASE_MICROS, Holding, Lease, LeaseLost

ANSWER_SECONDS = 1.0
_FORGET_MICROS = 600_000_000
_NOW = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

_RENEW = f"""
WITH now AS (SELECT {_NOW} AS at), forgotten AS (
    DELETE FROM instances USING now WHERE expires_at < now.at - {_FORGET_MICROS} AND instance <> $1
)
INSERT INTO instances (instance, role, expires_at, backend, leaving)
SELECT $1, $2, now.at + {LEASE_MICROS}, pg_backend_pid(), $3 FROM now
ON CONFLICT (instance) DO UPDATE SET
    role = excluded.role, expires_at = excluded.expires_at, backend = excluded.backend, leaving = excluded.leaving
RETURNING expires_at - {LEASE_MICROS} AS at
"""

# The session is seen by its number alone, which everybody may see; nobody's lock is ever tried.
_HOLD = f"""
SELECT instance, role, expires_at, backend, leaving FROM instances
WHERE role = $1 AND $2 = (expires_at > {_NOW} AND expires_at <= {_NOW} + {LEASE_MICROS} AND EXISTS (
    SELECT FROM pg_stat_activity WHERE pid = instances.backend AND datname = current_database()))
"""

_ASK = """
INSERT INTO holdings (role, partition, asker) SELECT $1, partition, $3 FROM unnest($2::smallint[]) AS partition
ORDER BY partition
ON CONFLICT (role, partition) DO UPDATE SET asker = excluded.asker
"""

_CLAIM = """
INSERT INTO holdings (role, partition, instance) VALUES ($1, $2, $3)
ON CONFLICT (role, partition) DO UPDATE SET instance = excluded.instance, asker = NULL
    WHERE holdings.instance IS NOT DISTINCT FROM $4
RETURNING partition
"""

_HAND_OVER = "UPDATE holdings SET instance = NULL WHERE role = $1 AND partition = $2 AND instance = $3"


class PostgresLeases:
    """The Leases port. Two connections, so that a renewal never waits behind a claim."""

    def __init__(self, url: str, role: str | None, name: str) -> None:
        """`role` is the database role of the service ("quartet_table"), None to stay the URL's user."""
        self._lease = Direct(url, role, f"lease {name}", synchronous_commit="off")
        self._book = Direct(url, role, f"holdings {name}", synchronous_commit="off")

    async def renew(self, instance: str, role: str, leaving: bool = False) -> int:
        """See Leases.renew."""
        (renewed,) = await _answer(self._lease, _RENEW, instance, role, leaving)
        at = renewed["at"]
        assert isinstance(at, int)
        return at

    async def live(self, role: str) -> Sequence[Lease]:
        """See Leases.live."""
        return [Lease(*found) for found in await _answer(self._lease, _HOLD, role, True)]

    async def dead(self, role: str) -> Sequence[Lease]:
        """See Leases.dead."""
        return [Lease(*found) for found in await _answer(self._lease, _HOLD, role, False)]

    async def release(self, instance: str) -> None:
        """See Leases.release."""
        await _answer(self._lease, "DELETE FROM instances WHERE instance = $1", instance)

    async def holdings(self, role: str) -> Mapping[int, Holding]:
        """See Leases.holdings."""
        found = await _answer(self._lease, "SELECT partition, instance, asker FROM holdings WHERE role = $1", role)
        return {partition: Holding(instance, asker) for partition, instance, asker in found}

    async def ask(self, role: str, partitions: Sequence[int], instance: str) -> None:
        """See Leases.ask."""
        await _answer(self._book, _ASK, role, partitions, instance)

    async def claim(self, role: str, partition: int, instance: str, held_by: str | None) -> bool:
        """See Leases.claim."""
        return bool(await _answer(self._book, _CLAIM, role, partition, instance, held_by))

    async def hand_over(self, role: str, partition: int, instance: str) -> None:
        """See Leases.hand_over."""
        await _answer(self._book, _HAND_OVER, role, partition, instance)

    async def close(self) -> None:
        """See Leases.close."""
        await self._lease.close()
        await self._book.close()


async def _answer(connection: Direct, sql: str, *arguments: object) -> Sequence[asyncpg.Record]:
    try:
        return await connection.fetch(sql, *arguments, seconds=ANSWER_SECONDS)
    except Unreachable as failure:
        raise LeaseLost(*failure.args) from failure
