"""A player who is forgotten has no name anywhere, and every chain, seal and bundle is as it was."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner
from typer.testing import Result as Ended

from services.cli import application
from services.gateway.postgres import PostgresStore
from services.gateway.store import TableCode
from services.scoring.port import Change, Hit, Result
from services.scoring.postgres import PostgresProjections
from services.scoring.rater import rate_waiting
from services.scoring.ratings import rate as rates
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


def call(*arguments: object) -> Ended:
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


def test_a_bus_that_refuses_us_keeps_nothing_of_them(url: str, nats_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUARTET_NATS_URL", nats_url.replace("test:", "test:x"))
    ended = call("forget", ADA)
    assert (ended.exit_code, "within a minute" in ended.output) == (0, True)
    assert everything(url).count(ADA) == 1


async def rate(url: str) -> int:
    projections = PostgresProjections(url, "quartet_scoring", "rater")
    try:
        return await rate_waiting(projections)
    finally:
        await projections.close()


def unrated(url: str) -> None:
    """A second finished game of the two, which alone waits for the rater."""
    asyncio.run(rate(url))
    sides = f'[["{ADA}"], ["{BOB}"]]'
    row = f"INSERT INTO results VALUES ('u', 1, 'quatro', 2, '{sides}', '[5, 2]', '[0]', NULL)"
    asyncio.run(query(url, row))


def test_nothing_is_left_of_them_whether_a_game_is_rated_before_or_after(url: str) -> None:
    for first, then in ((rate, None), (None, rate)):
        unrated(url)
        if first is not None:
            assert asyncio.run(first(url)) == 1
            assert everything(url).count(ADA) > 1
        assert call("forget", ADA).exit_code == 0
        assert everything(url).count(ADA) == 1
        if then is not None:
            assert asyncio.run(then(url)) == 1
        assert everything(url).count(ADA) == 1
        ((sides, place),) = asyncio.run(query(url, "SELECT sides, place IS NOT NULL FROM results WHERE table_id = 'u'"))
        assert (sides, place) == (f'[[], ["{BOB}"]]', True)
        asyncio.run(query(url, "DELETE FROM results WHERE table_id = 'u'"))


def test_a_rater_who_read_a_game_before_they_were_forgotten_reads_it_again(url: str) -> None:
    async def scenario() -> None:
        projections = PostgresProjections(url, "quartet_scoring", "rater", pool_size=1)
        place, (waiting,) = await projections.unplaced(9)
        lines = rates(waiting, {})
        assert ADA in [line.player_id for line in lines]
        assert (await asyncio.to_thread(call, "forget", ADA)).exit_code == 0
        assert not await projections.place(place, waiting, lines)
        assert await rate_waiting(projections) == 1
        await projections.close()

    unrated(url)
    asyncio.run(scenario())
    assert everything(url).count(ADA) == 1


def test_what_scoring_reads_of_them_later_is_not_kept(url: str, played: Played) -> None:
    """They still sit at a table, or the projections are read anew from the log, which has their id for ever."""

    async def scenario() -> None:
        projections = PostgresProjections(url, "quartet_scoring", "reader")
        table = await projections.table(played[1][0])
        (line, *_) = await projections.rounds(played[1][0])
        hit = Hit(
            table_id="u", round=1, version=9, seat=0, player=ADA, command="SwapCard", code="card_gone", lost_to=8,
            margin_us=5, at=7,
        )  # fmt: skip
        result = Result("u", 1, "quatro", 2, ((ADA,), (BOB,)), (5, 2), (0,))
        assert table is not None
        change = Change(
            (replace(table, host=ADA, players=(ADA, BOB)),), (replace(line, players=(BOB, ADA)),), (result,), (hit,)
        )
        position = await projections.position(table.partition)
        assert await projections.advance(table.partition, position, position, change)
        assert (await projections.table(played[1][0])) == replace(table, host=None, players=(BOB,))
        assert await rate_waiting(projections) > 0
        await projections.close()

    assert call("forget", ADA).exit_code == 0
    asyncio.run(scenario())
    assert everything(url).count(ADA) == 1


def test_forgetting_waits_for_what_scoring_is_about_to_write(url: str) -> None:
    async def scenario() -> None:
        writer = await asyncpg.connect(url)
        transaction = writer.transaction()
        await transaction.start()
        await writer.execute("UPDATE positions SET position = position")
        forgetting = asyncio.create_task(asyncio.to_thread(call, "forget", ADA))
        while not await query(url, f"SELECT FROM players WHERE player_id = '{ADA}' AND forgotten"):
            await asyncio.sleep(0.01)
        await writer.execute(f"INSERT INTO standings VALUES ('kwartet', '{ADA}', 1, 1, 5, 25, 8)")
        await transaction.commit()
        assert (await forgetting).exit_code == 0
        await writer.close()

    asyncio.run(scenario())
    assert everything(url).count(ADA) == 1


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
