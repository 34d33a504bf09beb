"""Names of players, kept outside the log so that they can be forgotten."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from sqlalchemy import bindparam, text
from sqlalchemy.ext.asyncio import AsyncEngine

from shared.eventlog.connection import reaching

_QUERY = text("SELECT player_id, name FROM players WHERE player_id IN :ids AND NOT forgotten").bindparams(
    bindparam("ids", expanding=True)
)


class NameBook(Protocol):
    """Where names of players are looked up."""

    async def of(self, players: Iterable[str]) -> Mapping[str, str]:
        """Player id -> name, for those that have one. Raises Unreachable."""


class PlayerNames:
    """Reads names from the players' table; who is forgotten or unknown has none."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def of(self, players: Iterable[str]) -> Mapping[str, str]:
        """Player id -> name, for those that have one."""
        ids = sorted(players)
        if not ids:
            return {}
        with reaching():
            async with self._engine.connect() as connection:
                rows = await connection.execute(_QUERY, {"ids": ids})
                return {row.player_id: row.name for row in rows}
