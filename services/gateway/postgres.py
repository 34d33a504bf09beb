"""The store on Postgres (migrations/), as the role quartet_gateway, which can't read the log."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Executable, MetaData, Row, Table, any_, func, literal, select
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, insert
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.schema import Column
from sqlalchemy.types import BigInteger, Boolean, Float, Integer, LargeBinary, Text, TypeEngine

from services.gateway.store import OpenTable, Pack, RoundLine, Standing, TableCode
from shared.eventlog.connection import engine, reaching
from shared.eventlog.port import Unreachable

ROLE = "quartet_gateway"
POOL_SIZE = 4

_meta = MetaData()


def _table(name: str, /, **columns: type[TypeEngine[Any]] | TypeEngine[Any]) -> Table:
    return Table(name, _meta, *(Column(column, kind) for column, kind in columns.items()))


_players = _table("players", player_id=Text, name=Text, created_at=BigInteger, forgotten=Boolean)
_codes = _table(
    "codes", code=Text, table_id=Text, player_id=Text, request_id=Text, game=Text, private=Boolean, at=BigInteger
)
_packs = _table("packs", hash=Text, name=Text, language=Text, families=LargeBinary, player_id=Text, at=BigInteger)
_pictures = _table("pictures", hash=Text, png=LargeBinary)
_lobby = _table(
    "tables_index", table_id=Text, game=Text, seats=Integer, taken=Integer, phase=Text, private=Boolean, host=Text,
    round=Integer, at=BigInteger, bots=Integer,
)  # fmt: skip
_rounds = _table(
    "rounds_index", table_id=Text, round=Integer, started=BigInteger, stopped=BigInteger, how=Text, points=JSONB,
    verified=Boolean, awarded_at=BigInteger, sealed=BigInteger, players=ARRAY(Text),
)  # fmt: skip
_standings = _table(
    "standings", game=Text, player_id=Text, played=Integer, won=Integer, points=BigInteger, mu=Float, sigma=Float
)


class PostgresStore:
    """One pool of connections. Every call raises Unreachable while the database is away."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @classmethod
    def connect(cls, url: str, name: str) -> "PostgresStore":
        """Connections are made when first needed; `name` is shown to operators."""
        return cls(engine(url, ROLE, name, POOL_SIZE))

    async def add_player(self, player: str, name: str, at: int) -> None:
        await self._write(insert(_players).values(player_id=player, name=name, created_at=at, forgotten=False))

    async def player_name(self, player: str) -> str | None:
        found = select(_players.c.name).where(_players.c.player_id == player, ~_players.c.forgotten)
        rows = await self._read(found)
        return rows[0][0] if rows else None

    async def known(self, players: Collection[str]) -> Collection[str]:
        among = _players.c.player_id == any_(literal(list(players), ARRAY(Text)))
        return [row[0] for row in await self._read(select(_players.c.player_id).where(among, ~_players.c.forgotten))]

    async def reserve(self, request_id: str, table: TableCode, at: int) -> TableCode | None:
        values = {
            "code": table.code, "table_id": table.table_id, "player_id": table.player, "request_id": request_id,
            "game": table.game, "private": table.private, "at": at,
        }  # fmt: skip
        made = await self._read(insert(_codes).values(values).on_conflict_do_nothing().returning(_codes.c.code))
        if made:
            return table
        return await self.requested(table.player, request_id)

    async def requested(self, player: str, request_id: str) -> TableCode | None:
        return await self._code((_codes.c.player_id == player) & (_codes.c.request_id == request_id))

    async def table(self, table_id: str) -> TableCode | None:
        return await self._code(_codes.c.table_id == table_id)

    async def table_of_code(self, code: str) -> TableCode | None:
        return await self._code(_codes.c.code == code)

    async def open_tables(self, limit: int) -> Sequence[OpenTable]:
        found = (
            select(_lobby, _codes.c.code, _players.c.name)
            .join(_codes, _codes.c.table_id == _lobby.c.table_id)
            .outerjoin(_players, (_players.c.player_id == _lobby.c.host) & ~_players.c.forgotten)
            .where(_lobby.c.phase != "closed", ~_lobby.c.private)
            .order_by(_lobby.c.at.desc())
            .limit(limit)
        )
        return [
            OpenTable(
                row.table_id, row.code, row.game, row.seats, row.taken, row.phase, row.private, row.name, row.round,
                row.at,
            )
            for row in await self._read(found)
        ]  # fmt: skip

    async def rounds(self, table_id: str) -> Sequence[RoundLine]:
        found = select(_rounds).where(_rounds.c.table_id == table_id).order_by(_rounds.c.round)
        return [
            RoundLine(
                row.round, row.started, row.stopped, row.how, row.points, row.verified, row.awarded_at, row.sealed
            )
            for row in await self._read(found)
        ]

    async def played(self, table_id: str, round: int | None, player: str) -> bool:
        mine = select(_rounds.c.round).where(_rounds.c.table_id == table_id, _rounds.c.players.contains([player]))
        return bool(await self._read(mine.where(_rounds.c.round == round) if round is not None else mine.limit(1)))

    async def standings(self, game: str, limit: int) -> Sequence[Standing]:
        found = (
            select(_standings, _players.c.name)
            .join(_players, _players.c.player_id == _standings.c.player_id)
            .where(_standings.c.game == game, ~_players.c.forgotten)
            .order_by((_standings.c.mu - 3 * _standings.c.sigma).desc(), _standings.c.player_id)
            .limit(limit)
        )
        return [
            Standing(row.player_id, row.name, row.played, row.won, row.points, row.mu, row.sigma)
            for row in await self._read(found)
        ]

    async def add_pack(self, pack: Pack) -> None:
        kept = {
            "hash": pack.hash, "name": pack.name, "language": pack.language, "families": pack.text,
            "player_id": pack.player, "at": pack.at,
        }  # fmt: skip
        await self._write(insert(_packs).values(kept).on_conflict_do_nothing())

    async def packs(self, limit: int) -> Sequence[Pack]:
        columns = (_packs.c.hash, _packs.c.name, _packs.c.language, _packs.c.player_id, _packs.c.at)
        rows = await self._read(select(*columns).order_by(_packs.c.at.desc()).limit(limit))
        return [Pack(row.hash, row.name, row.language, b"", row.player_id, row.at) for row in rows]

    async def pack(self, hash: str) -> Pack | None:
        rows = await self._read(select(_packs).where(_packs.c.hash == hash))
        return _pack(rows[0]) if rows else None

    async def add_picture(self, hash: str, png: bytes) -> None:
        await self._write(insert(_pictures).values(hash=hash, png=png).on_conflict_do_nothing())

    async def picture(self, hash: str) -> bytes | None:
        rows = await self._read(select(_pictures.c.png).where(_pictures.c.hash == hash))
        return rows[0][0] if rows else None

    async def bot_seats(self, player: str) -> int:
        mine = (_lobby.c.host == player) & (_lobby.c.phase != "closed")
        return int((await self._read(select(func.coalesce(func.sum(_lobby.c.bots), 0)).where(mine)))[0][0])

    async def ready(self) -> bool:
        try:
            return bool(await self._read(select(1)))
        except Unreachable:
            return False

    async def close(self) -> None:
        await self._engine.dispose()

    async def _code(self, which: ColumnElement[bool]) -> TableCode | None:
        for row in await self._read(select(_codes).where(which)):
            return TableCode(row.table_id, row.code, row.game, row.private, row.player_id)
        return None

    async def _read(self, statement: Executable) -> Sequence[Row[Any]]:
        with reaching():
            async with self._engine.connect() as connection:
                return (await connection.execute(statement)).all()

    async def _write(self, statement: Executable) -> None:
        with reaching():
            async with self._engine.connect() as connection:
                await connection.execute(statement)


def _pack(row: Row[Any]) -> Pack:
    return Pack(row.hash, row.name, row.language, row.families, row.player_id, row.at)
