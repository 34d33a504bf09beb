"""Brings a database's schema to the newest migration."""

from pathlib import Path

from alembic import command
from alembic.config import Config

MIGRATIONS = Path(__file__).resolve().parent.parent / "migrations"


def migrate(url: str, revision: str = "head") -> None:
    """Upgrade the database at `url` (postgresql://…) as its owner."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["url"] = url
    command.upgrade(config, revision)
