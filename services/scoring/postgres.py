"""Projections in Postgres: every advance is one transaction that also moves the position it started from."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Executable, Row, Table, exists, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from services.scoring import searching
from services.scoring.forgotten import spared
from services.scoring.port import Change, Found, Result, RoundLine, Standing, TableLine
from shared.eventlog.connection import engine, reaching
from shared.eventlog.port import PARTITIONS
from shared.eventlog.schema import players, positions, races, results, rounds_index, standings, tables_index
from shared.wire.questions import Search

T = TypeVar("T", bound=msgspec.Struct)

READING, AUDIT, RATING = "scoring", "audit", "ratings"


class PostgresProjections:
    """The Projections port, over a pool of its own. `role` is "quartet_scoring", None to stay the URL's user."""

    def __init__(self, url: str, role: str | None, name: str, pool_size: int = 8) -> None:
        self._engine: AsyncEngine = engine(url, role, f"projections {name}", pool_size)
        self._transactions = self._engine.execution_options(isolation_level="READ COMMITTED")

    async def position(self, partition: int) -> int:
        return await self._position(READING, partition)

    async def advance(self, partition: int, before: int, after: int, change: Change) -> bool:
        with reaching():
            async with self._transactions.begin() as connection:
                if not await _move(connection, READING, partition, before, after):
                    return False
                change = await spared(connection, change)
                for table, lines in (
                    (tables_index, change.tables),
                    (rounds_index, change.rounds),
                    (results, change.results),
                    (races, change.races),
                ):
                    await _put(connection, table, lines)
                return True

    async def table(self, table_id: str) -> TableLine | None:
        found = await self._read(select(tables_index).where(tables_index.c.table_id == table_id))
        return _one(TableLine, found)

    async def tables(self, phases: Sequence[str], public: bool, most: int) -> Sequence[TableLine]:
        query = select(tables_index).where(tables_index.c.phase.in_(phases))
        if public:
            query = query.where(~tables_index.c.private)
        return _all(TableLine, await self._read(query.order_by(tables_index.c.at.desc()).limit(most)))

    async def round(self, table_id: str, round: int) -> RoundLine | None:
        key = (rounds_index.c.table_id == table_id, rounds_index.c.round == round)
        return _one(RoundLine, await self._read(select(rounds_index).where(*key)))

    async def rounds(self, table_id: str) -> Sequence[RoundLine]:
        mine = select(rounds_index).where(rounds_index.c.table_id == table_id)
        return _all(RoundLine, await self._read(mine.order_by(rounds_index.c.round)))

    async def unawarded(self, partition: int) -> Sequence[RoundLine]:
        waiting = select(tables_index.c.table_id).where(
            tables_index.c.partition == partition, tables_index.c.phase == "scoring"
        )
        mine = select(rounds_index).where(
            rounds_index.c.table_id.in_(waiting),
            rounds_index.c.stopped.is_not(None),
            rounds_index.c.awarded_at.is_(None),
        )
        return _all(RoundLine, await self._read(mine))

    async def with_awards(self) -> frozenset[int]:
        every = func.generate_series(0, PARTITIONS - 1).column_valued("every")
        found = exists().where(rounds_index.c.partition == every, rounds_index.c.position > 0)
        return frozenset(row[0] for row in await self._read(select(every).where(found)))

    async def awarded(self, partition: int, after: int, most: int) -> Sequence[RoundLine]:
        mine = select(rounds_index).where(rounds_index.c.partition == partition, rounds_index.c.position > after)
        return _all(RoundLine, await self._read(mine.order_by(rounds_index.c.position).limit(most)))

    async def audited(self, partition: int) -> int:
        return await self._position(AUDIT, partition)

    async def mark_audited(self, partition: int, position: int) -> None:
        with reaching():
            async with self._engine.connect() as connection:
                await _set(connection, AUDIT, partition, position)

    async def unplaced(self, most: int) -> tuple[int, Sequence[Result]]:
        waiting = select(results).where(results.c.place.is_(None)).order_by(results.c.at, results.c.table_id)
        found = await self._read(waiting.limit(most))
        return await self._position(RATING, 0), _all(Result, found)

    async def place(self, after: int, result: Result, lines: Sequence[Standing]) -> bool:
        mine = (results.c.table_id == result.table_id, results.c.round == result.round, results.c.place.is_(None))
        key = (*mine, results.c.sides == [list(side) for side in result.sides])
        with reaching():
            async with self._transactions.connect() as connection, connection.begin() as transaction:
                moved = await _move(connection, RATING, 0, after, after + 1)
                mark = update(results).where(*key).values(place=after + 1)
                if not moved or (await connection.execute(mark)).rowcount != 1:
                    await transaction.rollback()
                    return False
                await _put(connection, standings, lines)
                return True

    async def standings_of(self, game: str, players: Sequence[str]) -> Mapping[str, Standing]:
        mine = select(standings).where(standings.c.game == game, standings.c.player_id.in_(players))
        return {line.player_id: line for line in _all(Standing, await self._read(mine))}

    async def standings(self, game: str, most: int) -> Sequence[Standing]:
        mine = select(standings).where(standings.c.game == game)
        best = mine.order_by((standings.c.mu - 3 * standings.c.sigma).desc()).limit(most)
        return _all(Standing, await self._read(best))

    async def search(self, wanted: Search) -> Sequence[Found]:
        return _all(Found, await self._read(searching.query(wanted)))

    async def namesakes(self, wanted: Search) -> Mapping[str, str]:
        return {row.player: row.name for row in await self._read(searching.namesakes(wanted))}

    async def names(self, people: Sequence[str]) -> Mapping[str, str]:
        mine = select(players.c.player_id, players.c.name).where(players.c.player_id.in_(people), ~players.c.forgotten)
        return {row.player_id: row.name for row in await self._read(mine)}

    async def close(self) -> None:
        """Give the connections back."""
        await self._engine.dispose()

    async def _position(self, projection: str, partition: int) -> int:
        key = (positions.c.projection == projection, positions.c.partition == partition)
        found = await self._read(select(positions.c.position).where(*key))
        return int(found[0].position) if found else 0

    async def _read(self, statement: Executable) -> Sequence[Row[Any]]:
        with reaching():
            async with self._engine.connect() as connection:
                return (await connection.execute(statement)).all()


async def _move(connection: AsyncConnection, projection: str, partition: int, before: int, after: int) -> bool:
    """Move a position from `before`; whoever moves it at the same time waits here and then fails."""
    if before == 0:
        first = insert(positions).values(projection=projection, partition=partition, position=0)
        await connection.execute(first.on_conflict_do_nothing())
    key = (positions.c.projection == projection, positions.c.partition == partition)
    move = update(positions).where(*key, positions.c.position == before).values(position=after)
    return (await connection.execute(move)).rowcount == 1


async def _set(connection: AsyncConnection, projection: str, partition: int, position: int) -> None:
    put = insert(positions).values(projection=projection, partition=partition, position=position)
    key = [positions.c.projection, positions.c.partition]
    await connection.execute(put.on_conflict_do_update(index_elements=key, set_={"position": position}))


async def _put(connection: AsyncConnection, table: Table, lines: Sequence[msgspec.Struct]) -> None:
    """Insert lines or replace those of the same key; in the order of their keys, so that nobody waits crosswise."""
    if not lines:
        return
    key = [column.name for column in table.primary_key]
    rows = sorted((msgspec.structs.asdict(line) for line in lines), key=lambda row: [row[name] for name in key])
    put = insert(table)
    changed = {name: put.excluded[name] for name in rows[0] if name not in key}
    await connection.execute(put.on_conflict_do_update(index_elements=key, set_=changed), rows)


def _all(kind: type[T], found: Sequence[Row[Any]]) -> list[T]:
    """Rows as the structs they were, arrays as tuples again; columns that a struct does not have are left out."""
    return [msgspec.convert({str(name): value for name, value in row._mapping.items()}, kind) for row in found]


def _one(kind: type[T], found: Sequence[Row[Any]]) -> T | None:
    return next(iter(_all(kind, found)), None)
