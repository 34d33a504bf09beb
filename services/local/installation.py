"""All of Quartet on this machine: servers, services, their addresses and passwords, from one data folder."""

import os
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from services.local import process, roster, signing
from services.local.folder import Folder
from services.local.forked import fork
from services.local.nats import Nats
from services.local.ports import free_port
from services.local.postgres import Postgres
from services.local.process import Process
from services.local.supervisor import Supervisor, Tell
from services.migrate import migrate
from shared.proof.keys import load
from shared.settings import ORIGIN

LOG_BYTES_MAX = 16 * 1024 * 1024
SERVERS = ("nats", "postgres")  # they stop what they left themselves, and gently
SERVERS_RANK = 9
SIGNING = ("table", "scoring")
"""Who signs: receipts, checkpoints. All others know the public keys at most."""
DRAIN_SECONDS = "0.3"  # all of it stops: nobody needs to be spread


class Service:
    """One service as a forked process."""

    def __init__(self, folder: Folder, name: str, kind: roster.Name, environment: Mapping[str, str]) -> None:
        self.name = name
        self.process: Process | None = None
        self._kind: roster.Name = kind
        self._environment = environment
        self._log = folder.log / f"{name}.log"
        self._pid_file = folder.run / f"{name}.pid"

    def start(self) -> None:
        """Fork it."""
        self.process = fork(f"quartet {self.name}", partial(roster.run, self._kind), self._environment, self._log)
        process.note(self._pid_file, self.process.pid)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many of each service, and where the gateways listen."""

    gateway_ports: tuple[int, ...]
    tables: int
    scorings: int
    bots: int = 1


class Installation:
    """Servers and services in `folder`; explicit addresses in the environment take the place of embedded servers."""

    def __init__(self, folder: Folder, tell: Tell, environment: Mapping[str, str] = os.environ) -> None:
        """Raises BadKeys."""
        self.folder = folder
        self.supervisor = Supervisor(tell)
        self._given = environment
        self._postgres = None if environment.get("QUARTET_DATABASE_URL") else Postgres(folder)
        self._keys = signing.source(folder, environment.get("QUARTET_SIGNING_KEYS", ""))
        self._public = load(self._keys, environment.get("QUARTET_ORIGIN", ORIGIN)).verifiers
        self._nats = None if environment.get("QUARTET_NATS_URL") else Nats(folder)

    @property
    def database_url(self) -> str:
        """Where the log is."""
        return self._postgres.url if self._postgres else self._given["QUARTET_DATABASE_URL"]

    def start_servers(self) -> None:
        """Start what is embedded, and bring the schema to the newest. Raises ServerFailed."""
        for log in self.folder.log.glob("*.log"):
            _keep_short(log)
        for left in set(self.folder.run.glob("*.pid")) - {self.folder.run / f"{server}.pid" for server in SERVERS}:
            process.stop_leftover(left, signal.SIGKILL, 5)
        if self._postgres:
            self._postgres.start()
            self.supervisor.add("postgres", self._postgres, SERVERS_RANK + 1, signal.SIGINT, 10)
        if self._nats:
            self._nats.start()
            self.supervisor.add("nats", self._nats, SERVERS_RANK, signal.SIGTERM, 5)
        roster.load_common_code()  # while the servers come up
        for server in (self._postgres, self._nats):
            if server:
                server.wait_ready()
        migrate(self.database_url)

    def start_services(self, counts: Counts) -> None:
        """Start every service on the servers, which must be ready and migrated."""
        for number in range(1, counts.tables + 1):
            self._add(f"table-{number}", "table", rank=2)
        for number in range(1, counts.scorings + 1):
            self._add(f"scoring-{number}", "scoring", rank=2)
        for number, port in enumerate(counts.gateway_ports, start=1):
            self._add(f"gateway-{number}", "gateway", rank=1, QUARTET_PORT=str(port))
        for number in range(1, counts.bots + 1):
            self._add(f"bots-{number}", "bots", rank=1)

    def watch(self, stopping: Callable[[], bool]) -> None:
        """Start what dies again until `stopping` says so.

        In spare moments the gateway's code is loaded here too: at the start it loads it itself, beside the others;
        one that dies comes back from here at once.
        """
        self.supervisor.watch(stopping, roster.load_code())

    def stop(self, hurry: Callable[[], bool]) -> None:
        """Stop all: bots and gateways, then tables and scoring, then the servers."""
        self.supervisor.stop(hurry)
        for file in self.folder.run.glob("*.pid"):
            file.unlink()

    def _add(self, name: str, kind: roster.Name, rank: int, **own: str) -> None:
        service = Service(self.folder, name, kind, self._environment(kind) | own)
        service.start()
        self.supervisor.add(name, service, rank, signal.SIGTERM, 8)

    def _environment(self, kind: roster.Name) -> dict[str, str]:
        """What the service is told; what our own environment says of the rest goes before our defaults."""
        defaults = {
            "QUARTET_TOKEN_KEYS": f"local:{self.folder.password('token-key')}",
            "QUARTET_DRAIN_SECONDS": DRAIN_SECONDS,
        }
        fixed = {
            "QUARTET_SIGNING_KEYS": self._keys if kind in SIGNING else "",
            "QUARTET_VERIFIER_KEYS": ",".join(map(str, self._public)),
            "QUARTET_DATABASE_URL": "" if kind == "bots" else self.database_url,  # bots know their views, no more
            "QUARTET_NATS_URL": self._nats.url(kind) if self._nats else self._given["QUARTET_NATS_URL"],
            "QUARTET_DATA": str(self.folder.path),
            "QUARTET_METRICS_PORT": str(free_port()),
        }
        return defaults | dict(self._given) | fixed


def _keep_short(log: Path) -> None:
    if log.stat().st_size > LOG_BYTES_MAX:
        log.replace(log.with_suffix(".log.old"))
