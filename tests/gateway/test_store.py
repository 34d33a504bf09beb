"""The store: one contract, kept in memory and on Postgres as the gateway's own role."""

from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from services.gateway.memory import MemoryStore
from services.gateway.postgres import PostgresStore
from services.gateway.store import Pack, Store, TableCode
from services.scoring.port import Change, TableLine
from services.scoring.postgres import PostgresProjections

TABLE = TableCode("018f0000-0000-7000-8000-000000000001", "ABCDE", "toy", True, "ada")


@pytest.fixture(params=["memory", "postgres"])
def url(request: pytest.FixtureRequest) -> str | None:
    """A database of the test's own; None: in memory."""
    return request.getfixturevalue("postgres_url") if request.param == "postgres" else None


@pytest.fixture
async def store(url: str | None) -> AsyncIterator[Store]:
    made: Store = MemoryStore() if url is None else PostgresStore.connect(url, "gateway")
    yield made
    await made.close()


async def test_a_player_has_the_name_they_gave(store: Store) -> None:
    await store.add_player("ada", "Ada 🎲", 1)
    assert await store.player_name("ada") == "Ada 🎲"
    assert await store.player_name("bob") is None


async def test_those_of_many_are_known_who_are_players(store: Store) -> None:
    await store.add_player("ada", "Ada", 1)
    await store.add_player("bob", "Bob", 1)
    assert set(await store.known(("ada", "bob", "eve"))) == {"ada", "bob"}
    assert set(await store.known(())) == set()


async def test_a_table_is_written_down_once_for_each_player_and_id(store: Store) -> None:
    assert await store.reserve("r1", TABLE, 1) == TABLE
    other = TableCode("018f0000-0000-7000-8000-000000000002", "FGHJK", "toy", False, "ada")
    assert await store.reserve("r1", other, 2) == TABLE
    assert await store.reserve("r2", other, 2) == other
    assert await store.requested("ada", "r1") == TABLE
    assert await store.requested("bob", "r1") is None


async def test_a_code_that_is_taken_is_given_to_nobody_else(store: Store) -> None:
    await store.reserve("r1", TABLE, 1)
    other = TableCode("018f0000-0000-7000-8000-000000000002", "ABCDE", "toy", False, "bob")
    assert await store.reserve("r1", other, 2) is None


async def test_a_table_is_found_by_its_id_and_its_code(store: Store) -> None:
    await store.reserve("r1", TABLE, 1)
    assert await store.table(TABLE.table_id) == TABLE
    assert await store.table_of_code("ABCDE") == TABLE
    assert await store.table("nothing") is None
    assert await store.table_of_code("ZZZZZ") is None


async def test_packs_and_pictures_are_kept_by_their_hash(store: Store) -> None:
    pack = Pack("a" * 64, "Birds", "en", b'{"name":"Birds"}', "ada", 1)
    await store.add_pack(pack)
    await store.add_pack(Pack("a" * 64, "Birds", "en", b'{"name":"Birds"}', "bob", 2))
    assert await store.pack("a" * 64) == pack
    assert list(await store.packs(10)) == [replace(pack, text=b"")]
    await store.add_picture("b" * 64, b"png")
    await store.add_picture("b" * 64, b"png")
    assert await store.picture("b" * 64) == b"png"
    assert await store.pack("c" * 64) is None
    assert await store.picture("c" * 64) is None


async def test_nothing_yet_is_nothing_and_no_error(store: Store) -> None:
    assert await store.ready()
    assert list(await store.open_tables(10)) == []
    assert list(await store.rounds("nothing")) == []
    assert list(await store.standings("toy", 10)) == []


async def test_the_bots_of_a_host_are_those_at_tables_that_are_not_closed(postgres_url: str) -> None:
    def seen(table: str, host: str | None, bots: int, phase: str) -> Change:
        line = TableLine(
            table_id=table, partition=1, game="quatro", seats=4, taken=bots, bots=bots, phase=phase, private=True,
            host=host, players=(), round=1, at=1, changed=2,
        )  # fmt: skip
        return Change(tables=(line,))

    projections = PostgresProjections(postgres_url, "quartet_scoring", "scoring")
    hosted = (
        ("a", "ada", 3, "playing"), ("b", "ada", 2, "over"), ("c", "ada", 4, "closed"), ("d", "bob", 1, "seating"),
        ("e", None, 2, "seating"),
    )  # fmt: skip
    for position, each in enumerate(hosted):
        assert await projections.advance(1, position, position + 1, seen(*each))
    store = PostgresStore.connect(postgres_url, "gateway")
    assert [await store.bot_seats(host) for host in ("ada", "bob", "eve")] == [5, 1, 0]
    await projections.close()
    await store.close()
