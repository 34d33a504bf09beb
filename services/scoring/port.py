"""What scoring keeps beside the log: projections, each advanced in one transaction with its position, exactly once."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct


class TableLine(Struct, frozen=True, kw_only=True):
    """A table as the lobby shows it. `changed` is its last record's time in µs; `taken` counts bots too."""

    partition: int
    table_id: str
    game: str
    seats: int
    taken: int
    bots: int
    private: bool
    phase: str
    round: int
    host: str | None
    created: int
    changed: int


class RoundLine(Struct, frozen=True, kw_only=True):
    """One round: `version` and `head` (hex) are its Award's, `position` the Award's in its partition. Times in µs."""

    partition: int
    table_id: str
    round: int
    game: str
    started: int
    stopped: int | None = None
    awarded: int | None = None
    how: str | None = None
    by: int | None = None
    points: tuple[int, ...] = ()
    version: int | None = None
    head: str | None = None
    position: int | None = None


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
    """A player's standing in one game; `mu` and `sigma` are openskill's (Plackett-Luce)."""

    game: str
    player: str
    mu: float
    sigma: float
    games: int = 0
    wins: int = 0


class Change(Struct, frozen=True):
    """What some records of one partition change in the projections: lines replace those of the same key."""

    tables: tuple[TableLine, ...] = ()
    rounds: tuple[RoundLine, ...] = ()
    results: tuple[Result, ...] = ()


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

    async def awarded(self, partition: int, after: int, most: int) -> Sequence[RoundLine]:
        """Awarded rounds whose Award stands behind this position, in order of it."""

    async def audited(self, partition: int) -> int:
        """The position of the last Award that the auditor has seen in this pass."""

    async def mark_audited(self, partition: int, position: int) -> None:
        """The auditor's place; 0 begins a new pass."""

    async def unplaced(self, most: int) -> tuple[int, Sequence[Result]]:
        """The place of the last rated result, and finished games not yet rated, the earliest first."""

    async def place(self, after: int, result: Result, standings: Sequence[Standing]) -> bool:
        """Give a result the place `after` + 1 and store what it makes of standings. False: another has that place."""

    async def standings_of(self, game: str, players: Sequence[str]) -> Mapping[str, Standing]:
        """The standings of those players who have one."""

    async def standings(self, game: str, most: int) -> Sequence[Standing]:
        """The best players of a game by mu - 3 sigma."""
