"""`quartet replay TABLE ROUND`: a finished round, step by step, as people want to read it."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.text import Text

from services.cli.ending import BAD, UNREACHABLE, fail
from services.cli.finding import ROUND_MAX, LogNotFound, database
from services.cli.story import Step, finished, steps
from services.table.names import PlayerNames
from shared.eventlog.connection import engine
from shared.eventlog.port import Row, Unreachable
from shared.eventlog.postgres import PostgresEventLog
from shared.games.registry import GAMES
from shared.replay import rebuild
from shared.table.botnames import bot_names
from shared.table.state import State


def replay(
    table: Annotated[str, typer.Argument(help="a table's id")],
    round: Annotated[int, typer.Argument(min=1, max=ROUND_MAX, help="a finished round of it")],
    data: Annotated[Path | None, typer.Option(help="data folder of an embedded installation, running or not")] = None,
    brief: Annotated[bool, typer.Option(help="draw the table at the deal and at the end only")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="every step as JSON")] = False,
) -> None:
    """Show a finished round step by step: who did what when, what came of it, and who lost a race by how much."""
    try:
        with database(data) as url:
            rows, names = asyncio.run(_read(url, table, round))
    except (LogNotFound, Unreachable) as fault:
        fail(fault, UNREACHABLE)
    if not rows:
        fail(f"table {table} has no round {round}", BAD)
    if not finished(rebuild(rows)):
        fail(f"round {round} is not finished yet: it can be seen once it is awarded", BAD)
    told = list(steps(rows, names))
    if as_json:
        typer.echo(msgspec.json.encode([step for step, _ in told]))
    else:
        _show(table, round, told, names, brief)


async def _read(url: str, table: str, round: int) -> tuple[Sequence[Row], Mapping[str, str]]:
    """The rows, and names for the players in them."""
    log, players = PostgresEventLog(url, None, "replay", 1), engine(url, None, "replay", 1)
    try:
        rows = await log.round_rows(table, round)
        seats = rebuild(rows).table.seats if rows else ()
        people = [seat.player for seat in seats if seat.player is not None and seat.bot is None]
        bots = [seat.player for seat in seats if seat.player is not None and seat.bot is not None]
        return rows, {**bot_names(bots), **await PlayerNames(players).of(people)}
    finally:
        await log.close()
        await players.dispose()


def _show(table: str, round: int, told: Sequence[tuple[Step, State]], names: Mapping[str, str], brief: bool) -> None:
    console = Console(highlight=False, emoji=False)
    last = told[-1][1]
    began = told[0][0].at
    console.print(f"[bold]{last.game}[/], table {table}, round {round}, {_date(began)}", soft_wrap=True)
    for number, seat in enumerate(last.table.seats):
        if seat.player is not None:
            kind = f" (bot, {seat.bot})" if seat.bot else ""
            console.print(Text(f"  seat {number}  {names.get(seat.player, seat.player)}{kind}"))
    drawn = ""
    for index, (step, _) in enumerate(told):
        console.print(_line(step, began), soft_wrap=True)
        ending = index + 1 == len(told) or not told[index + 1][0].drawn
        if step.drawn and step.refused is None and step.drawn != drawn and (not brief or not drawn or ending):
            console.print(Text("\n".join(f"            {line}" for line in step.drawn.splitlines()), style="dim"))
            drawn = step.drawn
    points = last.table.points
    side = "team" if GAMES[last.game].sides(len(last.table.seats)) < len(last.table.seats) else "seat"
    console.print("points  " + "  ".join(f"{side} {number}: {each}" for number, each in enumerate(points)))


def _line(step: Step, began: int) -> Text:
    line = Text(f"{step.version:>6} {(step.at - began) / 1_000_000:>10.6f}  ", style="")
    line.append(f"{step.by:<20} ", style="cyan")
    if step.refused is None:
        line.append("; ".join(step.what) or step.command)
        return line
    line.append(f"{step.command} ")
    line.append(f"✗ {step.refused}", style="red")
    if step.race is not None:
        why = f" ({step.race.why})" if step.race.why else ""
        margin = step.race.margin_us / 1_000
        line.append(f"  lost to record {step.race.version} of {step.race.by}{why} by {margin:.3f} ms", style="yellow")
    return line


def _date(at: int) -> str:
    return datetime.fromtimestamp(at / 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
