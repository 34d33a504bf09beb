"""The command line: `quartet`, also `python -m services`. A module a command; here is the list of them. Only the module
of the command that was asked for is loaded: what starts many processes must start fast."""

import gc
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module

import typer

from services.cli import ending

COMMANDS: Mapping[str, str] = {
    "up": "up",
    "gateway": "run",
    "table": "run",
    "scoring": "run",
    "bots": "run",
    "migrate": "run",
    "demo": "demo",
    "replay": "replay",
    "verify": "verify",
    "export": "export",
    "check": "check",
    "forget": "forget",
    "keys": "keys",
    "token": "token",
    "pack": "pack",
    "load": "load",
    "ops": "ops",
    "nats-config": "nats_config",
    "settings": "settings",
}
"""Command -> the module that has a function of its name, or a typer app of further commands."""


def application(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The app with these commands."""
    app = typer.Typer(
        name="quartet",
        help="Quatro and Kwartet: two card games of four of a kind, recorded and replayable.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_show_locals=False,  # they may hold secrets
    )
    app.callback()(_quartet)
    for name in names:
        command = getattr(import_module(f"services.cli.{COMMANDS[name]}"), name.replace("-", "_"))
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def main() -> None:
    """The entry point."""
    gc.disable()  # loading makes no garbage, and looking for it takes a fifth of the time
    asked = [name for name in sys.argv[1:2] if name in COMMANDS]
    try:
        app = application(asked or COMMANDS)
    except KeyboardInterrupt:
        sys.exit(ending.INTERRUPTED)
    gc.enable()
    sys.exit(ending.run(app, COMMANDS.get("".join(asked)) == "run"))


def _quartet() -> None:
    """With a callback typer keeps a lone command a command."""
