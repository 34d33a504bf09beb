"""The embedded servers: they start, keep their data, and nothing of them outlives the process that started them."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from services.local import process
from services.local.folder import Folder, FolderUnusable
from services.local.postgres import Postgres
from tests.servers import PostgresServer, wait_for

START_AND_HANG = """
import sys, signal
from pathlib import Path
from services.local.folder import Folder
from services.local.nats import Nats
from services.local.postgres import Postgres
folder = Folder.open(Path(sys.argv[1]))
folder.hold()
for server in (Postgres(folder), Nats(folder)):
    server.start()
    server.wait_ready()
    print(server.process.pid, flush=True)
signal.pause()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    opened = Folder.open(tmp_path)
    yield opened
    opened.release()


async def test_what_was_committed_is_there_after_a_kill(own_postgres: PostgresServer) -> None:
    await _execute(own_postgres.url, "CREATE TABLE kept AS SELECT 1 AS one")
    own_postgres.kill()
    own_postgres.start()
    await _execute(own_postgres.url, "SELECT one FROM kept")


async def test_the_embedded_postgres_flushes_and_listens_on_loopback_only(folder: Folder) -> None:
    server = Postgres(folder)
    server.start()
    server.wait_ready()
    try:
        connection = await asyncpg.connect(server.url)
        shown = [
            await connection.fetchval(f"SHOW {name}") for name in ("fsync", "synchronous_commit", "listen_addresses")
        ]
        await connection.close()
    finally:
        server.stop()
    assert shown == ["on", "on", "127.0.0.1"]


async def test_without_its_password_nobody_enters(postgres: PostgresServer) -> None:
    with pytest.raises(asyncpg.InvalidPasswordError):
        await _execute(postgres.url.replace("quartet:", "quartet:x"), "SELECT 1")


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel has no death signal; the pid file serves there")
def test_a_killed_supervisor_leaves_no_server_behind(tmp_path: Path) -> None:
    starter = _starter(tmp_path)
    assert starter.stdout is not None
    servers = [int(starter.stdout.readline()) for _ in range(2)]
    starter.kill()
    starter.wait()
    wait_for(lambda: not any(_running(pid) for pid in servers), seconds=20)
    starter.stdout.close()


def test_a_second_holder_of_a_data_folder_is_refused_and_told_who_has_it(folder: Folder) -> None:
    folder.hold()
    with pytest.raises(FolderUnusable, match=str(os.getpid())):
        Folder.open(folder.path).hold()


def test_secrets_are_read_by_their_owner_only(folder: Folder) -> None:
    password = folder.password("some")
    assert password == folder.password("some")
    assert (folder.secret / "some").stat().st_mode & 0o777 == 0o600


def test_a_folder_that_is_a_file_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FolderUnusable, match="choose another with --data"):
        Folder.open(tmp_path / "file")


def test_a_folder_that_was_good_and_can_not_be_written_to_any_more_is_refused_in_words(folder: Folder) -> None:
    (folder.run / "lock").mkdir()
    with pytest.raises(FolderUnusable, match="choose another with --data"):
        folder.hold()


def test_a_child_that_can_not_be_noted_runs_all_the_same(tmp_path: Path) -> None:
    process.note(tmp_path / "gone" / "table-1.pid", os.getpid())
    assert not (tmp_path / "gone").exists()


def _starter(path: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", START_AND_HANG, path], stdout=subprocess.PIPE, text=True)


def _running(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIG_DFL)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state not in "ZX"


async def _execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(statement)
    await connection.close()
