"""`quartet up`: everything on this machine, each service its own process, until Ctrl-C."""

import signal
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Annotated
from urllib.error import URLError
from urllib.request import urlopen

import typer

from services.cli.client import NoAnswer
from services.cli.ending import fail
from services.cli.lay import lay
from services.gateway.settings import GatewaySettings
from services.local import ports, roster
from services.local.binaries import MissingServer
from services.local.folder import Folder, FolderUnusable
from services.local.installation import Counts, Installation
from services.local.ports import PORT_MAX
from services.local.supervisor import ServerFailed
from shared.proof.keys import BadKeys
from shared.settings import BadSettings, CommonSettings, load

READY_SECONDS_MAX = 60.0
PORT = 8000
FAILURES_MAX = 4


class Stopping:
    """Ctrl-C or SIGTERM: the first asks to stop, the second to hurry."""

    def __init__(self) -> None:
        self.asked = 0
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._ask)

    def now(self) -> bool:
        """Whether to stop."""
        return self.asked > 0

    def hurry(self) -> bool:
        """Whether to stop without waiting for anything."""
        return self.asked > 1

    def _ask(self, _number: int, _frame: FrameType | None) -> None:
        self.asked += 1


def up(
    port: Annotated[
        int | None,
        typer.Option(min=1, max=PORT_MAX, help=f"the first gateway's port [default: {PORT}, or the next free]"),
    ] = None,
    data: Annotated[Path | None, typer.Option(help="where everything is kept [default: QUARTET_DATA or data]")] = None,
    gateways: Annotated[int, typer.Option(min=1, max=16)] = 1,
    tables: Annotated[int, typer.Option(min=1, max=16)] = 1,
    scorings: Annotated[int, typer.Option(min=1, max=16)] = 1,
    bots: Annotated[int, typer.Option(min=0, max=16)] = 1,
    table: Annotated[
        bool, typer.Option("--open", help="lay a table with bots and a free seat, and print its link")
    ] = False,
) -> None:
    """Run everything on this machine; Ctrl-C stops all of it."""
    began, stopping = time.monotonic(), Stopping()
    try:
        settings = load(GatewaySettings, roster.KINDS)
        common = load(CommonSettings, roster.KINDS)
        folder = Folder.open(data or common.data)
        folder.hold()
        counts = Counts(_gateway_ports(port, gateways, settings.host), tables, scorings, bots)
        installation = Installation(folder, tell=_tell)
    except (BadSettings, BadKeys, FolderUnusable, MissingServer, PermissionError) as error:
        fail(error)
    try:
        installation.start_servers()
        installation.start_services(counts)
        _await_gateways(installation, counts.gateway_ports, stopping)
        if not stopping.now():
            _greet(folder, settings.host, counts.gateway_ports, time.monotonic() - began)
            if table:
                _lay(counts.gateway_ports[0])
        installation.watch(stopping.now)
        _tell("stopping; everything is kept in the data folder")
    except (ServerFailed, OSError) as error:
        fail(error)
    finally:
        installation.stop(stopping.hurry)
        folder.release()


def _gateway_ports(asked: int | None, number: int, host: str) -> tuple[int, ...]:
    """One port a gateway, from the asked one on. A taken one is refused if asked for, else the next free is taken."""
    chosen: list[int] = []
    for _ in range(number):
        wanted = chosen[-1] + 1 if chosen else asked if asked is not None else PORT
        if wanted > PORT_MAX:
            fail(f"{number} gateways need {number} ports from {asked} on, and the last one is {PORT_MAX}")
        found = ports.first_free(wanted, host)
        if found is None or (asked is not None and found != wanted):
            fail(f"port {wanted} is taken by another program; choose another with --port")
        if found != wanted:
            _tell(f"port {wanted} is taken by another program, so I take {found}")
        chosen.append(found)
    return tuple(chosen)


def _await_gateways(installation: Installation, gateway_ports: tuple[int, ...], stopping: Stopping) -> None:
    """Watch until every gateway answers. Raises ServerFailed when a service does not come up."""
    until = time.monotonic() + READY_SECONDS_MAX
    waiting = list(gateway_ports)

    def settled() -> bool:
        while waiting and _answers(waiting[0]):
            waiting.pop(0)
        broken = next((m for m in installation.supervisor.members if m.failures >= FAILURES_MAX), None)
        if broken is not None:
            raise ServerFailed(f"{broken.name} does not start; see {installation.folder.log / broken.name}.log")
        if time.monotonic() > until:
            raise ServerFailed(f"no answer on port {waiting[0]}; see the logs in {installation.folder.log}")
        return not waiting or stopping.now()

    installation.supervisor.watch(settled, iter(()))


def _answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=1) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


def _greet(folder: Folder, host: str, gateway_ports: tuple[int, ...], seconds: float) -> None:
    for port in gateway_ports:
        _tell(f"Quartet is at http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}")
    _tell(f"ready in {seconds:.1f} s; data and logs are in {folder.path}; Ctrl-C stops it")


def _lay(port: int) -> None:
    try:
        _tell(f"a table with three bots and a free seat: {lay(f'http://127.0.0.1:{port}')}")
    except NoAnswer as problem:
        _tell(f"no table could be laid: {problem}", err=True)


def _tell(line: str, err: bool = False) -> None:
    """A line to whoever started us; they may have gone, or their disk be full, and everything goes on."""
    with suppress(OSError):
        typer.echo(line, err=err)
