"""How commands end: 0 good, 1 the thing asked about is bad, 2 wrong use or not reachable."""

from typing import NoReturn

import typer

BAD = 1
UNREACHABLE = 2


def fail(message: object, status: int = UNREACHABLE) -> NoReturn:
    """Say why on stderr and end."""
    typer.echo(f"quartet: {message}", err=True)
    raise typer.Exit(status)
