"""`quartet export TABLE ROUND -o FILE`: the offline bundle of a sealed round, from the log or a running service."""

import asyncio
from http.client import HTTPException
from pathlib import Path
from typing import Annotated
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import msgspec
import typer

from services.cli.ending import BAD, UNREACHABLE, fail
from services.cli.finding import ROUND_MAX, LogNotFound, database
from shared.eventlog.port import Unreachable
from shared.eventlog.postgres import PostgresEventLog
from shared.ledger.export import Missing
from shared.ledger.export import export as bundled
from shared.ledger.growing import Mirror
from shared.ledger.postgres import PostgresLedger

SECONDS = 30.0
WORDS = {
    Missing.NO_SUCH_ROUND: "there is no such round",
    Missing.ROUND_OPEN: "the round is not awarded yet",
    Missing.NOT_SEALED: "the round is awarded and not sealed yet; try again",
}


def export(
    table: Annotated[str, typer.Argument(help="a table's id")],
    round: Annotated[int, typer.Argument(min=1, max=ROUND_MAX, help="an awarded round of it")],
    output: Annotated[Path, typer.Option("--output", "-o", help="the file to write")],
    data: Annotated[Path | None, typer.Option(help="data folder of an embedded installation, running or not")] = None,
    url: Annotated[str | None, typer.Option(help="a running service, in place of the log itself")] = None,
    token: Annotated[str | None, typer.Option(help="a player's or auditor's token, for --url")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="as JSON")] = False,
) -> None:
    """Write the bundle of a sealed round: what `quartet check` and verify_bundle.py prove it by, anywhere."""
    try:
        found = _fetched(url, table, round, token) if url is not None else _read(data, table, round)
        output.write_bytes(found)
    except (LogNotFound, Unreachable, OSError) as fault:
        fail(fault, UNREACHABLE)
    told = {"file": str(output), "bytes": len(found), "table": table, "round": round}
    typer.echo(
        msgspec.json.encode(told) if as_json else f"{output}: {len(found)} bytes, round {round} of table {table}"
    )


def _read(data: Path | None, table: str, round: int) -> bytes:
    with database(data) as address:
        found = asyncio.run(_exported(address, table, round))
    if isinstance(found, Missing):
        fail(WORDS[found], BAD)
    return found


async def _exported(url: str, table: str, round: int) -> bytes | Missing:
    log, ledger = PostgresEventLog(url, None, "export", 1), PostgresLedger.connect(url, None, "export")
    try:
        return await bundled(log, Mirror(ledger), table, round)
    finally:
        await log.close()
        await ledger.close()


def _fetched(url: str, table: str, round: int, token: str | None) -> bytes:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    try:
        request = Request(f"{url.rstrip('/')}/api/tables/{table}/rounds/{round}/bundle", headers=headers)
        with urlopen(request, timeout=SECONDS) as answer:
            found: bytes = answer.read()
            return found
    except HTTPError as refused:
        fail(f"{url}: {refused.code} {refused.read().decode(errors='replace')}", BAD)
    except (URLError, ValueError, HTTPException) as fault:
        fail(f"{url} does not answer: {fault}", UNREACHABLE)
