"""`quartet up` on real processes: what it starts it keeps running, and what it stops is gone."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.local.installed import Up, alive, clean
from tests.rules import case
from tests.servers import wait_for

SERVICES = ("gateway-1", "table-1", "scoring-1", "bots-1")
SERVERS = ("postgres", "nats")


@pytest.fixture
def data() -> Iterator[Path]:
    """A data folder, and afterwards nothing that runs on it."""
    above = Path(tempfile.mkdtemp(prefix="quartet-up-"))
    yield above / "data"
    shutil.rmtree(above)


@pytest.fixture
def ups(data: Path) -> Iterator[list[Up]]:
    """What a test starts, so that it is stopped whatever happens."""
    started: list[Up] = []
    yield started
    for up in started:
        if up.process.poll() is None:
            up.stop()


@case("C-06", "C-16")
def test_any_process_may_be_killed_and_play_goes_on(data: Path, ups: list[Up]) -> None:
    up = _up(ups, data)
    token, table = _a_table(up)
    for name in (*SERVICES, *SERVERS):
        up.kill(name)
        wait_for(lambda: _names(up, token, table) == ["Ada"], 60)
        wait_for(lambda: up.call("GET", "/readyz")[0] == 200, 60)
    assert up.stop() == 0


def test_a_terminal_that_is_gone_stops_nothing(data: Path, ups: list[Up]) -> None:
    up = _up(ups, data)
    command = [sys.executable, "-m", "services", "up", "--data", str(data), "--port", str(up.port)]
    up.stop()
    environment = clean(os.environ)
    up.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
    assert up.process.stdout is not None
    assert any(b"ready in" in line for line in up.process.stdout)
    up.process.stdout.close()
    up.kill("table-1")
    wait_for(lambda: up.call("GET", "/readyz")[0] == 200, 60)
    assert up.stop() == 0


def test_after_ctrl_c_nothing_runs_and_the_next_up_goes_on_with_every_table(data: Path, ups: list[Up]) -> None:
    first = _up(ups, data)
    token, table = _a_table(first)
    pids = first.pids()
    assert sorted(pids) == sorted((*SERVICES, *SERVERS))
    assert first.stop(signal.SIGINT) == 0
    assert not any(alive(pid) for pid in pids.values())
    second = _up(ups, data)
    wait_for(lambda: _names(second, token, table) == ["Ada"], 30)
    assert second.stop(signal.SIGTERM) == 0
    _no_secret_is_in_the_logs(data, token)


@case("C-06")
def test_after_kill_9_of_itself_nothing_is_left_and_the_next_up_goes_on(data: Path, ups: list[Up]) -> None:
    first = _up(ups, data)
    token, table = _a_table(first)
    pids = first.pids()
    first.stop(signal.SIGKILL)
    second = _up(ups, data)
    assert not any(alive(pid) for pid in pids.values())
    wait_for(lambda: _names(second, token, table) == ["Ada"], 30)


def test_several_of_each_service_and_a_second_up_on_their_data_is_refused(data: Path, ups: list[Up]) -> None:
    up = _up(ups, data, "--gateways", "2", "--tables", "2", "--scorings", "2", "--bots", "0")
    assert {"gateway-2", "table-2", "scoring-2"} <= set(up.pids())
    assert "bots-1" not in up.pids()
    assert up.said.count("Quartet is at http://127.0.0.1:") == 2
    refused = Up(data)
    assert refused.process.wait(60) == 2
    assert f"in use by process {up.process.pid}" in refused.said


def test_servers_that_are_named_take_the_place_of_embedded_ones(
    data: Path, ups: list[Up], empty_postgres_url: str, nats_url: str
) -> None:
    ups.append(Up(data, QUARTET_DATABASE_URL=empty_postgres_url, QUARTET_NATS_URL=nats_url))
    up = ups[-1].ready()
    assert sorted(up.pids()) == sorted(SERVICES)
    token, table = _a_table(up)
    assert _names(up, token, table) == ["Ada"]
    assert up.stop() == 0


def test_a_taken_port_that_was_asked_for_is_refused_by_its_number(data: Path, ups: list[Up]) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = Up(data, "--port", str(port))
        assert refused.process.wait(60) == 2
    assert f"port {port} is taken" in refused.said


def test_a_setting_that_does_not_exist_stops_the_start(data: Path) -> None:
    refused = Up(data, QUARTET_TOKEN_KEY="x", QUARTET_FRAME_BYTES_MAX="many")
    assert refused.process.wait(60) == 2
    assert "QUARTET_TOKEN_KEY: there is no such setting; did you mean QUARTET_TOKEN_KEYS?" in refused.said
    assert "QUARTET_FRAME_BYTES_MAX: " in refused.said


def test_a_full_disk_is_said_in_words(data: Path) -> None:
    data.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", data], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("only who may mount can have a small disk")
    try:
        refused = Up(data)
        assert refused.process.wait(60) == 2
        assert f"the disk of {data} is full" in refused.said
    finally:
        subprocess.run(["umount", data], check=True)


def _up(ups: list[Up], data: Path, *options: str) -> Up:
    ups.append(Up(data, *options))
    return ups[-1].ready()


def _a_table(up: Up) -> tuple[str, str]:
    """A player's token, and a table where Ada sits."""
    made, player = up.call("POST", "/api/players", {"name": "Ada"})
    assert made == 201
    assert isinstance(player, dict)
    token = player["token"]
    opened, table = up.call("POST", "/api/tables", {"game": "quatro", "seats": 4, "rules": {}}, token)
    assert opened == 201
    assert isinstance(table, dict)
    return token, table["table_id"]


def _names(up: Up, token: str, table: str) -> list[str]:
    """Who sits at the table, as the gateway shows it; nobody while it can't be asked."""
    _, view = up.call("GET", f"/api/tables/{table}/view", token=token)
    seats = view["public"]["seats"] if isinstance(view, dict) else []
    return [seat["name"] for seat in seats if seat["name"]]


def _no_secret_is_in_the_logs(data: Path, token: str) -> None:
    secrets = [file.read_text().strip() for file in (data / "secret").iterdir() if file.suffix != ".conf"]
    logs = "".join(file.read_text() for file in (data / "log").iterdir())
    assert [secret for secret in [*secrets, token] if secret in logs] == []
