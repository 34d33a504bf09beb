"""How commands end: 0 good, 1 the thing asked about is bad, 2 wrong use or not reachable. Why, they say in one line."""

import os
from typing import NoReturn

import typer
from rich.console import Console
from typer.exceptions import TyperException

from shared.eventlog.port import Unreachable
from shared.settings import PREFIX, BadSettings

BAD = 1
UNREACHABLE = 2
INTERRUPTED = 130
WIDE = 200


def fail(message: object, status: int = UNREACHABLE) -> NoReturn:
    """Say why on stderr and end."""
    say(message)
    raise typer.Exit(status)


def say(message: object) -> None:
    """A line on stderr, however many the message has."""
    if isinstance(message, Unreachable):
        message = f"the database does not answer: {_root(message)}"
    typer.echo(f"quartet: {' '.join(str(message).split())}", err=True)


def _root(fault: BaseException) -> BaseException:
    return fault if fault.__cause__ is None else _root(fault.__cause__)


def wide() -> Console:
    """A console for tables: where nobody looks (a file, a pipe), as wide as its lines."""
    console = Console()
    return console if console.is_terminal else Console(width=WIDE)


def run(app: typer.Typer, is_service: bool) -> int:
    """Run what was asked for; the exit status. What breaks in a service is raised, for its log."""
    try:
        return int(app(standalone_mode=False) or 0)
    except TyperException as misuse:
        _misused(misuse)
        return UNREACHABLE
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BadSettings as fault:
        say(fault)
        return UNREACHABLE
    except Exception as fault:
        if is_service or os.environ.get(f"{PREFIX}LOG_LEVEL", "").lower() == "debug":
            raise
        say(f"{type(fault).__name__}: {fault} ({PREFIX}LOG_LEVEL=debug shows where)")
        return UNREACHABLE


def _misused(misuse: TyperException) -> None:
    """Wrong options and arguments, and where it is written which there are; no command at all is shown the list."""
    message = misuse.format_message()
    context = getattr(misuse, "ctx", None)
    if not message.strip() or message.lstrip().startswith("Usage:"):
        typer.echo(message, err=True)
    elif context is None:
        say(message)
    else:
        say(f"{message.rstrip('.')} (see {context.command_path} --help)")
