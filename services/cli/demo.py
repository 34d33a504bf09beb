"""`quartet demo`: a table full of bots, followed in the terminal until the game ends."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any
from uuid import uuid4

import msgspec
import typer
from rich.console import Console
from rich.live import Live

from services.cli.client import Client, NoAnswer
from services.cli.ending import BAD, UNREACHABLE, fail
from services.cli.picture import headline, outcome, picture
from services.local.caller import Caller
from services.local.single import Single
from shared import telemetry
from shared.games.registry import GAMES
from shared.kernel import BadRules, Command
from shared.table.boundary import canonical
from shared.table.commands import AddBot, CreateTable, StartGame

Shown = tuple[dict[str, Any], tuple[dict[str, Any], ...]]
"""(public view, headlines)."""

BRISK: Mapping[str, object] = {"break_seconds": 5}
"""Nobody needs half a minute to look at the hands of bots."""


def demo(
    game: Annotated[str, typer.Option(help="which game")] = "quatro",
    seats: Annotated[int, typer.Option(help="how many seats")] = 4,
    url: Annotated[
        str, typer.Option(help="a running service; if none answers, one is run here")
    ] = "http://127.0.0.1:8000",
    pace: Annotated[float, typer.Option(min=0.1, max=100, help="how much faster than people (here only)")] = 1.0,
) -> None:
    """Open a table full of bots and follow it in the terminal."""
    telemetry.configure("demo", "error")
    if game not in GAMES:
        fail(f"there is no game {game}; there are {', '.join(GAMES)}", UNREACHABLE)
    rules = {name: value for name, value in BRISK.items() if name in str(GAMES[game].rules_schema())}
    read = GAMES[game].read_rules(rules, seats)
    if seats not in GAMES[game].seat_counts or isinstance(read, BadRules):
        fail(f"{game} is played by {', '.join(map(str, GAMES[game].seat_counts))}", UNREACHABLE)
    try:
        ended = asyncio.run(_follow(game, seats, rules, url, pace))
    except NoAnswer as fault:
        fail(fault, UNREACHABLE)
    except KeyboardInterrupt:
        raise typer.Exit(BAD) from None
    typer.echo(ended)


async def _follow(game: str, seats: int, rules: Mapping[str, object], url: str, pace: float) -> str:
    """Show frame after frame; how it ended."""
    client, console = Client(url), Console()
    there = await client.answers()
    frames = _there(client, game, seats, rules) if there else _here(game, seats, rules, pace)
    told: list[str] = []
    with Live(console=console, auto_refresh=False, transient=False) as live:
        async for public, news in frames:
            told += map(headline, news)
            if console.is_terminal:
                live.update(picture(public, told), refresh=True)
            elif news:
                console.print(*map(headline, news), sep="\n", highlight=False)
            if public["phase"] in ("over", "closed", "stopped"):
                return outcome(public)
    raise NoAnswer("the table was lost from sight")


async def _there(client: Client, game: str, seats: int, rules: Mapping[str, object]) -> AsyncIterator[Shown]:
    """At a running service, as its client."""
    await client.join("demo")
    table = (await client.open(game, seats, rules)).table_id
    for seat in range(seats):
        await client.send(table, {"type": "AddBot", "seat": seat})
    await client.send(table, {"type": "StartGame"})
    public: dict[str, Any] | None = None
    async for frame in client.watch(table):
        if frame.type == "view":
            public = msgspec.json.decode(frame.public) if frame.public else public
            if public is not None:
                yield public, frame.news


async def _here(game: str, seats: int, rules: Mapping[str, object], pace: float) -> AsyncIterator[Shown]:
    """In a service of our own, within this process."""
    single, frames = Single(), asyncio.Queue[Shown]()
    single.run_table()
    single.run_bots(pace=pace)
    single.run_scoring()
    caller = Caller(single.bus("demo"), "demo", "player")
    await caller.start()
    table, read = str(uuid4()), GAMES[game].read_rules(rules, seats)
    assert not isinstance(read, BadRules)
    created = CreateTable(table, game, GAMES[game].revision, seats, canonical(read), sit=False)
    commands: list[Command] = [*map(AddBot, range(seats)), StartGame()]
    try:
        await caller.send(table, "demo", created)
        caller.watch(table, lambda public, news: frames.put_nowait(_shown(public, news)))
        for command in commands:
            await caller.send(table, "demo", command)
        while True:
            yield await frames.get()
            single.check()
    finally:
        await caller.stop()
        await single.close()


def _shown(public: bytes, news: bytes) -> Shown:
    return msgspec.json.decode(public), tuple(msgspec.json.decode(news) if news else ())
