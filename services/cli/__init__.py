"""The command line: `quartet`, also `python -m services`. A module a command; here is the list of them."""

import typer

from services.cli import run
from services.cli.replay import replay
from services.cli.settings import settings
from services.cli.up import up
from services.cli.verify import verify

COMMANDS = (up, run.gateway, run.table, run.scoring, run.bots, run.migrate, replay, verify, settings)

app = typer.Typer(
    name="quartet",
    help="Quatro and Kwartet: two card games of four of a kind, recorded and replayable.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,  # they may hold secrets
)
for command in COMMANDS:
    app.command()(command)


def main() -> None:
    """The entry point."""
    app()
