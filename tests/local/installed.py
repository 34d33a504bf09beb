"""A running `quartet up`, as a person at a terminal has it, and what can be done to it."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

from services.local.ports import free_port
from tests.servers import wait_for

START_SECONDS_MAX = 90.0


class Up:
    """One `quartet up` on a data folder; `ready` when it has printed its address."""

    def __init__(self, data: Path, *options: str, **environment: str) -> None:
        self.data = data
        self.port = free_port()
        self._output = data.parent / f"{data.name}.out"
        command = [sys.executable, "-m", "services", "up", "--data", str(data), "--port", str(self.port), *options]
        with self._output.open("w") as output:
            self.process = subprocess.Popen(
                command, stdout=output, stderr=output, env={**clean(os.environ), **environment}
            )

    @property
    def said(self) -> str:
        """All that it printed."""
        return self._output.read_text()

    def ready(self) -> "Up":
        """Wait until it is. Raises AssertionError with what it said if it ends."""
        wait_for(lambda: "ready in" in self.said or self.process.poll() is not None, START_SECONDS_MAX)
        assert self.process.poll() is None, self.said
        return self

    def pids(self) -> Mapping[str, int]:
        """Every process that it runs, by name."""
        noted = {file.stem: file.read_text().split() for file in (self.data / "run").glob("*.pid")}
        return {name: int(words[0]) for name, words in noted.items() if words}

    def kill(self, name: str) -> None:
        """SIGKILL to one of its processes; returns when another is in its place."""
        pid = self.pids()[name]
        os.kill(pid, signal.SIGKILL)
        wait_for(lambda: self.pids().get(name, pid) != pid, 30)

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """Send a signal and wait for its end; its exit status."""
        self.process.send_signal(how)
        return self.process.wait(60)

    def call(self, method: str, path: str, body: object = None, token: str = "") -> tuple[int, object]:
        """One request to the first gateway; status 0 if it can't be reached."""
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
        payload = None if body is None else json.dumps(body).encode()
        request = Request(f"http://127.0.0.1:{self.port}{path}", payload, headers, method=method)
        try:
            with urlopen(request, timeout=10) as answer:
                is_json = answer.headers.get_content_subtype().endswith("json")
                return answer.status, json.load(answer) if is_json else None
        except URLError as error:
            return getattr(error, "code", 0), None
        except OSError:
            return 0, None


def alive(pid: int) -> bool:
    """Whether a process runs (a zombie does not)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def clean(environment: Mapping[str, str]) -> dict[str, str]:
    """Without any setting of ours."""
    return {name: value for name, value in environment.items() if not name.startswith("QUARTET_")}
