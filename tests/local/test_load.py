"""`quartet load` and `quartet ops` at a service as `quartet up` runs it, limits and all."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.local.installed import Up
from tests.servers import wait_for


@pytest.fixture
def up() -> Iterator[Up]:
    above = Path(tempfile.mkdtemp(prefix="quartet-load-"))
    started = Up(above / "data")
    yield started.ready()
    started.stop()
    shutil.rmtree(above)


def quartet(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command as somebody at this machine does."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("QUARTET_")}
    command = [sys.executable, "-m", "services", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=250, check=False)


@pytest.mark.timeout(600)
def test_more_tables_than_a_person_may_open_are_played_verified_and_closed(up: Up) -> None:
    where = ("--data", str(up.data))
    service = ("--url", f"http://127.0.0.1:{up.port}")
    ran = quartet("load", "--tables", "7", "--seconds", "3", "--json", *where, *service)
    assert ran.returncode == 0, ran.stderr
    report = json.loads(ran.stdout)
    assert (report["tables"], report["good"]) == (7, True)
    assert report["verdicts"] > 7
    assert report["records"] > report["verdicts"]
    wait_for(lambda: json.loads(quartet("ops", "tables", "--json", *where).stdout) == [], 60)
    assert quartet("verify", "--all", *where).returncode == 0
    log = "".join(file.read_text() for file in (up.data / "log").glob("*.log"))
    assert "ermissions violation" not in log
    assert "Traceback" not in log
