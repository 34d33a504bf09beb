"""`quartet token --role auditor`: makes somebody who may read every finished round, or `--role operator`: whom no limit
stops; and prints their token."""

import asyncio
import time
from pathlib import Path
from typing import Annotated, Literal
from uuid import uuid4

import typer

from services.cli.ending import fail
from services.cli.finding import LogNotFound, database
from services.gateway.names import BadName, checked
from services.gateway.postgres import PostgresStore
from services.gateway.settings import GatewaySettings
from services.gateway.tokens import Role, Tokens
from services.local import roster
from shared.eventlog.port import Unreachable
from shared.settings import BadSettings, load


def token(
    role: Annotated[Literal["auditor", "operator", "player"], typer.Option(help="what they may do")] = "auditor",
    name: Annotated[str, typer.Option(help="what they are called")] = "Auditor",
    data: Annotated[Path | None, typer.Option(help="data folder of an embedded installation")] = None,
) -> None:
    """Make a player with a token of this role, for who has the database and QUARTET_TOKEN_KEYS (or the data folder)."""
    try:
        made = issued(None if role == "player" else role, name, data)
    except (BadSettings, BadName, LogNotFound, Unreachable, OSError) as fault:
        fail(fault)
    typer.echo(made)


def issued(role: Role | None, name: str, data: Path | None) -> str:
    """A new player's token. Raises BadSettings, BadName, LogNotFound, Unreachable, OSError."""
    settings = load(GatewaySettings, roster.KINDS, {})
    tokens = Tokens(_keys(settings, data))
    player, called = str(uuid4()), checked(name)
    with database(data) as url:
        asyncio.run(_add(url, player, called))
    return tokens.issue(player, int(time.time()), role)


def _keys(settings: GatewaySettings, data: Path | None) -> dict[str, str]:
    """Those of the environment, else those that `quartet up` gives its gateways."""
    if settings.token_keys.get_secret_value():
        return settings.keys()
    folder = (data or settings.data).expanduser().resolve()
    return {"local": (folder / "secret" / "token-key").read_text().strip()}


async def _add(url: str, player: str, name: str) -> None:
    store = PostgresStore.connect(url, "token")
    try:
        await store.add_player(player, name, time.time_ns() // 1_000)
    finally:
        await store.close()
