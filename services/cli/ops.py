"""`quartet ops …`: what operators see and do: tables, partitions, handing over a service, closing a table."""

import asyncio
import getpass
import os
import signal
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Annotated, TypeVar, get_args
from uuid import uuid4

import msgspec
import typer
from msgspec import Struct
from rich.table import Column, Table

from services.cli.ending import BAD, UNREACHABLE, fail, wide
from services.cli.finding import LogNotFound, bus_at, bus_url, database
from services.local.caller import Caller
from services.scoring.port import TableLine
from services.scoring.postgres import PostgresProjections
from shared import telemetry
from shared.bus import subjects
from shared.eventlog.port import PARTITIONS, Unreachable
from shared.eventlog.postgres import PostgresEventLog
from shared.leases.port import LeaseLost
from shared.leases.postgres import PostgresLeases
from shared.settings import CommonSettings, load
from shared.table.commands import Close
from shared.table.state import Phase

T = TypeVar("T")

PHASES: tuple[Phase, ...] = get_args(Phase)
ROLES = ("table", "scoring")

ops = typer.Typer(help="What operators do.", no_args_is_help=True)

Data = Annotated[Path | None, typer.Option(help="data folder of an embedded installation")]
Json = Annotated[bool, typer.Option("--json", help="as JSON")]


class Partition(Struct, frozen=True):
    """One partition: its epoch and how many records it holds, and who works on it in each role."""

    partition: int
    epoch: int
    records: int
    table: str | None
    scoring: str | None


class Verdict(Struct, frozen=True):
    """As much of a verdict as is told; what is no verdict says so by its type."""

    type: str
    accepted: bool = False
    refused: str | None = None


@ops.command()
def tables(
    phase: Annotated[list[str] | None, typer.Option(help="only tables in this phase; more than once")] = None,
    most: Annotated[int, typer.Option(min=1, max=1_000_000)] = 100,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """List tables, the newest first; those that are closed only if asked for."""
    if unknown := set(phase or ()) - set(PHASES):
        raise typer.BadParameter(f"there is no phase {', '.join(sorted(unknown))}; there are {', '.join(PHASES)}")
    wanted = phase or [each for each in PHASES if each != "closed"]
    lines = _read(data, lambda url: _tables(url, wanted, most))
    if as_json:
        typer.echo(msgspec.json.encode(lines))
        return
    columns = ("table", "game", "phase", "round", "seats", "people", "bots", "private")
    shown = Table(*(Column(name, no_wrap=True) for name in columns), box=None)
    for line in lines:
        taken = f"{line.taken}/{line.seats}"
        people = str(line.taken - line.bots)
        cells = (line.table_id, line.game, line.phase, str(line.round), taken, people, str(line.bots))
        shown.add_row(*cells, "yes" if line.private else "")
    wide().print(shown)


@ops.command()
def partitions(data: Data = None, as_json: Json = False) -> None:
    """Show every partition: its epoch, its size, and who works on it."""
    found = _read(data, _partitions)
    if as_json:
        typer.echo(msgspec.json.encode(found))
        return
    shown = Table("partition", "epoch", "records", "table", "scoring", box=None)
    for each in found:
        shown.add_row(str(each.partition), str(each.epoch), str(each.records), each.table or "-", each.scoring or "-")
    wide().print(shown)


@ops.command()
def drain(
    service: Annotated[str, typer.Argument(help="a service of the data folder, as table-1")],
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Have a service of `quartet up` hand over what it holds and end; it is started again. Elsewhere send SIGTERM."""
    folder = (data or load(CommonSettings, environment={}).data).expanduser().resolve()
    try:
        pid = int((folder / "run" / f"{service}.pid").read_text().split()[0])
        os.kill(pid, signal.SIGTERM)
    except (OSError, ValueError, IndexError):
        fail(f"no service {service} runs in {folder}", UNREACHABLE)
    told = {"service": service, "process": pid}
    typer.echo(msgspec.json.encode(told) if as_json else f"{service} (process {pid}) hands over")


@ops.command()
def close(
    table: Annotated[str, typer.Argument(help="a table's id")],
    reason: Annotated[str, typer.Option(help="what its players read", max=64)] = "closed by an operator",
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Close a table for good."""
    try:
        verdict = asyncio.run(_close(bus_url(data, "ops"), table, reason[:64]))
    except LogNotFound as fault:
        fail(fault, UNREACHABLE)
    if verdict is None:
        fail("no verdict came: is any table service running?", UNREACHABLE)
    decoded = msgspec.json.decode(verdict, type=Verdict)
    if decoded.type == "error":
        fail(f"there is no table {table}", BAD)
    if as_json:
        typer.echo(verdict)
    elif decoded.accepted:
        typer.echo(f"table {table} is closed")
    if not decoded.accepted:
        fail(f"refused: {decoded.refused}", BAD)


def _read(data: Path | None, question: Callable[[str], Awaitable[T]]) -> T:
    """Ask the database."""
    try:
        with database(data) as url:
            return asyncio.run(_awaited(question(url)))
    except (LogNotFound, Unreachable, LeaseLost) as fault:
        fail(fault.__cause__ if isinstance(fault, LeaseLost) else fault, UNREACHABLE)


async def _awaited(answer: Awaitable[T]) -> T:
    return await answer


async def _tables(url: str, phases: Sequence[str], most: int) -> Sequence[TableLine]:
    store = PostgresProjections(url, None, "ops", 1)
    try:
        return await store.tables(phases, False, most)
    finally:
        await store.close()


async def _partitions(url: str) -> Sequence[Partition]:
    log, leases = PostgresEventLog(url, None, "ops", 1), PostgresLeases(url, None, "ops")
    try:
        held = {role: await leases.holdings(role) for role in ROLES}
        tenures = [await log.tenure(partition) for partition in range(PARTITIONS)]
    finally:
        await log.close()
        await leases.close()
    holders = {role: {p: holding.instance for p, holding in held[role].items()} for role in ROLES}
    return [
        Partition(
            number,
            tenure.epoch if tenure else 0,
            tenure.position if tenure else 0,
            holders["table"].get(number),
            holders["scoring"].get(number),
        )
        for number, tenure in enumerate(tenures)
    ]


async def _close(url: str, table: str, reason: str) -> bytes | None:
    telemetry.configure("ops", "error")
    name = subjects.instance("ops", uuid4().hex[:12])
    bus = await bus_at(url, name)
    caller = Caller(bus, name, "ops")
    await caller.start()
    try:
        return await caller.send(table, getpass.getuser(), Close(reason))
    finally:
        await caller.stop()
        await bus.close()
