"""`quartet forget PLAYER`: removes a name and every trace of a person outside the log, which has random ids only."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import text

from services.cli.ending import BAD, UNREACHABLE, fail
from services.cli.finding import LogNotFound, bus_url, database
from shared.bus import subjects
from shared.bus.nats import BusRefused, NatsBus
from shared.eventlog.connection import engine, reaching
from shared.eventlog.port import Unreachable

TELL_SECONDS = 3.0

_SIDES = """
UPDATE results SET sides = (
    SELECT jsonb_agg((
        SELECT coalesce(jsonb_agg(player ORDER BY place), '[]'::jsonb)
        FROM jsonb_array_elements_text(side) WITH ORDINALITY AS each (player, place) WHERE player <> :player
    ) ORDER BY number)
    FROM jsonb_array_elements(sides) WITH ORDINALITY AS every (side, number)
) WHERE sides::text LIKE '%' || to_json(CAST(:player AS text))::text || '%'
"""
MARK = "UPDATE players SET name = '', created_at = 0, forgotten = true WHERE player_id = :player"
STATEMENTS = (
    "UPDATE codes SET player_id = '', request_id = table_id WHERE player_id = :player",
    "UPDATE packs SET player_id = NULL WHERE player_id = :player",
    "DELETE FROM standings WHERE player_id = :player",
    "UPDATE tables_index SET host = NULL WHERE host = :player",
    "UPDATE tables_index SET players = array_remove(players, :player) WHERE :player = ANY (players)",
    "UPDATE rounds_index SET players = array_remove(players, :player) WHERE :player = ANY (players)",
    "UPDATE races SET player = NULL WHERE player = :player",
    _SIDES,
)
"""What else says who somebody was. A game that is not rated yet will be rated without them."""
HELD = "LOCK TABLE positions IN SHARE ROW EXCLUSIVE MODE"
"""Waits for whatever scoring is about to write; what it writes from then on knows who is forgotten."""


def forget(
    player: Annotated[str, typer.Argument(help="a player's id")],
    data: Annotated[Path | None, typer.Option(help="data folder of an embedded installation, running or not")] = None,
) -> None:
    """Forget a player: name, codes, standings, searches; their token is refused. Every chain and proof still holds."""
    try:
        with database(data) as url:
            told = asyncio.run(_forget(url, data, player))
    except (LogNotFound, Unreachable) as fault:
        fail(fault, UNREACHABLE)
    if told is None:
        fail(f"there is no player {player}", BAD)
    typer.echo(f"{player} is forgotten" + ("" if told else "; services that run notice within a minute"))


async def _forget(url: str, data: Path | None, player: str) -> bool | None:
    """First they are marked and services told, so that nothing new is written while the rest is removed.

    None: nobody is known by that id; else whether there were services to tell.
    """
    mine = {"player": player}
    own = engine(url, None, "forget", 1)
    try:
        transactions = own.execution_options(isolation_level="READ COMMITTED")
        with reaching():
            async with transactions.begin() as connection:
                if (await connection.execute(text(MARK), mine)).rowcount == 0:
                    return None
            told = await _tell(data, player)
            async with transactions.begin() as connection:
                await connection.execute(text(HELD))
                for statement in STATEMENTS:
                    await connection.execute(text(statement), mine)
            return told
    finally:
        await own.dispose()


async def _tell(data: Path | None, player: str) -> bool:
    """Have running services drop the name from memory, and gateways the sockets. False: there are none to tell."""
    try:
        async with asyncio.timeout(TELL_SECONDS):
            bus = await NatsBus.connect(bus_url(data, "ops"), "forget")
    except (LogNotFound, BusRefused, TimeoutError, OSError):
        return False
    bus.publish(subjects.FORGOTTEN, player.encode())
    await bus.close()
    return True
