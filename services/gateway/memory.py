"""The store in memory: for the simulation and for a table in one terminal."""

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from services.gateway.store import OpenTable, Pack, RoundLine, Standing, TableCode


class MemoryStore:
    """Keeps the port's contract within one process. Scoring's projections may be filled by whoever has them."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.tables: dict[str, TableCode] = {}
        self.lobby: dict[str, OpenTable] = {}
        self.round_lines: dict[str, list[RoundLine]] = {}
        self.players_of: dict[tuple[str, int], tuple[str, ...]] = {}
        self.places: dict[str, list[Standing]] = {}
        self.bots_of: dict[str, int] = {}
        self._requests: dict[tuple[str, str], str] = {}
        self._packs: dict[str, Pack] = {}
        self._pictures: dict[str, bytes] = {}

    async def add_player(self, player: str, name: str, at: int) -> None:
        self.names[player] = name

    async def player_name(self, player: str) -> str | None:
        return self.names.get(player)

    async def known(self, players: Collection[str]) -> Collection[str]:
        return self.names.keys() & players

    async def reserve(self, request_id: str, table: TableCode, at: int) -> TableCode | None:
        before = await self.requested(table.player, request_id)
        if before is not None:
            return before
        if await self.table_of_code(table.code) is not None:
            return None
        self._requests[table.player, request_id] = table.table_id
        self.tables[table.table_id] = table
        return table

    async def requested(self, player: str, request_id: str) -> TableCode | None:
        return self.tables.get(self._requests.get((player, request_id), ""))

    async def table(self, table_id: str) -> TableCode | None:
        return self.tables.get(table_id)

    async def table_of_code(self, code: str) -> TableCode | None:
        return next((table for table in self.tables.values() if table.code == code), None)

    async def open_tables(self, limit: int) -> Sequence[OpenTable]:
        shown = (table for table in self.lobby.values() if not table.private and table.phase != "closed")
        return sorted(shown, key=lambda table: -table.at)[:limit]

    async def rounds(self, table_id: str) -> Sequence[RoundLine]:
        return self.round_lines.get(table_id, [])

    async def played(self, table_id: str, round: int | None, player: str) -> bool:
        return any(
            player in people and table == table_id and round in (None, number)
            for (table, number), people in self.players_of.items()
        )

    async def standings(self, game: str, limit: int) -> Sequence[Standing]:
        return self.places.get(game, [])[:limit]

    async def add_pack(self, pack: Pack) -> None:
        self._packs.setdefault(pack.hash, pack)

    async def packs(self, limit: int) -> Sequence[Pack]:
        return [replace(pack, text=b"") for pack in sorted(self._packs.values(), key=lambda pack: -pack.at)[:limit]]

    async def pack(self, hash: str) -> Pack | None:
        return self._packs.get(hash)

    async def add_picture(self, hash: str, png: bytes) -> None:
        self._pictures.setdefault(hash, png)

    async def picture(self, hash: str) -> bytes | None:
        return self._pictures.get(hash)

    async def bot_seats(self, player: str) -> int:
        return self.bots_of.get(player, 0)

    async def ready(self) -> bool:
        return True

    async def close(self) -> None:
        return None
