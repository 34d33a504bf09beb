"""`quartet pack check FILE`: judges a pack as the server would, and shows every fault under its line."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import Struct
from rich.console import Console
from rich.markup import escape

from services.cli.ending import fail
from shared.games.registry import GAMES
from shared.kernel import Fault, Loaded, Loader

GOOD, BAD, NOT_READABLE = 0, 1, 2
RULE = "pack"
"""The house rule for which a game loads packs."""

pack = typer.Typer(help="Packs of one's own for Kwartet.", no_args_is_help=True)


class Report(Struct, frozen=True, omit_defaults=True):
    """What was found: a good pack, or every fault in the order of the lines."""

    file: str
    good: bool
    name: str | None = None
    language: str | None = None
    hash: str | None = None
    bytes: int | None = None
    pictures: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


@pack.callback()
def _pack() -> None:
    """Packs of one's own for Kwartet."""


@pack.command()
def check(
    file: Annotated[Path, typer.Argument(help="a pack as JSON or CSV (family,member[,picture])")],
    as_json: Annotated[bool, typer.Option("--json", help="report as JSON")] = False,
) -> None:
    """Judge a pack. Exit status: 0 good, 1 not, 2 not readable."""
    try:
        content = file.read_bytes()
    except OSError as problem:
        fail(f"{file}: {problem.strerror}", NOT_READABLE)
    kind = "csv" if file.suffix.lower() == ".csv" else "json"
    found = _report(file, _loader().check(content, kind, file.stem))
    if as_json:
        typer.echo(msgspec.json.encode(found).decode())
    else:
        _show(found, content.decode("utf-8", "replace").split("\n"))
    raise typer.Exit(GOOD if found.good else BAD)


def _loader() -> Loader:
    return next(game.loads for game in GAMES.values() if game.loads is not None and game.loads.rule == RULE)


def _report(file: Path, found: Loaded | tuple[Fault, ...]) -> Report:
    if isinstance(found, tuple):
        return Report(str(file), good=False, faults=found)
    size, pictures = len(found.text), tuple(f"sha256:{each}" for each in found.pictures)
    return Report(str(file), True, found.name, found.language, found.hash, size, pictures)


def _show(found: Report, lines: list[str]) -> None:
    console = Console(highlight=False, emoji=False, soft_wrap=True)
    if found.good:
        console.print(f"[green]good[/]  {escape(found.name or '')}  {found.hash}")
        for picture in found.pictures:
            console.print(f"  needs the picture {picture}, to be uploaded first")
        return
    count = len(found.faults)
    console.print(f"[red]{count} {'thing' if count == 1 else 'things'} to mend[/] in {escape(found.file)}")
    for fault in found.faults:
        if 0 < fault.line <= len(lines):
            console.print(f"[dim]{fault.line:>5}  {escape(lines[fault.line - 1].rstrip()[:100])}[/]")
        console.print(f"       {escape(fault.words)}")
