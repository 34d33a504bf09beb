"""What a gateway keeps and looks up: people, codes, packs, and scoring's projections (read only). A port."""

from collections.abc import Collection, Sequence
from typing import Protocol

from msgspec import Struct


class TableCode(Struct, frozen=True):
    """A table as the gateway that made it wrote it down."""

    table_id: str
    code: str
    game: str
    private: bool
    player: str


class OpenTable(Struct, frozen=True):
    """A table as scoring sees it. Times in µs; `host` is a name."""

    table_id: str
    code: str
    game: str
    seats: int
    taken: int
    phase: str
    private: bool
    host: str | None
    round: int
    at: int


class RoundLine(Struct, frozen=True):
    """One round of a table, as the list of its rounds shows it."""

    round: int
    started: int | None
    stopped: int | None
    how: str | None
    points: list[int] | None
    verified: bool | None
    awarded: int | None
    sealed: int | None = None


class Standing(Struct, frozen=True):
    """A player's place in one game. `mu` and `sigma` are openskill's."""

    player_id: str
    name: str
    played: int
    won: int
    points: int
    mu: float
    sigma: float


class Pack(Struct, frozen=True):
    """Loaded data of people's own; `text` is what its hash is of."""

    hash: str
    name: str
    language: str
    text: bytes
    player: str | None
    at: int


class Store(Protocol):
    """Everything is durable when a call returns."""

    async def add_player(self, player: str, name: str, at: int) -> None:
        """A new player."""

    async def player_name(self, player: str) -> str | None:
        """A player's name; None for one unknown or forgotten."""

    async def known(self, players: Collection[str]) -> Collection[str]:
        """Those of them who are neither unknown nor forgotten."""

    async def reserve(self, request_id: str, table: TableCode, at: int) -> TableCode | None:
        """Write down a table for (player, request id), or return the one written before; None: the code is taken."""

    async def requested(self, player: str, request_id: str) -> TableCode | None:
        """The table that was written down for (player, request id)."""

    async def table(self, table_id: str) -> TableCode | None:
        """A table by its id."""

    async def table_of_code(self, code: str) -> TableCode | None:
        """A table by its code."""

    async def open_tables(self, limit: int) -> Sequence[OpenTable]:
        """Tables that are neither private nor over, the newest first."""

    async def rounds(self, table_id: str) -> Sequence[RoundLine]:
        """A table's rounds, in order."""

    async def played(self, table_id: str, round: int | None, player: str) -> bool:
        """Whether somebody sat there when this round opened; None: any round of the table."""

    async def standings(self, game: str, limit: int) -> Sequence[Standing]:
        """The best of a game."""

    async def add_pack(self, pack: Pack) -> None:
        """Keep a pack; one that is there already stays as it is."""

    async def packs(self, limit: int) -> Sequence[Pack]:
        """The packs that people loaded, the newest first, without their texts."""

    async def pack(self, hash: str) -> Pack | None:
        """One pack."""

    async def add_picture(self, hash: str, png: bytes) -> None:
        """Keep a PNG."""

    async def picture(self, hash: str) -> bytes | None:
        """One picture's PNG."""

    async def bot_seats(self, player: str) -> int:
        """How many bots sit at the tables of this host, as scoring saw it a moment ago."""

    async def ready(self) -> bool:
        """Whether it answers."""

    async def close(self) -> None:
        """Give back what is held."""
