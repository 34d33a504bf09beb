"""The embedded NATS: a server on loopback whose users, passwords and permissions are generated, one user a service."""

import json
import signal
import socket
import time
from collections.abc import Mapping

from services.local import process
from services.local.binaries import nats_server
from services.local.folder import Folder, write_private
from services.local.permissions import PERMISSIONS, Permissions
from services.local.ports import LOOPBACK, free_port
from services.local.postgres import last_words
from services.local.process import Process
from services.local.supervisor import ServerFailed

START_SECONDS_MAX = 20.0
STOP_SECONDS_MAX = 5.0
PAYLOAD_BYTES_MAX = 1024 * 1024
PENDING_BYTES_MAX = 64 * 1024 * 1024


class Nats:
    """One server in `folder`. `start` returns at once, `wait_ready` when it takes connections."""

    def __init__(self, folder: Folder, users: Mapping[str, Permissions] = PERMISSIONS) -> None:
        self._program = nats_server()
        self._config = folder.secret / "nats.conf"
        self._log = folder.log / "nats.log"
        self._pid_file = folder.run / "nats.pid"
        self._users = {user: (folder.password(f"nats-{user}"), allowed) for user, allowed in users.items()}
        self._port = free_port()
        self.process: Process | None = None

    def url(self, user: str) -> str:
        """Where it listens, with that service's user and password."""
        return f"nats://{user}:{self._users[user][0]}@{LOOPBACK}:{self._port}"

    def start(self) -> None:
        """Stop what an earlier run left, write the configuration, start the server."""
        process.stop_leftover(self._pid_file, signal.SIGTERM, STOP_SECONDS_MAX)
        write_private(self._config, configuration(LOOPBACK, self._port, self._users))
        self.process = process.spawn(
            [self._program, "-c", self._config], log=self._log, death=signal.SIGKILL, env={"GOMAXPROCS": "2"}
        )
        process.note(self._pid_file, self.process.pid)

    def wait_ready(self) -> None:
        """Return when it greets. If it dies on the way (the port was taken), it is started again on another."""
        until = time.monotonic() + START_SECONDS_MAX
        tries = 3
        while not greets(self._port):
            if self.process is None or self.process.poll() is not None:
                tries -= 1
                if tries == 0:
                    raise ServerFailed(f"NATS does not start; {last_words(self._log)}")
                self._port = free_port()
                self.start()
            if time.monotonic() > until:
                raise ServerFailed(f"NATS does not start; {last_words(self._log)}")
            time.sleep(0.01)

    def stop(self) -> None:
        """Stop it; nothing of worth is in it."""
        if self.process is not None:
            process.stop(self.process, signal.SIGTERM, STOP_SECONDS_MAX)
            self._pid_file.unlink(missing_ok=True)


def configuration(host: str, port: int, users: Mapping[str, tuple[str, Permissions]]) -> str:
    """A NATS configuration (its syntax is a superset of JSON) with these users: name -> password and permissions."""
    return json.dumps(
        {
            "listen": f"{host}:{port}",
            "max_payload": PAYLOAD_BYTES_MAX,
            "max_pending": PENDING_BYTES_MAX,
            "write_deadline": "2s",
            "authorization": {"timeout": 2, "users": [_user(name, *entry) for name, entry in users.items()]},
        },
        indent=2,
    )


def _user(name: str, password: str, allowed: Permissions) -> dict[str, object]:
    return {
        "user": name,
        "password": password,
        "permissions": {
            "publish": {"allow": list(allowed.publish)},
            "subscribe": {"allow": list(allowed.subscribe)},
        },
    }


def greets(port: int) -> bool:
    """Whether a NATS server answers there: its first line is INFO."""
    try:
        with socket.create_connection((LOOPBACK, port), timeout=1) as connection:
            connection.settimeout(1)
            return connection.recv(4) == b"INFO"
    except OSError:
        return False
