"""The whole service as processes on embedded servers in a folder of its own, for measurements and soaks."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from services.local.ports import free_port

UNLIMITED = dict.fromkeys(
    (
        "QUARTET_PLAYERS_PER_MINUTE",
        "QUARTET_TABLES_PER_MINUTE",
        "QUARTET_BOT_SEATS_HOST_MAX",
        "QUARTET_REQUESTS_PER_SECOND",
        "QUARTET_WATCHERS_ADDRESS_MAX",
    ),
    "1000000",
)
"""What protects a site from one address must not protect it from a measurement."""


@contextlib.contextmanager
def running(data: Path, *options: str, environment: Mapping[str, str] = UNLIMITED) -> Iterator[str]:
    """`quartet up` with these options while inside; yields the first gateway's address."""
    port = free_port()
    command = [sys.executable, "-m", "services", "up", "--port", str(port), "--data", str(data), *options]
    process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        if not any("ready in" in line for line in process.stdout):
            raise RuntimeError(f"quartet up does not come up; see {data}/log")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
        process.stdout and process.stdout.close()


def nats_url(data: Path, user: str) -> str:
    """A service's address on the folder's NATS."""
    settings = json.loads((data / "secret" / "nats.conf").read_text())
    found = next(each for each in settings["authorization"]["users"] if each["user"] == user)
    return f"nats://{user}:{found['password']}@{settings['listen']}"


def kill(data: Path, name: str) -> bool:
    """SIGKILL one service or server of the folder; whether it was there. The supervisor starts it again."""
    try:
        os.kill(int((data / "run" / f"{name}.pid").read_text().split()[0]), signal.SIGKILL)
    except (OSError, ValueError, IndexError):
        return False
    return True
