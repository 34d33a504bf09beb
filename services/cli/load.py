"""`quartet load`: tables of bots as fast as asked for, at a running service: rates, latencies, refusals, a proof. It
opens its tables with a token of an operator, whom the gateways' limits don't stop; those of the table hold."""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import msgspec
import typer
from msgspec import Struct
from rich.console import Console

from services.bots.service import Bots
from services.cli.checking import Checked, Scope
from services.cli.client import Client, NoAnswer
from services.cli.ending import BAD, UNREACHABLE, fail
from services.cli.finding import LogNotFound, bus_at, bus_url, database
from services.cli.token import issued
from services.cli.verifying import check_all, cores
from services.local.caller import Caller
from shared.bus import subjects
from shared.eventlog.port import Unreachable
from shared.games.registry import GAMES
from shared.settings import BadSettings
from shared.table.commands import Close

BRISK: Mapping[str, object] = {"target_points": 50, "prepare_seconds": 1, "break_seconds": 1, "swap_wait_seconds": 0.2}


class Report(Struct, frozen=True):
    """What was measured: verdicts a second, seconds from command to verdict, refusals by code, and the proof."""

    tables: int
    seconds: float
    verdicts: int
    verdicts_per_second: float
    p50_ms: float
    p99_ms: float
    refusals: dict[str, int]
    records: int
    good: bool


class Told(Struct, frozen=True):
    """As much of a verdict as is counted."""

    accepted: bool
    refused: str | None = None


def load(
    tables: Annotated[int, typer.Option(min=1, help="how many tables")] = 20,
    game: Annotated[str, typer.Option(help="which game")] = "quatro",
    seconds: Annotated[float, typer.Option(min=1, help="for how long")] = 30.0,
    seats: Annotated[int, typer.Option(help="how many seats")] = 4,
    pace: Annotated[float, typer.Option(min=0.1, max=100, help="how much faster than people")] = 10.0,
    url: Annotated[str, typer.Option(help="the running service")] = "http://127.0.0.1:8000",
    data: Annotated[Path | None, typer.Option(help="its data folder")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="as JSON")] = False,
) -> None:
    """Play tables of bots at a running service, report what it does, and verify every record afterwards."""
    if game not in GAMES:
        fail(f"there is no game {game}; there are {', '.join(GAMES)}", UNREACHABLE)
    try:
        nats, client = bus_url(data, "bots"), Client(url)
        client.token = issued("operator", "load", data)
        names, told, waits, passed = asyncio.run(_play(tables, game, seconds, seats, pace, client, nats))
        asyncio.run(_close(names, bus_url(data, "ops")))
        checked: list[Checked] = []
        with database(data) as log:
            check_all(log, Scope(tuple(names)), cores(), checked.append)
    except (NoAnswer, LogNotFound, Unreachable, BadSettings, OSError) as fault:
        fail(fault, UNREACHABLE)
    report = _report(told, waits, passed, checked)
    _print(report, as_json)
    raise typer.Exit(0 if report.good else BAD)


async def _play(
    tables: int, game: str, seconds: float, seats: int, pace: float, client: Client, nats: str
) -> tuple[list[str], list[Told], list[float], float]:
    """Be a bots service of our own for so long: the tables, every verdict, every wait, and how long it took."""
    told: list[Told] = []
    decode = msgspec.json.Decoder(Told).decode
    instance = subjects.instance("bots", f"load-{uuid4().hex[:8]}")
    bus = await bus_at(nats, instance)
    clock = asyncio.get_running_loop().time
    waits: list[float] = []

    def witness(_table: str, verdict: bytes, waited: float) -> None:
        told.append(decode(verdict))
        waits.append(waited)

    playing = asyncio.create_task(Bots(bus, GAMES, instance, clock, pace, witness).run())
    try:
        names = await _open(client, tables, game, seats)
        told.clear()
        waits.clear()
        began = time.monotonic()
        await asyncio.sleep(seconds)
        return names, told, waits, time.monotonic() - began
    finally:
        playing.cancel()
        await asyncio.wait((playing,))
        await bus.close()


async def _open(client: Client, tables: int, game: str, seats: int) -> list[str]:
    rules = {name: value for name, value in BRISK.items() if name in str(GAMES[game].rules_schema())}
    names: list[str] = []
    for _ in range(tables):
        names.append((await client.open(game, seats, rules)).table_id)
        for seat in range(seats):
            await client.send(names[-1], {"type": "AddBot", "seat": seat})
        await client.send(names[-1], {"type": "StartGame"})
    return names


async def _close(names: list[str], nats: str) -> None:
    """Close the tables, so that nobody's bots go on playing them; without an operator's user they end by themselves."""
    instance = subjects.instance("ops", f"load-{uuid4().hex[:8]}")
    bus = await bus_at(nats, instance)
    caller = Caller(bus, instance, "ops")
    await caller.start()
    await asyncio.gather(*(caller.send(name, "load", Close("the load is over")) for name in names))
    await caller.stop()
    await bus.close()


def _report(told: list[Told], waits: list[float], seconds: float, checked: list[Checked]) -> Report:
    ordered = sorted(waits) or [0.0]
    return Report(
        tables=len(checked),
        seconds=round(seconds, 3),
        verdicts=len(told),
        verdicts_per_second=round(len(told) / seconds, 1),
        p50_ms=round(ordered[len(ordered) // 2] * 1_000, 3),
        p99_ms=round(ordered[len(ordered) * 99 // 100] * 1_000, 3),
        refusals=dict(Counter(each.refused for each in told if each.refused is not None)),
        records=sum(each.records for each in checked),
        good=all(each.fault is None for each in checked),
    )


def _print(report: Report, as_json: bool) -> None:
    if as_json:
        typer.echo(msgspec.json.encode(report))
        return
    console = Console(highlight=False)
    console.print(f"{report.tables} tables for {report.seconds} s: {report.verdicts_per_second} verdicts a second")
    console.print(f"from command to verdict: p50 {report.p50_ms} ms, p99 {report.p99_ms} ms")
    refused = ", ".join(f"{code} {count}" for code, count in sorted(report.refusals.items())) or "none"
    console.print(f"refused: {refused}")
    sign = "[green]✓ all verify[/]" if report.good else "[red]✗ not all verify[/]"
    console.print(f"{report.records} records: {sign}")
