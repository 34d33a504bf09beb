"""Real servers for tests: containers where a Docker engine answers, else the embedded ones. Both can be killed and
started again on the same address."""

import asyncio
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import asyncpg

from services.local.folder import Folder
from services.local.nats import Nats
from services.local.permissions import PERMISSIONS, Permissions
from services.local.postgres import Postgres

TEST_USERS: Mapping[str, Permissions] = {**PERMISSIONS, "test": Permissions(publish=(">",), subscribe=(">",))}
"""The services' users, and one that may do everything."""


class PostgresServer(Protocol):
    """A running Postgres."""

    @property
    def url(self) -> str:
        """Its first database, as superuser."""

    def kill(self) -> None:
        """SIGKILL."""

    def start(self) -> None:
        """Start it again after `kill`, on the same address, and wait until it answers."""

    def stop(self) -> None:
        """Stop it and remove its data."""


class NatsServer(Protocol):
    """A running NATS with the users of TEST_USERS."""

    def url(self, user: str) -> str:
        """Its address for a service, or for "test", who may do everything."""

    def kill(self) -> None:
        """SIGKILL."""

    def start(self) -> None:
        """Start it again after `kill`, on the same address, and wait until it answers."""

    def stop(self) -> None:
        """Stop it."""


class EmbeddedPostgres:
    """A Postgres of the wheel in a folder of its own."""

    def __init__(self) -> None:
        self._path = Path(tempfile.mkdtemp(prefix="quartet-postgres-"))
        self._server = Postgres(Folder.open(self._path))
        self.start()

    @property
    def url(self) -> str:
        return self._server.url

    def kill(self) -> None:
        assert self._server.process is not None
        self._server.process.send_signal(signal.SIGKILL)
        self._server.process.wait()

    def start(self) -> None:
        self._server.start()
        self._server.wait_ready()

    def stop(self) -> None:
        self._server.stop()
        shutil.rmtree(self._path)


class EmbeddedNats:
    """A NATS of the wheel in a folder of its own."""

    def __init__(self) -> None:
        self._path = Path(tempfile.mkdtemp(prefix="quartet-nats-"))
        self._server = Nats(Folder.open(self._path), TEST_USERS)
        self.start()

    def url(self, user: str) -> str:
        return self._server.url(user)

    def kill(self) -> None:
        assert self._server.process is not None
        self._server.process.send_signal(signal.SIGKILL)
        self._server.process.wait()

    def start(self) -> None:
        self._server.start()
        self._server.wait_ready()

    def stop(self) -> None:
        self._server.stop()
        shutil.rmtree(self._path)


def new_postgres() -> PostgresServer:
    """A Postgres of one's own; the caller stops it."""
    if containers_work():
        from tests.containers import ContainerPostgres

        return ContainerPostgres()
    return EmbeddedPostgres()


def new_nats() -> NatsServer:
    """A NATS of one's own; the caller stops it."""
    if containers_work():
        from tests.containers import ContainerNats

        return ContainerNats()
    return EmbeddedNats()


@cache
def containers_work() -> bool:
    """Whether a Docker engine answers and has or can get the images. QUARTET_TEST_SERVERS=embedded: don't look."""
    if os.environ.get("QUARTET_TEST_SERVERS") == "embedded":
        return False
    if "DOCKER_HOST" not in os.environ and not Path("/var/run/docker.sock").exists():
        return False
    import docker

    from tests.containers import images

    try:
        engine = docker.from_env(timeout=30)
        engine.ping()
        for image in images():
            _get_image(engine, image)
    except (docker.errors.DockerException, OSError) as error:
        print(f"no containers, so the embedded servers are tested with: {error}", file=sys.stderr)
        return False
    return True


def _get_image(engine: Any, image: str) -> None:
    import docker

    try:
        engine.images.get(image)
    except docker.errors.ImageNotFound:
        engine.images.pull(image)


def create_database(server_url: str, name: str, template: str = "template1") -> str:
    """Make a database beside the server's first one and return its URL."""
    _run(server_url, f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return f"{server_url.rpartition('/')[0]}/{name}"


def drop_database(server_url: str, name: str) -> None:
    """Remove a database, whoever is still connected to it."""
    _run(server_url, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def wait_for(condition: Callable[[], bool], seconds: float) -> None:
    """Poll without an event loop. Raises TimeoutError."""
    import time

    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(0.02)


def answers(url: str) -> bool:
    """Whether a Postgres takes connections there."""
    try:
        _run(url, "SELECT 1")
    except (OSError, asyncpg.PostgresError):
        return False
    return True


def _run(url: str, statement: str) -> None:
    async def run() -> None:
        connection = await asyncpg.connect(url)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    with ThreadPoolExecutor(1) as beside:  # the caller may be within a running loop
        beside.submit(lambda: asyncio.run(run())).result()
