"""The embedded Postgres: a cluster of our own below the data folder, on a TCP port of loopback, fsync on. Only the
server programs are used; they run as uid nobody when we are root."""

import os
import shutil
import signal
import sys
import time
from pathlib import Path

from services.local import nobody, process
from services.local.binaries import postgres_bin
from services.local.folder import Folder
from services.local.ports import LOOPBACK, free_port
from services.local.process import Process
from services.local.supervisor import ServerFailed

START_SECONDS_MAX = 60.0
STOP_SECONDS_MAX = 10.0
USER = "quartet"
CONFIG = {
    "listen_addresses": LOOPBACK,
    "unix_socket_directories": "",
    "fsync": "on",
    "synchronous_commit": "on",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "jit": "off",
    "log_min_error_statement": "panic",  # a statement may hold a hidden card
    "timezone": "UTC",
}


class Postgres:
    """One cluster in `folder`. `start` returns at once, `wait_ready` when it takes connections."""

    def __init__(self, folder: Folder) -> None:
        self._person = nobody.whom()
        self._bin = nobody.readable_bin(postgres_bin(), self._person)
        self._home = folder.path / "postgres"
        self._log = folder.log / "postgres.log"
        self._pid_file = folder.run / "postgres.pid"
        self._password = folder.password("postgres")
        self._port = free_port()
        self.process: Process | None = None

    @property
    def url(self) -> str:
        """Where it listens, with the owner's password."""
        return f"postgresql://{USER}:{self._password}@{LOOPBACK}:{self._port}/postgres"

    def start(self) -> None:
        """Stop what an earlier run left, make the cluster if there is none, start the server. Raises ServerFailed."""
        process.stop_leftover(self._pid_file, signal.SIGINT, STOP_SECONDS_MAX)
        self._make_home()
        if not (self._home / "data" / "PG_VERSION").exists():
            self._make_cluster()
        self._launch()

    def wait_ready(self) -> None:
        """Return when connections are taken. A server that dies on the way is started again, on another port."""
        until = time.monotonic() + START_SECONDS_MAX
        while not self._ready():
            if time.monotonic() > until:
                raise ServerFailed(f"Postgres does not start; {self._last_words()}")
            if self.process is None or self.process.poll() is not None:
                self._again(until)
            time.sleep(0.01)

    def stop(self) -> None:
        """Fast shutdown: open transactions are rolled back, what was committed is flushed."""
        if self.process is not None:
            process.stop(self.process, signal.SIGINT, STOP_SECONDS_MAX)
            self._pid_file.unlink(missing_ok=True)

    def _again(self, until: float) -> None:
        """The port was taken, or backends of a killed predecessor still leave: worth another try for a while."""
        words = self._last_words()
        if until - time.monotonic() < START_SECONDS_MAX - 5 or "space left" in words:
            raise ServerFailed(f"Postgres does not start; {words}")
        time.sleep(0.2)
        self._port = free_port()
        self._launch()

    def _launch(self) -> None:
        options = [part for name, value in CONFIG.items() for part in ("-c", f"{name}={value}")]
        with _Reach(self._home) as reach:
            self.process = process.spawn(
                [self._bin / "postgres", "-D", f"{reach.path}/data", "-p", str(self._port), *options],
                log=self._log,
                death=signal.SIGINT,
                env=_environment(),
                person=self._person,
                pass_fds=reach.fds,
            )
        process.note(self._pid_file, self.process.pid)

    def _ready(self) -> bool:
        """The status line of the server's own pid file says so, and the pid is our child's."""
        try:
            lines = (self._home / "data" / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return (
            self.process is not None and lines[:1] == [str(self.process.pid)] and "".join(lines[7:8]).strip() == "ready"
        )

    def _make_home(self) -> None:
        self._home.mkdir(mode=0o700, exist_ok=True)
        if self._person:
            os.chown(self._home, self._person.uid, self._person.gid)

    def _make_cluster(self) -> None:
        """initdb beside the place, then rename: a cluster half made is never taken for one."""
        half, secret = self._home / "data.new", self._home / "password"
        shutil.rmtree(half, ignore_errors=True)
        secret.write_text(self._password)
        if self._person:
            os.chown(secret, self._person.uid, self._person.gid)
        try:
            self._initdb()
        finally:
            secret.unlink()
        half.rename(self._home / "data")

    def _initdb(self) -> None:
        with _Reach(self._home) as reach:
            made = process.spawn(
                [
                    *(self._bin / "initdb", "-D", f"{reach.path}/data.new", "-U", USER),
                    f"--pwfile={reach.path}/password",
                    *("--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-instructions"),
                ],
                log=self._log,
                death=signal.SIGKILL,
                env=_environment(),
                person=self._person,
                pass_fds=reach.fds,
            )
        if made.wait() != 0:
            raise ServerFailed(f"Postgres could not make its cluster; {self._last_words()}")

    def _last_words(self) -> str:
        return last_words(self._log)


class _Reach:
    """A name for a folder by which a child reaches it without entering what lies above (the child is another user).

    On Linux that is an open descriptor below /proc/self/fd, which Postgres's own children inherit; elsewhere the path.
    """

    def __init__(self, folder: Path) -> None:
        self.path = str(folder)
        self.fds: tuple[int, ...] = ()

    def __enter__(self) -> "_Reach":
        if sys.platform == "linux":
            self.fds = (os.open(self.path, os.O_RDONLY | os.O_DIRECTORY),)
            self.path = f"/proc/self/fd/{self.fds[0]}"
        return self

    def __exit__(self, *_: object) -> None:
        for fd in self.fds:
            os.close(fd)


def last_words(log: Path) -> str:
    """The last line of a log that tells of trouble, or its last line."""
    lines = log.read_text(errors="replace").splitlines()[-40:] if log.exists() else []
    trouble = [line for line in lines if any(word in line for word in ("FATAL", "PANIC", "error:", "[FTL]", "[ERR]"))]
    return f"{log} says: {(trouble or lines or ['nothing'])[-1].strip()}"


def _environment() -> dict[str, str]:
    """Nothing of ours (no secret, no PG* variable) reaches the server."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
