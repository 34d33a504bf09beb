"""Postgres and NATS in containers, from the images that POSTGRES_IMAGE and NATS_IMAGE name (official ones by default).
Host ports are fixed, so that a server comes back at the same address after a kill."""

import os
import secrets

from testcontainers.core.config import testcontainers_config
from testcontainers.core.container import DockerContainer

from services.local.nats import configuration, greets
from services.local.ports import free_port
from tests.servers import TEST_USERS, answers, wait_for

POSTGRES_IMAGE = os.environ.get("POSTGRES_IMAGE", "postgres:18")
NATS_IMAGE = os.environ.get("NATS_IMAGE", "nats:2.12")
START_SECONDS_MAX = 60.0


def images() -> tuple[str, ...]:
    """What the engine must have: the servers, and testcontainers' own that removes what a killed run left."""
    reaper = () if testcontainers_config.ryuk_disabled else (testcontainers_config.ryuk_image,)
    return (POSTGRES_IMAGE, NATS_IMAGE, *reaper)


class ContainerPostgres:
    """A Postgres in a container."""

    def __init__(self) -> None:
        port, password = free_port(), secrets.token_hex(16)
        self._container = (
            DockerContainer(POSTGRES_IMAGE)
            .with_envs(POSTGRES_USER="quartet", POSTGRES_PASSWORD=password, POSTGRES_DB="quartet")
            .with_bind_ports(5432, port)
            .with_command(["postgres", "-c", "max_connections=200", "-c", "jit=off"])
        )
        self.url = f"postgresql://quartet:{password}@127.0.0.1:{port}/quartet"
        self._container.start()
        wait_for(lambda: answers(self.url), START_SECONDS_MAX)

    def kill(self) -> None:
        self._container.get_wrapped_container().kill()

    def start(self) -> None:
        self._container.get_wrapped_container().start()
        wait_for(lambda: answers(self.url), START_SECONDS_MAX)

    def stop(self) -> None:
        self._container.stop()


class ContainerNats:
    """A NATS in a container, with the users and permissions of the embedded one."""

    def __init__(self) -> None:
        self._port = free_port()
        self._passwords = {user: secrets.token_hex(16) for user in TEST_USERS}
        users = {user: (self._passwords[user], allowed) for user, allowed in TEST_USERS.items()}
        self._container = (
            DockerContainer(NATS_IMAGE)
            .with_bind_ports(4222, self._port)
            .with_copy_into_container(configuration("0.0.0.0", 4222, users).encode(), "/etc/quartet-nats.conf")
            .with_command(["-c", "/etc/quartet-nats.conf"])
        )
        self._container.start()
        wait_for(lambda: greets(self._port), START_SECONDS_MAX)

    def url(self, user: str) -> str:
        return f"nats://{user}:{self._passwords[user]}@127.0.0.1:{self._port}"

    def kill(self) -> None:
        self._container.get_wrapped_container().kill()

    def start(self) -> None:
        self._container.get_wrapped_container().start()
        wait_for(lambda: greets(self._port), START_SECONDS_MAX)

    def stop(self) -> None:
        self._container.stop()
