"""`quartet verify`: decides every record again, checks the chain, and names the first difference of each table."""

import asyncio
import time
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import Struct
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from services.cli.census import Census, Extent, Lost, Unsealed, census
from services.cli.checking import Checked, Scope
from services.cli.ending import fail
from services.cli.finding import ROUND_MAX, LogNotFound, database
from services.cli.verified import Verified
from services.cli.verifying import check_all, cores
from shared.eventlog.port import Unreachable
from shared.replay import Fault

GOOD, BAD, CAN_NOT_TELL = 0, 1, 2
NOTHING = "no such"


class Place(Struct, frozen=True):
    """Where a fault is."""

    table: str
    fault: Fault


class Report(Struct, frozen=True):
    """What was verified: good, unless there is any fault, and nothing `lost` or `unsealed` (both of the whole log).

    `cpu_seconds` are all processes', with reading.
    """

    good: bool
    tables: int
    known: int
    rounds: int
    records: int
    seconds: float
    records_per_second: int
    cpu_seconds: float
    records_per_core_second: int
    faults: tuple[Place, ...]
    lost: tuple[Lost, ...] = ()
    unsealed: tuple[Unsealed, ...] = ()


Data = Annotated[Path | None, typer.Option(help="data folder of an embedded installation, running or not")]
Json = Annotated[bool, typer.Option("--json", help="report as JSON")]


def verify(
    table: Annotated[str | None, typer.Argument(help="a table's id")] = None,
    round: Annotated[int | None, typer.Argument(min=0, max=ROUND_MAX, help="one round of it")] = None,
    every: Annotated[bool, typer.Option("--all", help="every table of the log")] = False,
    data: Data = None,
    resume: Annotated[Path | None, typer.Option(help="keep what is found good in this file, and skip it")] = None,
    processes: Annotated[int, typer.Option(min=0, help="0: as many as there are cores")] = 0,
    as_json: Json = False,
) -> None:
    """Decide every record again and check the chain. Exit status: 0 good, 1 not, 2 can't tell."""
    if (table is None) != every:
        raise typer.BadParameter("name a table, or --all")
    error = Console(stderr=True)
    try:
        with database(data) as url:
            report = _verify(url, table, round, resume, processes or cores(), error)
    except (LogNotFound, Unreachable, OSError) as fault:
        fail(fault, CAN_NOT_TELL)
    if table is not None and report.records == 0 and any(NOTHING in each.fault.detail for each in report.faults):
        fail(f"there is no table {table}" + ("" if round is None else f" with a round {round}"), CAN_NOT_TELL)
    _print(report, as_json)
    raise typer.Exit(GOOD if report.good else BAD)


def _verify(
    url: str, table: str | None, round: int | None, resume: Path | None, processes: int, error: Console
) -> Report:
    verified = Verified(resume)
    whole = Census((Extent(table, 0, ""),), (), ()) if table is not None else asyncio.run(census(url))
    sizes = {each.table: each.version for each in whole.tables if not _stands(each, verified.find(each.table))}
    found: list[Checked] = []
    began = time.monotonic()
    bar = (TextColumn("verify"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"))
    with Progress(*bar, TimeRemainingColumn(), console=error, transient=True) as progress:
        task = progress.add_task("verify", total=sum(sizes.values()) or None, rate="")

        def tell(checked: Checked) -> None:
            found.append(checked)
            if round is None:
                verified.add(checked)
            done = progress.tasks[task].completed + checked.records
            rate = done / max(time.monotonic() - began, 1e-9)
            progress.update(task, advance=checked.records, rate=f"records, {rate:,.0f}/s")

        cpu = check_all(url, Scope(tuple(sizes), round), processes, tell, sizes)
    return _report(found, whole, time.monotonic() - began, cpu)


def _stands(extent: Extent, checked: Checked | None) -> bool:
    """Known to be good, and not grown since."""
    return checked is not None and (checked.version, checked.head) == (extent.version, extent.head)


def _report(found: list[Checked], whole: Census, seconds: float, cpu: float) -> Report:
    records = sum(each.records for each in found)
    faults = tuple(Place(each.table, each.fault) for each in found if each.fault is not None)
    rounds = sum(each.rounds for each in found)
    return Report(
        good=not (faults or whole.lost or whole.unsealed),
        tables=len(found),
        known=len(whole.tables) - len(found),
        rounds=rounds,
        records=records,
        seconds=round_to(seconds),
        records_per_second=int(records / seconds),
        cpu_seconds=round_to(cpu),
        records_per_core_second=int(records / cpu) if cpu else 0,
        faults=faults,
        lost=whole.lost,
        unsealed=whole.unsealed,
    )


def round_to(seconds: float) -> float:
    """Milliseconds are enough."""
    return float(f"{seconds:.3f}")


def _print(report: Report, as_json: bool) -> None:
    if as_json:
        typer.echo(msgspec.json.encode(report))
        return
    console = Console(highlight=False, emoji=False)
    for place in report.faults:
        fault = place.fault
        where = f"table {escape(place.table)}, record {fault.version}"
        console.print(f"[red]✗[/] {where}: [bold]{fault.kind}[/]: {escape(fault.detail)}")
    for lost in report.lost:
        console.print(f"[red]✗[/] partition {lost.partition}: [bold]lost[/]: {lost.records} committed records are gone")
    for seal in report.unsealed:
        where = f"table {seal.table}, record {seal.version}"
        console.print(f"[red]✗[/] {where}: [bold]seal[/]: round {seal.round} does not end as it was sealed")
    skipped = f", {report.known} known good" if report.known else ""
    sign = "[green]✓[/] every record follows from the rules" if report.good else "[red]✗ not what the rules give[/]"
    console.print(
        f"{sign}: {report.tables} tables{skipped}, {report.rounds} rounds, {report.records} records"
        f" in {report.seconds} s ({report.records_per_second}/s, {report.records_per_core_second} a second of one core)"
    )
