"""The ledger in Postgres: unique places and a checkpoint in the same transaction are what keeps two writers apart."""

from collections.abc import Mapping, Sequence
from typing import Any

import asyncpg
from sqlalchemy import Executable, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from shared.eventlog.connection import engine, reaching
from shared.eventlog.schema import checkpoints, leaves, rounds_index
from shared.ledger.port import Signed
from shared.proof.seal import Leaf

_CHECKPOINT = (checkpoints.c.size, checkpoints.c.root, checkpoints.c.note, checkpoints.c.key, checkpoints.c.at)
_LEAF = (leaves.c.table_id, leaves.c.round, leaves.c.version, leaves.c.head)
_WAITS = (rounds_index.c.position.is_not(None), rounds_index.c.sealed.is_(None))


class PostgresLedger:
    """The Ledger port. `role` is that of the service: scoring's may write, a gateway's read."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._transactions = engine.execution_options(isolation_level="READ COMMITTED")

    @classmethod
    def connect(cls, url: str, role: str | None, name: str, pool_size: int = 2) -> "PostgresLedger":
        """A pool of its own."""
        return cls(engine(url, role, f"ledger {name}", pool_size))

    async def newest(self) -> Signed | None:
        return await self._checkpoint(select(*_CHECKPOINT).order_by(checkpoints.c.size.desc()))

    async def first_with(self, index: int) -> Signed | None:
        return await self._checkpoint(
            select(*_CHECKPOINT).where(checkpoints.c.size > index).order_by(checkpoints.c.size)
        )

    async def leaves(self, first: int, most: int) -> Sequence[bytes]:
        found = select(leaves.c.leaf).where(leaves.c.index >= first, leaves.c.index < first + most)
        return [row.leaf for row in await self._read(found.order_by(leaves.c.index))]

    async def place(self, table_id: str, round: int) -> tuple[int, Leaf] | None:
        mine = (leaves.c.table_id == table_id, leaves.c.round == round)
        for index, *leaf in await self._read(select(leaves.c.index, *_LEAF).where(*mine)):
            return index, Leaf(*leaf)
        return None

    async def sealed(self, table_id: str, first: int, last: int) -> Mapping[int, Leaf]:
        mine = (leaves.c.table_id == table_id, leaves.c.round >= first, leaves.c.round <= last)
        return {leaf.round: Leaf(*leaf) for leaf in await self._read(select(*_LEAF).where(*mine))}

    async def unsealed(self, most: int) -> Sequence[Leaf]:
        """Rounds that a projection read anew no longer knows to be sealed are given their places back first."""
        await self._remember()
        columns = (rounds_index.c.table_id, rounds_index.c.round, rounds_index.c.last_version, rounds_index.c.head)
        order = (rounds_index.c.awarded_at, rounds_index.c.table_id, rounds_index.c.round)
        return [Leaf(*row) for row in await self._read(select(*columns).where(*_WAITS).order_by(*order).limit(most))]

    async def append(self, first: int, new: Sequence[Leaf], signed: Signed) -> bool:
        rows = [
            {
                "index": index, "table_id": leaf.table, "round": leaf.round, "version": leaf.version,
                "head": leaf.head, "leaf": leaf.bytes,
            }
            for index, leaf in enumerate(new, first)
        ]  # fmt: skip
        checkpoint = {
            "size": signed.size, "root": signed.root, "note": signed.note, "key": signed.key, "at": signed.at,
        }  # fmt: skip
        places = [{"t": leaf.table, "r": leaf.round, "at": index} for index, leaf in enumerate(new, first)]
        try:
            with reaching():
                async with self._transactions.begin() as connection:
                    await connection.execute(insert(leaves), rows)
                    await connection.execute(insert(checkpoints).values(checkpoint))
                    await connection.execute(_SEAL, places)
        except IntegrityError as conflict:
            if isinstance(_cause(conflict), asyncpg.UniqueViolationError):
                return False
            raise
        return True

    async def close(self) -> None:
        """Give the connections back."""
        await self._engine.dispose()

    async def _remember(self) -> None:
        known = (leaves.c.table_id == rounds_index.c.table_id, leaves.c.round == rounds_index.c.round)
        with reaching():
            async with self._engine.connect() as connection:
                await connection.execute(update(rounds_index).where(*_WAITS, *known).values(sealed=leaves.c.index))

    async def _checkpoint(self, query: Any) -> Signed | None:
        return next((Signed(*row) for row in await self._read(query.limit(1))), None)

    async def _read(self, statement: Executable) -> Sequence[Any]:
        with reaching():
            async with self._engine.connect() as connection:
                return (await connection.execute(statement)).all()


_SEAL = (
    update(rounds_index)
    .where(rounds_index.c.table_id == bindparam("t"), rounds_index.c.round == bindparam("r"))
    .values(sealed=bindparam("at"))
)


def _cause(failure: IntegrityError) -> BaseException | None:
    return None if failure.orig is None else failure.orig.__cause__
