"""`quartet gateway | table | scoring | bots | migrate`: one service in this process, from the environment."""

from services.cli.ending import fail
from services.local import roster
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


def migrate() -> None:
    """Bring the schema of QUARTET_DATABASE_URL to the newest."""
    from services.migrate import migrate as upgrade

    try:
        settings = load(CommonSettings, roster.KINDS)
    except BadSettings as error:
        fail(error)
    if not settings.database_url:
        fail("QUARTET_DATABASE_URL is not set")
    upgrade(settings.database_url)


def _run(name: roster.Name) -> None:
    try:
        roster.run(name)
    except BadSettings as error:
        fail(error)
