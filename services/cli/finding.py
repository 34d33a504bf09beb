"""Finds the event log for commands that only read it: by its URL, or in a data folder, its Postgres running or not."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from services.local.folder import Folder, FolderUnusable
from services.local.postgres import USER, Postgres
from services.local.supervisor import ServerFailed
from shared.bus.nats import BusRefused, NatsBus
from shared.settings import CommonSettings, load

ROUND_MAX = 2**31 - 1
"""What the log's column holds."""
READY_LINE = 7
PORT_LINE = 3


class LogNotFound(Exception):
    """There is no log to read there; the message says what to do."""


@contextmanager
def database(data: Path | None) -> Iterator[str]:
    """The URL of the log's database while inside; an embedded Postgres that does not run is started for that long.

    `data` None: QUARTET_DATABASE_URL, else QUARTET_DATA. Raises LogNotFound, BadSettings.
    """
    settings = load(CommonSettings, environment={})
    if data is None and settings.database_url:
        yield settings.database_url
        return
    folder = (data or settings.data).expanduser().resolve()
    if not (folder / "postgres" / "data" / "PG_VERSION").exists():
        raise LogNotFound(f"no log in {folder}; say where with --data, QUARTET_DATA or QUARTET_DATABASE_URL")
    running = _running(folder)
    if running is not None:
        yield running
        return
    try:
        with _started(Folder.open(folder)) as url:
            yield url
    except (FolderUnusable, ServerFailed) as fault:
        raise LogNotFound(str(fault)) from fault


def _running(folder: Path) -> str | None:
    """Where the folder's Postgres listens, if it does: its own pid file says so, and the process is there."""
    try:
        lines = (folder / "postgres" / "data" / "postmaster.pid").read_text().splitlines()
        os.kill(int(lines[0]), 0)
    except PermissionError:
        pass  # it is there, and another user's
    except (OSError, ValueError, IndexError):
        return None
    if len(lines) <= READY_LINE or lines[READY_LINE].strip() != "ready":
        return None
    password = (folder / "secret" / "postgres").read_text().strip()
    return f"postgresql://{USER}:{password}@127.0.0.1:{int(lines[PORT_LINE])}/postgres"


@contextmanager
def _started(folder: Folder) -> Iterator[str]:
    folder.hold()
    try:
        server = Postgres(folder)
        server.start()
        try:
            server.wait_ready()
            yield server.url
        finally:
            server.stop()
    finally:
        folder.release()


def bus_url(data: Path | None, user: str) -> str:
    """Where that service's user speaks on NATS: QUARTET_NATS_URL, else a data folder's. Raises LogNotFound."""
    settings = load(CommonSettings, environment={})
    if data is None and settings.nats_url:
        return settings.nats_url
    folder = (data or settings.data).expanduser().resolve()
    try:
        server = json.loads((folder / "secret" / "nats.conf").read_text())
    except OSError:
        raise LogNotFound(f"no bus in {folder}; say where with --data or QUARTET_NATS_URL") from None
    passwords = {each["user"]: each["password"] for each in server["authorization"]["users"]}
    return f"nats://{user}:{passwords[user]}@{server['listen']}"


async def bus_at(url: str, name: str) -> NatsBus:
    """A connection to the bus. Raises LogNotFound."""
    try:
        bus = await NatsBus.connect(url, name)
    except BusRefused as fault:
        raise LogNotFound(f"NATS refuses us: {fault}") from None
    if not bus.connected:
        await bus.close()
        raise LogNotFound(f"NATS does not answer at {url.rpartition('@')[2].rpartition('/')[2]}")
    return bus
