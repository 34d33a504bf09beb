"""What scoring keeps beside the log: projections, each advanced in one transaction with its position, exactly once."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from shared.wire.questions import Search


class TableLine(Struct, frozen=True, kw_only=True):
    """A table as the lobby shows it: `taken` seats, of them `bots`; `players` are the people in them.

    `at` is when it was made, `changed` its last record shown here, in µs.
    """

    table_id: str
    partition: int
    game: str
    seats: int
    taken: int
    bots: int
    phase: str
    private: bool
    host: str | None
    players: tuple[str, ...]
    round: int
    at: int
    changed: int


class RoundLine(Struct, frozen=True, kw_only=True):
    """One round, from its first record to its Award: `last_version`, `head` (hex) and `position` are the Award's.

    `started` is when its preparation began; `by` the seat that stopped it, None for the house; `verified` None as long
    as nobody could tell. Times in µs.
    """

    table_id: str
    round: int
    partition: int
    first_version: int
    last_version: int | None = None
    started: int | None = None
    stopped: int | None = None
    how: str | None = None
    by: int | None = None
    points: tuple[int, ...] | None = None
    verified: bool | None = None
    awarded_at: int | None = None
    head: str | None = None
    position: int | None = None
    players: tuple[str, ...] = ()
    """The people who sat there when it opened."""


class Hit(Struct, frozen=True, kw_only=True):
    """A refused command of an awarded round, or a call in vain: what auditors search for. Times in µs.

    `command` is its type; `lost_to` the version that won a race, None where there was none; `code` the refusal's.
    """

    table_id: str
    round: int
    version: int
    seat: int | None
    player: str | None
    command: str
    code: str
    lost_to: int | None
    margin_us: int | None
    at: int


class Found(Hit, frozen=True, kw_only=True):
    """A hit as a search finds it. `name` is the player's, None for a bot and for who is forgotten."""

    game: str
    name: str | None = None


class Result(Struct, frozen=True):
    """A finished game: the people of each side (bots are left out), each side's points, and who won. `at` in µs."""

    table_id: str
    round: int
    game: str
    at: int
    sides: tuple[tuple[str, ...], ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]


class Standing(Struct, frozen=True):
    """A player's standing in one game: finished games played and won, points made; openskill's `mu` and `sigma`."""

    game: str
    player_id: str
    mu: float
    sigma: float
    played: int = 0
    won: int = 0
    points: int = 0


class Change(Struct, frozen=True):
    """What some records of one partition change in the projections: lines replace those of the same key."""

    tables: tuple[TableLine, ...] = ()
    rounds: tuple[RoundLine, ...] = ()
    results: tuple[Result, ...] = ()
    races: tuple[Hit, ...] = ()


class Projections(Protocol):
    """Two scorers may use one store: each advance names the position it starts from, and only one gets through."""

    async def position(self, partition: int) -> int:
        """Up to where this partition's records are in the projections."""

    async def advance(self, partition: int, before: int, after: int, change: Change) -> bool:
        """Apply a change and move the position, together. False, and nothing done: it no longer stands at `before`."""

    async def table(self, table_id: str) -> TableLine | None:
        """One table."""

    async def tables(self, phases: Sequence[str], public: bool, most: int) -> Sequence[TableLine]:
        """Tables in these phases, the newest first; with `public` only those that are not private."""

    async def round(self, table_id: str, round: int) -> RoundLine | None:
        """One round."""

    async def rounds(self, table_id: str) -> Sequence[RoundLine]:
        """A table's rounds in order."""

    async def unawarded(self, partition: int) -> Sequence[RoundLine]:
        """The stopped rounds of a partition's tables in phase scoring."""

    async def with_awards(self) -> frozenset[int]:
        """The partitions that have any awarded round."""

    async def awarded(self, partition: int, after: int, most: int) -> Sequence[RoundLine]:
        """Awarded rounds whose Award stands behind this position, in order of it."""

    async def audited(self, partition: int) -> int:
        """The position of the last Award that the auditor has seen in this pass."""

    async def mark_audited(self, partition: int, position: int) -> None:
        """The auditor's place; 0 begins a new pass."""

    async def unplaced(self, most: int) -> tuple[int, Sequence[Result]]:
        """The place of the last rated result, and finished games not yet rated, the earliest first."""

    async def place(self, after: int, result: Result, standings: Sequence[Standing]) -> bool:
        """Give a result the place `after` + 1 and store what it makes of standings.

        False: another has that place, or the result is no longer this one, because somebody was forgotten.
        """

    async def standings_of(self, game: str, players: Sequence[str]) -> Mapping[str, Standing]:
        """The standings of those players who have one."""

    async def standings(self, game: str, most: int) -> Sequence[Standing]:
        """The best players of a game by mu - 3 sigma."""

    async def search(self, wanted: Search) -> Sequence[Found]:
        """At most `wanted.limit` hits behind `wanted.after`, the newest first."""

    async def namesakes(self, wanted: Search) -> Mapping[str, str]:
        """Of everything that is found, the players whose name is `wanted.player` (ten at most): id -> name."""

    async def names(self, players: Sequence[str]) -> Mapping[str, str]:
        """The names of those who have one and are not forgotten."""

    async def close(self) -> None:
        """Give back what is held (connections)."""
