"""Projections in memory, for a service in one process."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from msgspec import structs

from services.scoring.disputes import LOST_CALL
from services.scoring.port import Change, Found, Hit, Result, RoundLine, Standing, TableLine
from shared.proof.seal import Leaf
from shared.wire.questions import Search

NameBook = Callable[[Sequence[str]], Awaitable[Mapping[str, str]]]


async def nameless(players: Sequence[str]) -> Mapping[str, str]:
    """Nobody has a name."""
    return {}


class MemoryProjections:
    """Dicts; one event loop, so every method is one transaction. `names` knows what people are called."""

    def __init__(self, names: NameBook = nameless) -> None:
        self._names = names
        self._positions: dict[int, int] = {}
        self._audited: dict[int, int] = {}
        self._tables: dict[str, TableLine] = {}
        self._rounds: dict[tuple[str, int], RoundLine] = {}
        self._results: dict[tuple[str, int], Result] = {}
        self._placed: list[Result] = []
        self._standings: dict[tuple[str, str], Standing] = {}
        self._races: dict[tuple[str, int], Hit] = {}

    async def position(self, partition: int) -> int:
        return self._positions.get(partition, 0)

    async def advance(self, partition: int, before: int, after: int, change: Change) -> bool:
        if self._positions.get(partition, 0) != before:
            return False
        self._positions[partition] = after
        self._tables.update((line.table_id, line) for line in change.tables)
        self._rounds.update(((line.table_id, line.round), line) for line in change.rounds)
        self._results.update(((result.table_id, result.round), result) for result in change.results)
        self._races.update(((hit.table_id, hit.version), hit) for hit in change.races)
        return True

    async def table(self, table_id: str) -> TableLine | None:
        return self._tables.get(table_id)

    async def tables(self, phases: Sequence[str], public: bool, most: int) -> Sequence[TableLine]:
        found = [line for line in self._tables.values() if line.phase in phases and not (public and line.private)]
        return sorted(found, key=lambda line: line.at, reverse=True)[:most]

    async def round(self, table_id: str, round: int) -> RoundLine | None:
        return self._rounds.get((table_id, round))

    async def rounds(self, table_id: str) -> Sequence[RoundLine]:
        return sorted(
            (line for line in self._rounds.values() if line.table_id == table_id), key=lambda line: line.round
        )

    async def unawarded(self, partition: int) -> Sequence[RoundLine]:
        waiting = {line.table_id for line in self._tables.values() if line.phase == "scoring"}
        mine = (line for line in self._rounds.values() if line.partition == partition and line.table_id in waiting)
        return [line for line in mine if line.stopped is not None and line.awarded_at is None]

    async def with_awards(self) -> frozenset[int]:
        return frozenset(line.partition for line in self._rounds.values() if line.position)

    async def awarded(self, partition: int, after: int, most: int) -> Sequence[RoundLine]:
        mine = [line for line in self._rounds.values() if line.partition == partition and (line.position or 0) > after]
        return sorted(mine, key=lambda line: line.position or 0)[:most]

    async def audited(self, partition: int) -> int:
        return self._audited.get(partition, 0)

    async def mark_audited(self, partition: int, position: int) -> None:
        self._audited[partition] = position

    async def unplaced(self, most: int) -> tuple[int, Sequence[Result]]:
        waiting = sorted(self._results.values(), key=lambda result: (result.at, result.table_id))
        return len(self._placed), waiting[:most]

    async def place(self, after: int, result: Result, standings: Sequence[Standing]) -> bool:
        key = result.table_id, result.round
        if len(self._placed) != after or key not in self._results or self._results[key].sides != result.sides:
            return False
        del self._results[key]
        self._placed.append(result)
        self._standings.update(((line.game, line.player_id), line) for line in standings)
        return True

    async def standings_of(self, game: str, players: Sequence[str]) -> Mapping[str, Standing]:
        return {player: self._standings[game, player] for player in players if (game, player) in self._standings}

    async def standings(self, game: str, most: int) -> Sequence[Standing]:
        mine = [line for line in self._standings.values() if line.game == game]
        return sorted(mine, key=lambda line: line.mu - 3 * line.sigma, reverse=True)[:most]

    async def search(self, wanted: Search) -> Sequence[Found]:
        found = [hit for hit in await self._found(wanted) if _behind(hit, wanted.after)]
        found.sort(key=lambda hit: (hit.at, hit.table_id, hit.version), reverse=True)
        return found[: wanted.limit]

    async def namesakes(self, wanted: Search) -> Mapping[str, str]:
        found = await self._found(wanted)
        return {hit.player: hit.name for hit in found if hit.player and hit.name and _is_called(hit, wanted.player)}

    async def names(self, players: Sequence[str]) -> Mapping[str, str]:
        return await self._names(players)

    async def _found(self, wanted: Search) -> list[Found]:
        known = await self.names([hit.player for hit in self._races.values() if hit.player is not None])
        named = [
            Found(**structs.asdict(hit), game=self._tables[hit.table_id].game, name=known.get(hit.player or ""))
            for hit in self._races.values()
        ]
        return [hit for hit in named if self._wanted(hit, wanted)]

    def _wanted(self, hit: Found, wanted: Search) -> bool:
        line = self._rounds[hit.table_id, hit.round]
        raced, call = hit.lost_to is not None, hit.command.startswith("Call")
        kinds = {
            None: True, "refused": hit.code != LOST_CALL, "race": raced, "swap": raced and hit.command == "SwapCard",
            "call": raced and call, "lost_call": hit.code == LOST_CALL or (raced and call),
        }  # fmt: skip
        return (
            kinds[wanted.kind]
            and (wanted.viewer is None or wanted.viewer in line.players)
            and wanted.table in (None, hit.table_id)
            and wanted.code in (None, hit.code)
            and (wanted.player in (None, hit.player) or _is_called(hit, wanted.player))
            and (wanted.since is None or hit.at >= wanted.since)
            and (wanted.until is None or hit.at <= wanted.until)
            and (wanted.within_us is None or (hit.margin_us is not None and hit.margin_us <= wanted.within_us))
        )

    def awarded_leaves(self) -> Sequence[Leaf]:
        """Every awarded round as the ledger has it, in order of the Awards."""
        awarded = [line for line in self._rounds.values() if line.head and line.last_version]
        awarded.sort(key=lambda line: (line.awarded_at or 0, line.table_id, line.round))
        return [Leaf(line.table_id, line.round, line.last_version or 0, line.head or "") for line in awarded]

    async def close(self) -> None:
        return None


def _behind(hit: Hit, after: tuple[int, str, int] | None) -> bool:
    return after is None or (hit.at, hit.table_id, hit.version) < after


def _is_called(hit: Found, name: str | None) -> bool:
    return hit.name is not None and name is not None and hit.name.lower() == name.lower()
