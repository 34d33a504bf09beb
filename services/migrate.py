"""Brings a database's schema to the newest migration."""

import asyncio
import time
from pathlib import Path

import asyncpg

from shared.eventlog.connection import connect
from shared.eventlog.port import Unreachable

RETRY_SECONDS = 0.5
_ROOT = Path(__file__).resolve().parent.parent
_INSTALLED = _ROOT / "quartet_migrations"  # what a wheel calls the folder (pyproject.toml)
MIGRATIONS = _INSTALLED if _INSTALLED.exists() else _ROOT / "migrations"


def answers(url: str, seconds: float) -> bool:
    """Whether the database takes connections within that time; asked once at least. A wrong password is raised."""
    return asyncio.run(_answers(url, time.monotonic() + seconds))


async def _answers(url: str, until: float) -> bool:
    while True:
        try:
            await (await connect(url, None, "migrate")).close()
            return True
        except asyncpg.InvalidAuthorizationSpecificationError:
            raise
        except (Unreachable, asyncpg.PostgresError):
            if time.monotonic() >= until:
                return False
            await asyncio.sleep(RETRY_SECONDS)


def migrate(url: str) -> None:
    """Upgrade the database at `url` (postgresql://…) as its owner; one that is there already is only looked at."""
    if asyncio.run(_revision(url)) == newest():
        return
    from alembic import command  # takes as long to load as all else of a start
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["url"] = url
    command.upgrade(config, "head")


def newest() -> str:
    """The revision that migrations lead to: their files are named revision_subject.py, in order."""
    return max(file.stem.partition("_")[0] for file in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))


async def _revision(url: str) -> str | None:
    connection = await connect(url, None, "migrate")
    try:
        if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
            return None
        found: str | None = await connection.fetchval("SELECT version_num FROM alembic_version")
        return found
    finally:
        await connection.close()
