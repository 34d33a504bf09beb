"""Fixtures for all tests: real Postgres and NATS, one of each for the session, started when first asked for."""

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest

from tests import servers
from tests.servers import NatsServer, PostgresServer

TEMPLATE = "migrated"
SERVERS = frozenset({"postgres", "nats", "own_postgres", "own_nats", "open_house"})
"""Fixtures, and parameters of fixtures, that start a server."""
REAL = frozenset({"local", "web"})
"""Folders of tests that run real processes or a browser."""
LONG = ("soak", "simulation", "local", "scoring", "web", "cli")
"""Folders whose modules take longest, and so begin first: no core is left alone with one of them at the end."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*ids): the rules of the rule books that the test cites")
    config.addinivalue_line("markers", "slow: takes many seconds; `make check` leaves it to `make test`")
    config.addinivalue_line("markers", "case(*ids): the cases from the field that the test holds")
    config.addinivalue_line(
        "markers", "servers: needs a server, a process of ours or a browser; `make check` goes without"
    )


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and _needs_servers(item):
            item.add_marker(pytest.mark.servers)
    items.sort(key=lambda item: LONG.index(item.path.parent.name) if item.path.parent.name in LONG else len(LONG))


def _needs_servers(item: pytest.Function) -> bool:
    callspec = getattr(item, "callspec", None)
    named = {value for value in (callspec.params.values() if callspec else ()) if isinstance(value, str)}
    return item.path.parent.name in REAL or not SERVERS.isdisjoint({*item.fixturenames, *named})


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """The session's Postgres. Don't kill it: that is what `own_postgres` is for."""
    server = servers.new_postgres()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def nats() -> Iterator[NatsServer]:
    """The session's NATS. Don't kill it: that is what `own_nats` is for."""
    server = servers.new_nats()
    yield server
    server.stop()


@pytest.fixture
def own_postgres() -> Iterator[PostgresServer]:
    """A Postgres for one test, to be killed and started."""
    server = servers.new_postgres()
    yield server
    server.stop()


@pytest.fixture
def own_nats() -> Iterator[NatsServer]:
    """A NATS for one test, to be killed and started."""
    server = servers.new_nats()
    yield server
    server.stop()


@pytest.fixture
def nats_url(nats: NatsServer) -> str:
    """The session's NATS for a user who may do everything."""
    return nats.url("test")


@pytest.fixture
def nats_url_of(nats: NatsServer) -> Callable[[str], str]:
    """The session's NATS for a service: nats_url_of("table")."""
    return nats.url


@pytest.fixture
def empty_postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """A database of one's own with nothing in it."""
    yield from _database(postgres, "template1")


@pytest.fixture
def postgres_url(postgres: PostgresServer, migrated: str) -> Iterator[str]:
    """A database of one's own, migrated to the newest."""
    yield from _database(postgres, migrated)


@pytest.fixture(scope="session")
def migrated(postgres: PostgresServer) -> str:
    """The name of a migrated database that others are copied from."""
    from services.migrate import migrate

    migrate(servers.create_database(postgres.url, TEMPLATE))
    return TEMPLATE


def _database(server: PostgresServer, template: str) -> Iterator[str]:
    name = f"test_{uuid4().hex}"
    yield servers.create_database(server.url, name, template)
    servers.drop_database(server.url, name)
