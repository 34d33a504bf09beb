"""`quartet gateway | table | scoring | bots | migrate`: one service in this process, from the environment."""

from typing import Annotated

import asyncpg
import typer

from services.cli.ending import fail
from services.local import roster
from shared.bus.nats import BusRefused
from shared.proof.keys import BadKeys
from shared.settings import BadSettings, CommonSettings, load


def gateway() -> None:
    """Serve people: HTTP, sockets and the web client."""
    _run("gateway")


def table() -> None:
    """Decide at tables: the only writer of the log."""
    _run("table")


def scoring() -> None:
    """Verify stopped rounds and award their points."""
    _run("scoring")


def bots() -> None:
    """Play the bots' seats."""
    _run("bots")


def migrate(
    wait: Annotated[float, typer.Option(help="seconds that the database may take to answer")] = 0.0,
) -> None:
    """Bring the schema of QUARTET_DATABASE_URL to the newest."""
    from services.migrate import answers
    from services.migrate import migrate as upgrade

    try:
        settings = load(CommonSettings, roster.KINDS)
    except BadSettings as error:
        fail(error)
    if not settings.database_url:
        fail("QUARTET_DATABASE_URL is not set")
    try:
        if not answers(settings.database_url, wait):
            fail("the database does not answer at QUARTET_DATABASE_URL")
    except asyncpg.InvalidAuthorizationSpecificationError as error:
        fail(f"the database refuses us: {error}")
    upgrade(settings.database_url)


def _run(name: roster.Name) -> None:
    try:
        roster.run(name)
    except (BadSettings, BadKeys) as error:
        fail(error)
    except BusRefused as error:
        fail(f"NATS refuses us: {error}")
    except Exception as fault:
        if not _refused(fault):
            raise
        fail("the database refuses us: the user or password in QUARTET_DATABASE_URL is wrong")


def _refused(fault: BaseException) -> bool:
    if isinstance(fault, BaseExceptionGroup):
        return any(map(_refused, fault.exceptions))
    cause = fault.__cause__
    return isinstance(fault, asyncpg.InvalidAuthorizationSpecificationError) or (cause is not None and _refused(cause))
