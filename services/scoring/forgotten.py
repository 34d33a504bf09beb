"""Who is forgotten stays so: of their ids, which the log keeps for ever, projections take no note any more."""

from collections.abc import Sequence

from msgspec.structs import replace
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from services.scoring.port import Change
from shared.eventlog.schema import players


async def spared(connection: AsyncConnection, change: Change) -> Change:
    """The change without them. `forget` waits for transactions that have moved a position: ask behind the move."""
    named = _named(change)
    if not named:
        return change
    mine = select(players.c.player_id).where(players.c.player_id.in_(named), players.c.forgotten)
    gone = frozenset((await connection.execute(mine)).scalars())
    return _without(change, gone) if gone else change


def _named(change: Change) -> set[str]:
    found = {line.host for line in change.tables} | {hit.player for hit in change.races}
    found.update(*(line.players for line in change.tables), *(line.players for line in change.rounds))
    found.update(*(side for result in change.results for side in result.sides))
    return {player for player in found if player is not None}


def _without(change: Change, gone: frozenset[str]) -> Change:
    def kept(people: Sequence[str]) -> tuple[str, ...]:
        return tuple(player for player in people if player not in gone)

    def known(player: str | None) -> str | None:
        return None if player in gone else player

    return Change(
        tables=tuple(replace(line, host=known(line.host), players=kept(line.players)) for line in change.tables),
        rounds=tuple(replace(line, players=kept(line.players)) for line in change.rounds),
        results=tuple(replace(result, sides=tuple(map(kept, result.sides))) for result in change.results),
        races=tuple(replace(hit, player=known(hit.player)) for hit in change.races),
    )
