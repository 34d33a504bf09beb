"""`quartet check FILE…`: proves bundles with no network and no database, and says what they prove."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import Struct
from rich.console import Console
from rich.markup import escape

from services.cli.ending import BAD, UNREACHABLE, fail
from shared.proof.bundle import BUNDLE_BYTES_MAX
from shared.proof.check import Held, Report, Verdict, Vouched
from shared.proof.check import check as checked
from shared.proof.note import Verifier
from shared.proof.races import Race
from shared.proof.receipt import Receipt

PROVEN = (
    "the deal follows from bytes committed before it; every outcome and every refusal follows from the recorded order"
    " by the rules; nothing was changed since; the points are what the rules give"
)
NOT_PROVEN = (
    "that commands arrived in this order (the table's clock says so; gateway times and receipts bound it), and that a"
    " command came from a player's own hand (the gateway says so)"
)
BEGUN_WITH = "; nor what the round began with, which the bundle of the round before shows when it is given first"


class Signed(Receipt, frozen=True, kw_only=True):
    """A receipt, and the round that it was given for, so that it is not looked for in another. Null: in this one."""

    table: str | None = None
    round: int | None = None


class Kept(Struct):
    """A verdict as a client kept it: as much of it as is looked at."""

    receipt: str
    signed: Signed


def check(
    files: Annotated[list[Path], typer.Argument(help="a bundle; more: those of the rounds after it, in order")],
    trust: Annotated[list[str] | None, typer.Option(help="a public key, or a file of them; more than once")] = None,
    receipts: Annotated[Path | None, typer.Option(help="kept verdicts with signed receipts: JSON, one a line")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="report as JSON")] = False,
) -> None:
    """Decide every record of a bundle again, check chain and seal; bundles of successive rounds also prove what each
    began with. Exit status: 0 proven, 1 not, 2 can't tell."""
    try:
        known = [key for each in trust or () for key in _keys(each)]
        kept = [] if receipts is None else list(_kept(receipts.read_bytes()))
        reports = list(_reports([_bytes(file) for file in files], known, kept))
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError) as fault:
        fail(_printable(str(fault)), UNREACHABLE)
    if as_json:
        found = [report for report, _ in reports]
        typer.echo(msgspec.json.encode(found if len(files) > 1 else found[0]))
    else:
        for report, held in reports:
            _print(report, len(kept) - held)
    raise typer.Exit(_status({report.verdict for report, _ in reports}))


def _bytes(file: Path) -> bytes:
    """As much of it as any bundle can have, and one byte more, by which it is known to be none."""
    with file.open("rb") as opened:
        return opened.read(BUNDLE_BYTES_MAX + 1)


def _reports(files: Sequence[bytes], known: Sequence[Verifier], kept: Sequence[Kept]) -> Iterator[tuple[Report, int]]:
    """Each as the sequel of the one before, if that one is proven itself; and how many receipts were looked for in it.

    Of several rounds no receipt is looked for in one that it does not name: it would be missing in all but its own.
    """
    before: bytes | None = None
    for data in files:
        report = checked(data, known, before=before)
        held = [Held(each.receipt, each.signed) for each in kept if _is_of(each.signed, report, len(files) == 1)]
        if held:
            report = checked(data, known, held, before)
        yield report, len(held)
        before = data if report.verdict is Verdict.PROVEN else None


def _status(verdicts: set[Verdict]) -> int:
    return BAD if Verdict.WRONG in verdicts else UNREACHABLE if Verdict.UNKNOWN in verdicts else 0


def _kept(text: bytes) -> Iterator[Kept]:
    """One JSON array, or one verdict a line; a verdict without a signed receipt proves nothing and is passed over."""
    whole = text.lstrip()
    found = msgspec.json.decode(whole, type=list[msgspec.Raw]) if whole.startswith(b"[") else whole.splitlines()
    for each in found:
        if each and b'"signed"' in bytes(each):
            yield msgspec.json.decode(each, type=Kept)


def _keys(given: str) -> list[Verifier]:
    lines = [given] if "+" in given else Path(given).read_text().split()
    return [Verifier.parse(line) for line in lines]


def _is_of(signed: Signed, report: Report, alone: bool) -> bool:
    unsaid = (None,) if alone else ()
    return signed.table in (report.table, *unsaid) and signed.round in (report.round, *unsaid)


def _printable(text: str) -> str:
    """What a forger may have written, for a terminal: nothing in it moves the cursor or hides a word."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def _plain(text: str | None) -> str:
    """The same where markup counts."""
    return escape(_printable(text or ""))


def _print(report: Report, others: int) -> None:
    console = Console(highlight=False, emoji=False)
    if report.table is not None:
        named = f"[bold]{_plain(report.game)}[/], table {_plain(report.table)}, round {report.round}"
        console.print(named, soft_wrap=True)
    if report.verdict is Verdict.PROVEN:
        points = "  ".join(map(str, report.points))
        console.print(f"[green]✓ Proven[/]: {PROVEN}: {points}. {report.records} records.")
    else:
        where = "" if report.version is None else f" at record {report.version}"
        mark = "✗ Not proven" if report.verdict is Verdict.WRONG else "? Can't tell"
        console.print(f"[red]{mark}[/]{where}: [bold]{report.kind}[/]: {_plain(report.detail)}", soft_wrap=True)
    if report.signed_by is not None:
        trusted = "a key you trust" if report.trusted else "compare it with the key that the site publishes"
        console.print(f"  signed by {_plain(report.signed_by)}: {trusted}", soft_wrap=True)
    if report.follows is not None and report.verdict is Verdict.PROVEN:
        console.print(f"  begun with what round {report.follows} left", soft_wrap=True)
    _races(console, report.races)
    for vouched in report.receipts:
        console.print(f"  receipt {_plain(vouched.receipt[:16])}…: {_said(vouched)}", soft_wrap=True)
    if others:
        console.print(f"  {others} receipts are of other rounds")
    if report.verdict is Verdict.PROVEN:
        begun = "" if report.follows is not None else BEGUN_WITH
        console.print(f"Not proven: {NOT_PROVEN}{begun}.")


def _races(console: Console, races: Sequence[Race]) -> None:
    for race in races:
        loser = "somebody" if race.seat is None else f"seat {race.seat}"
        winner = f"seat {race.winner}" if isinstance(race.winner, int) else f"the {race.winner}"
        margin = f"{race.margin_us / 1_000:.3f} ms"
        rule = "" if race.rule is None else f" ({race.rule})"
        console.print(f"  race: {loser}'s record {race.version} lost to {winner}'s {race.lost_to} by {margin}{rule}")


def _said(vouched: Vouched) -> str:
    if vouched.version is not None:
        became = "" if vouched.accepted is None else ", accepted" if vouched.accepted else ", refused"
        signed = "" if vouched.key is not None else "; its signature is of no key known here"
        return f"record {vouched.version}{became}{signed}"
    if vouched.key is None:
        return "not in this round, and signed by no key known here: it proves nothing"
    return f"[red]missing[/]: {_plain(vouched.key)} vouched for it, so the log was cut"
