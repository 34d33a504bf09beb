"""Brings a database's schema to the newest migration."""

from pathlib import Path

from alembic import command
from alembic.config import Config

_ROOT = Path(__file__).resolve().parent.parent
_INSTALLED = _ROOT / "quartet_migrations"  # what a wheel calls the folder (pyproject.toml)
MIGRATIONS = _INSTALLED if _INSTALLED.exists() else _ROOT / "migrations"


def migrate(url: str, revision: str = "head") -> None:
    """Upgrade the database at `url` (postgresql://…) as its owner."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["url"] = url
    command.upgrade(config, revision)
