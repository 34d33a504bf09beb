"""A player who is forgotten has no name anywhere, and every chain, seal and bundle is as it was."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from typer.testing import CliRunner, Result

from services.cli import application
from services.gateway.postgres import PostgresStore
from services.gateway.store import TableCode
from shared.bus import subjects
from tests import virtual
from tests.cli.played import play, store
from tests.proof.stored import Played, project, seal
from tests.tables.hall import Hall, seat_four, until

app = application()
ADA, BOB = "aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"


@pytest.fixture(scope="module")
def played() -> Played:
    """A finished game."""
    return play(["quatro"])


@pytest.fixture
def url(played: Played, postgres_url: str) -> Iterator[str]:
    """A database with the game and two people in everything that knows of people."""
    store(played[0], postgres_url)
    asyncio.run(project(postgres_url))
    asyncio.run(seal(postgres_url))
    asyncio.run(people(postgres_url, played[1][0]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUARTET_DATABASE_URL", postgres_url)
        yield postgres_url


async def people(url: str, table: str) -> None:
    keeper = PostgresStore.connect(url, "test")
    for player, name in ((ADA, "Ada Lovelace"), (BOB, "Bob")):
        await keeper.add_player(player, name, 77)
    await keeper.reserve("wish", TableCode(table, "TULP7", "quatro", True, ADA), 77)
    await keeper.close()
    for statement in (
        f"UPDATE tables_index SET host = '{ADA}', players = '{{{ADA},{BOB}}}'",
        f"UPDATE rounds_index SET players = '{{{ADA},{BOB}}}'",
        f"UPDATE races SET player = '{ADA}'",
        f"INSERT INTO standings VALUES ('quatro', '{ADA}', 1, 1, 5, 25, 8), ('quatro', '{BOB}', 1, 0, 3, 25, 8)",
        f"INSERT INTO packs VALUES ('00', 'Birds', 'en', '{{}}', '{ADA}', 77)",
        f"""INSERT INTO results VALUES ('t', 9, 'quatro', 1, '[["{ADA}", "x"], ["{BOB}"]]', '[1, 2]', '[1]', 12345)""",
    ):
        await query(url, statement)


async def query(url: str, sql: str) -> list[Any]:
    connection = await asyncpg.connect(url)
    try:
        return [tuple(row) for row in await connection.fetch(sql)]
    finally:
        await connection.close()


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def everything(url: str) -> str:
    """All rows of all tables, as text."""

    async def run() -> str:
        tables = await query(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        return "\n".join([str(await query(url, f'SELECT * FROM "{table}"')) for (table,) in tables])

    return asyncio.run(run())


def test_nothing_but_the_mark_that_they_are_forgotten_is_left_of_them(url: str) -> None:
    before = everything(url)
    assert before.count("Ada Lovelace") == 1
    assert before.count(ADA) > 6
    assert call("forget", ADA).exit_code == 0
    after = everything(url)
    assert "Ada Lovelace" not in after
    assert after.count(ADA) == 1
    assert asyncio.run(query(url, f"SELECT name, forgotten FROM players WHERE player_id = '{ADA}'")) == [("", True)]
    assert after.count(BOB) == before.count(BOB)
    assert asyncio.run(query(url, "SELECT sides FROM results WHERE table_id = 't'")) == [(f'[["x"], ["{BOB}"]]',)]


def test_their_token_is_refused_and_their_table_is_still_found_by_its_code(url: str, played: Played) -> None:
    call("forget", ADA)

    async def look() -> tuple[str | None, str | None, TableCode | None]:
        keeper = PostgresStore.connect(url, "test")
        found = await keeper.player_name(ADA), await keeper.player_name(BOB), await keeper.table_of_code("TULP7")
        await keeper.close()
        return found

    ada, bob, table = asyncio.run(look())
    assert (ada, bob) == (None, "Bob")
    assert table is not None
    assert (table.table_id, table.player) == (played[1][0], "")


def test_every_chain_and_seal_still_holds_and_bundles_are_the_same_bytes(
    url: str, played: Played, tmp_path: Path
) -> None:
    table = played[1][0]
    call("export", table, 1, "-o", tmp_path / "before.zip")
    assert b"Ada" not in (tmp_path / "before.zip").read_bytes()
    assert call("forget", ADA).exit_code == 0
    assert call("verify", "--all", "--json").exit_code == 0
    call("export", table, 1, "-o", tmp_path / "after.zip")
    assert (tmp_path / "after.zip").read_bytes() == (tmp_path / "before.zip").read_bytes()
    assert call("check", tmp_path / "after.zip").exit_code == 0


def test_who_is_not_there_can_not_be_forgotten(url: str) -> None:
    result = call("forget", "nobody")
    assert (result.exit_code, "no player nobody" in result.output) == (1, True)
    assert call("forget", BOB).exit_code == 0
    assert call("forget", BOB).exit_code == 0


def test_those_who_look_at_their_table_no_longer_see_the_name() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        table, (_, bo, *_) = await seat_four(gateway)
        seen = await gateway.come(table, bo)
        assert seen.public is not None
        assert "Bo" in [seat["name"] for seat in seen.public["seats"]]
        hall.network.join("ops").publish(subjects.FORGOTTEN, bo.encode())
        await until(lambda: "Bo" not in [seat["name"] for seat in (seen.public or {})["seats"]])
        assert [seat["player"] for seat in seen.public["seats"]].count(bo) == 1
        await hall.close()

    virtual.run(scenario)
