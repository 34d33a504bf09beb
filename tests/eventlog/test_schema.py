"""The migrated database: up and down, what it refuses to everyone, what each service may do, what SQL users see."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, make_url

from services.migrate import migrate
from shared.eventlog.connection import engine
from shared.eventlog.port import Entry, Row, Tenure, partition_of
from shared.eventlog.schema import metadata
from tests.eventlog.conftest import open_postgres
from tests.eventlog.rows import entry, table_in
from tests.rules import case

MIGRATIONS = Path(__file__).parents[2] / "migrations"
SERVICES = ("quartet_gateway", "quartet_table", "quartet_scoring", "quartet_bots", "quartet_reader")


@pytest.fixture
async def connection(postgres_url: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """The owner's connection to a migrated database in whose log stands one record."""
    async with open_postgres(postgres_url, "a") as log:
        await log.append("a", [entry(await log.take("a", 1))])
    connection = await asyncpg.connect(postgres_url)
    yield connection
    await connection.close()


async def tables(url: str) -> set[str]:
    connection = await asyncpg.connect(url)
    found = await connection.fetch("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")
    await connection.close()
    return {row["relname"] for row in found}


def test_a_database_is_migrated_up_twice_and_down_to_nothing_and_up_again(empty_postgres_url: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["url"] = empty_postgres_url
    with asyncio.Runner() as runner:
        migrate(empty_postgres_url)
        migrated = runner.run(tables(empty_postgres_url))
        assert {"records", "commits", "heads", "awarded_events"} <= migrated
        migrate(empty_postgres_url)
        command.downgrade(config, "base")
        assert runner.run(tables(empty_postgres_url)) == {"alembic_version", "alembic_version_pkc"}
        migrate(empty_postgres_url)
        assert runner.run(tables(empty_postgres_url)) == migrated


async def test_the_schema_in_code_is_the_one_that_migrations_make(postgres_url: str) -> None:
    def differences(connection: Connection) -> object:
        return compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata)

    own = engine(postgres_url, None, "test")
    async with own.connect() as connection:
        found = await connection.run_sync(differences)
    await own.dispose()
    assert found == []


@pytest.mark.parametrize("table", ["records", "commits"])
@pytest.mark.parametrize(
    "change", ["UPDATE {} SET at = 0", "UPDATE {} SET at = 0 WHERE false", "DELETE FROM {}", "TRUNCATE {}"]
)
async def test_the_log_refuses_every_change_even_to_its_owner(
    connection: "asyncpg.Connection[asyncpg.Record]", table: str, change: str
) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="append-only"):
        await connection.execute(change.format(table))
    assert await connection.fetchval(f"SELECT count(*) FROM {table}") > 0


RIGHTS = {
    "records": {"quartet_table": "ri", "quartet_scoring": "r"},
    "commits": {"quartet_table": "ri", "quartet_scoring": "r"},
    "heads": {"quartet_table": "riud", "quartet_scoring": "r"},
    "instances": {"quartet_table": "riud", "quartet_scoring": "riud"},
    "holdings": {"quartet_table": "riud", "quartet_scoring": "riud"},
    "players": {"quartet_gateway": "riu", "quartet_scoring": "r"},
    "codes": {"quartet_gateway": "riu", "quartet_scoring": "r"},
    "packs": {"quartet_gateway": "ri", "quartet_table": "r", "quartet_scoring": "r"},
    "pictures": {"quartet_gateway": "ri", "quartet_scoring": "r"},
    "positions": {"quartet_scoring": "riud"},
    "tables_index": {"quartet_gateway": "r", "quartet_scoring": "riud", "quartet_reader": "r"},
    "rounds_index": {"quartet_gateway": "r", "quartet_scoring": "riud", "quartet_reader": "r"},
    "standings": {"quartet_gateway": "r", "quartet_scoring": "riud", "quartet_reader": "r"},
    "awarded_events": {"quartet_reader": "r"},
    "results": {"quartet_scoring": "riud"},
    "races": {"quartet_scoring": "riud"},
    "leaves": {"quartet_scoring": "ri", "quartet_gateway": "r", "quartet_reader": "r"},
    "checkpoints": {"quartet_scoring": "ri", "quartet_gateway": "r", "quartet_reader": "r"},
}
LETTERS = {"r": "SELECT", "i": "INSERT", "u": "UPDATE", "d": "DELETE", "t": "TRUNCATE"}


@case("C-11")
@pytest.mark.parametrize("table", RIGHTS)
async def test_each_service_has_the_rights_it_needs_and_no_more(
    connection: "asyncpg.Connection[asyncpg.Record]", table: str
) -> None:
    for role in SERVICES:
        rights = {
            letter
            for letter, right in LETTERS.items()
            if await connection.fetchval("SELECT has_table_privilege($1, $2, $3)", role, table, right)
        }
        assert rights == set(RIGHTS[table].get(role, "")), role


async def test_of_players_the_table_service_sees_the_names_alone(
    connection: "asyncpg.Connection[asyncpg.Record]",
) -> None:
    await connection.execute("SET ROLE quartet_table")
    assert await connection.fetch("SELECT player_id, name, forgotten FROM players") == []
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await connection.fetch("SELECT created_at FROM players")


@case("C-11")
async def test_a_service_that_sets_its_role_cannot_read_the_log_if_it_may_not(postgres_url: str) -> None:
    for role in ("quartet_gateway", "quartet_bots", "quartet_reader"):
        own = engine(postgres_url, role, "test")
        async with own.connect() as connection:
            with pytest.raises(Exception, match="permission denied"):
                await connection.exec_driver_sql("SELECT body FROM records")
        await own.dispose()


async def test_services_own_no_table_and_none_is_without_rights(
    connection: "asyncpg.Connection[asyncpg.Record]",
) -> None:
    found = await connection.fetch("SELECT tablename, tableowner FROM pg_tables WHERE schemaname = 'public'")
    assert not {row["tableowner"] for row in found} & set(SERVICES)
    assert {row["tablename"] for row in found} - {"alembic_version"} == set(RIGHTS) - {"awarded_events"}


@case("C-11")
async def test_people_with_sql_see_the_events_of_awarded_rounds_only(postgres_url: str) -> None:
    table_id, partition = table_in(1), 1
    assert partition_of(table_id) == partition
    bodies: list[dict[str, Any]] = [
        {"at": 1, "events": [{"type": "CardSwapped", "seat": 2}, {"type": "Quatro"}], "round": 1},
        {"command": {"card": '\0,"events":[1]'}, "refused": {"code": "not_in_hand"}, "round": 1},
        {"at": 3, "events": [{"type": "Secret"}], "round": 2},
    ]
    rows = [
        Row(table_id, version, body["round"], version, msgspec.json.encode(body), bytes(32))
        for version, body in enumerate(bodies, 1)
    ]
    async with open_postgres(postgres_url, "a") as log:
        await log.append("a", [Entry(await log.take("a", partition), rows)])
    owner = await asyncpg.connect(postgres_url)
    for round, awarded_at in ((1, 99), (2, None)):
        await owner.execute(
            "INSERT INTO rounds_index (table_id, round, partition, first_version, awarded_at) "
            "VALUES ($1, $2, $3, 1, $4)",
            table_id,
            round,
            partition,
            awarded_at,
        )
    await owner.execute("SET ROLE quartet_reader")
    found = await owner.fetch("SELECT round, version, number, type, event ->> 'seat' AS seat FROM awarded_events")
    await owner.close()
    assert [tuple(row) for row in found] == [(1, 1, 1, "CardSwapped", "2"), (1, 1, 2, "Quatro", None)]


@case("C-15")
async def test_a_login_that_is_no_superuser_takes_over_from_a_hanging_appender(postgres_url: str) -> None:
    owner = await asyncpg.connect(postgres_url)
    login = f"login_{make_url(postgres_url).database}"
    await owner.execute(f"CREATE ROLE {login} LOGIN PASSWORD 'secret'; GRANT quartet_table TO {login}")
    url = make_url(postgres_url).set(username=login, password="secret").render_as_string(hide_password=False)
    async with open_postgres(url, "a") as old, open_postgres(url, "b") as new:
        await old.take("a", 1)
        hanging = await asyncpg.connect(url, server_settings={"application_name": "append a"})
        await hanging.execute("BEGIN; INSERT INTO commits VALUES (1, 2, 1, 'a', 0, 0, 0)")
        assert await new.take("b", 1) == Tenure(partition=1, epoch=2, n=2, position=0)
        with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)):
            await hanging.execute("COMMIT")
    await owner.execute(f"DROP ROLE {login}")
    await owner.close()
