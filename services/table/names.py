"""Names of players, kept outside the log so that they can be forgotten; bots get theirs from their id."""

from collections.abc import Iterable, Mapping
from typing import Protocol
from zlib import crc32

from sqlalchemy import bindparam, text
from sqlalchemy.ext.asyncio import AsyncEngine

from shared.eventlog.connection import reaching

BOT_NAMES = (
    "Aafje", "Basil", "Clio", "Dirk", "Elodie", "Fien", "Gust", "Hugo", "Ilse", "Joos", "Karel", "Lotte",
    "Mia", "Nel", "Odile", "Pim", "Quint", "Rik", "Saar", "Toon", "Ugo", "Vera", "Wout", "Xavi", "Yara", "Zita",
)  # fmt: skip

_QUERY = text("SELECT player_id, name FROM players WHERE player_id IN :ids AND NOT forgotten").bindparams(
    bindparam("ids", expanding=True)
)


def bot_name(player: str) -> str:
    """A first name that follows from a bot's id, the same in every process."""
    return BOT_NAMES[crc32(player.encode()) % len(BOT_NAMES)]


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
