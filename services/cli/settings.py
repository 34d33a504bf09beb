"""`quartet settings`: every QUARTET_* that can be set, with its default, range and present value."""

import json
from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Column, Table

from services.cli.ending import wide
from services.local import roster
from shared.settings import listed


def settings(as_json: Annotated[bool, typer.Option("--json", help="as JSON")] = False) -> None:
    """List every setting."""
    every = listed(roster.KINDS)
    if as_json:
        typer.echo(json.dumps([asdict(setting) for setting in every], indent=2))
        return
    table = Table(Column("setting", no_wrap=True), "default", "allowed", "now", "what it is", box=None)
    for setting in every:
        table.add_row(setting.name, setting.default, setting.allowed, setting.value or "", setting.description)
    wide().print(table)
