"""Auditors' searches: what they find is refused commands and calls in vain of awarded rounds, and of no others."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import msgspec
import pytest

from services.gateway.postgres import PostgresStore
from services.scoring.disputes import LOST_CALL
from services.scoring.memory import MemoryProjections
from services.scoring.port import Change, Hit, Projections, RoundLine, TableLine
from services.scoring.postgres import PostgresProjections
from shared.bus import subjects
from shared.eventlog.port import partition_of
from shared.table.record import Sender
from shared.wire.messages import decoder, encode
from shared.wire.questions import Page, Search
from tests import virtual
from tests.rules import case
from tests.scoring.house import House, house

_page = decoder(Page)

HITS = (
    ("t1", 1, 5, "ann", "SwapCard", "card_gone", 4, 1_234, 100),
    ("t1", 1, 7, "bob", "SwapCard", "too_soon", None, None, 110),
    ("t1", 2, 30, "ann", "CallQuatro", "round_over", 29, 60_000, 200),
    ("t2", 1, 9, "cas", "SwapCard", "card_gone", 8, 70_000, 150),
    ("t2", 1, 12, "dee", "CallCounter", LOST_CALL, None, None, 160),
)


@pytest.fixture
async def filled(projections: Projections) -> Projections:
    """Two tables: ann and bob played at one, cas and dee at the other."""
    for table, players in (("t1", ("ann", "bob")), ("t2", ("cas", "dee"))):
        mine = [hit for hit in HITS if hit[0] == table]
        change = Change(
            tables=(_table(table, players),),
            rounds=tuple(_round(table, round, players) for round in sorted({hit[1] for hit in mine})),
            races=tuple(_hit(*hit) for hit in mine),
        )
        assert await projections.advance(partition_of(table), 0, 1, change)
    return projections


def _table(table: str, players: tuple[str, ...]) -> TableLine:
    return TableLine(
        table_id=table, partition=partition_of(table), game="quatro", seats=4, taken=2, bots=0, phase="over",
        private=True, host=players[0], players=players, round=2, at=1, changed=1,
    )  # fmt: skip


def _round(table: str, round: int, players: tuple[str, ...]) -> RoundLine:
    return RoundLine(
        table_id=table, round=round, partition=partition_of(table), first_version=1, last_version=40, awarded_at=300,
        head="00", position=round, players=players,
    )  # fmt: skip


def _hit(
    table: str,
    round: int,
    version: int,
    player: str,
    command: str,
    code: str,
    lost: int | None,
    by: int | None,
    at: int,
) -> Hit:
    return Hit(
        table_id=table, round=round, version=version, seat=0, player=player, command=command, code=code, lost_to=lost,
        margin_us=by, at=at,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Search(), [30, 12, 9, 7, 5]),
        (Search(kind="refused"), [30, 9, 7, 5]),
        (Search(kind="race"), [30, 9, 5]),
        (Search(kind="swap", within_us=50_000), [5]),
        (Search(kind="call"), [30]),
        (Search(kind="lost_call"), [30, 12]),
        (Search(table="t2"), [12, 9]),
        (Search(code="card_gone"), [9, 5]),
        (Search(player="ann"), [30, 5]),
        (Search(since=110, until=160), [12, 9, 7]),
        (Search(viewer="bob"), [30, 7, 5]),
        (Search(viewer="bob", table="t2"), []),
        (Search(limit=2), [30, 12]),
        (Search(limit=2, after=(160, "t2", 12)), [9, 7]),
        (Search(viewer="nobody"), []),
    ],
)
async def test_a_search_finds_the_newest_first_and_what_it_asks_for(
    filled: Projections, wanted: Search, found: list[int]
) -> None:
    assert [hit.version for hit in await filled.search(wanted)] == found


PEOPLE = {"ann": "Ann of the Hill", "bob": "ANN OF THE HILL", "cas": "Cas"}


@pytest.fixture(params=["memory", "postgres"])
async def named(request: pytest.FixtureRequest) -> AsyncIterator[Projections]:
    """Hits of three people, two of whom are called the same."""
    store: Projections
    if request.param == "memory":
        store = MemoryProjections(_called)
    else:
        url = request.getfixturevalue("postgres_url")
        store = PostgresProjections(url, "quartet_scoring", "test")
        people = PostgresStore.connect(url, "test")
        for player, name in PEOPLE.items():
            await people.add_player(player, name, 1)
        await people.close()
    for table, players in (("t1", ("ann", "bob")), ("t2", ("cas",))):
        mine = tuple(_hit(*hit) for hit in HITS if hit[0] == table and hit[3] in players)
        rounds = tuple(_round(table, round, players) for round in sorted({hit.round for hit in mine}))
        change = Change(tables=(_table(table, players),), rounds=rounds, races=mine)
        assert await store.advance(partition_of(table), 0, 1, change)
    yield store
    await store.close()


async def _called(players: Sequence[str]) -> Mapping[str, str]:
    return {player: PEOPLE[player] for player in players if player in PEOPLE}


async def test_a_player_is_found_by_name_however_it_is_written_and_hits_are_named(named: Projections) -> None:
    (found,) = await named.search(Search(player="cas"))
    assert (found.player, found.name) == ("cas", "Cas")
    assert [hit.version for hit in await named.search(Search(player="ann of the hill"))] == [30, 7, 5]
    assert await named.search(Search(player="Dee")) == []


async def test_a_name_that_two_people_have_is_said_to_be_theirs_as_far_as_both_are_found(named: Projections) -> None:
    assert await named.namesakes(Search(player="Ann of the Hill")) == {p: PEOPLE[p] for p in ("ann", "bob")}
    assert await named.namesakes(Search(player="Ann of the Hill", limit=1)) == {p: PEOPLE[p] for p in ("ann", "bob")}
    assert await named.namesakes(Search(player="ann of the hill", code="too_soon")) == {"bob": PEOPLE["bob"]}
    assert await named.namesakes(Search(player="ann")) == {}
    assert await named.namesakes(Search(player="Ann of the Hill", viewer="cas")) == {}


async def ask(where: House, wanted: Search) -> list[dict[str, Any]]:
    """Over the bus."""
    answer = _page.decode(await where.single.bus("auditor").request(subjects.ASK_SEARCH, encode(wanted), 5.0))
    assert answer.status == "ok"
    hits: list[dict[str, Any]] = msgspec.json.decode(answer.body)["hits"]
    return hits


@case("C-11")
def test_a_played_game_is_found_with_all_its_refusals_and_a_running_round_is_not() -> None:
    async def scenario() -> None:
        async with house() as where:
            table = await where.open_table(target_points=3)
            await where.until_phase(table, "over")
            hits = await ask(where, Search(table=table, limit=500))
            refused = [r for r in await where.records(table) if r.refused is not None and r.round > 0]
            told = {hit["version"]: hit for hit in hits if hit["code"] != LOST_CALL}
            assert sorted(told) == [record.n for record in refused]
            for record in refused:
                assert isinstance(record.by, Sender)
                assert told[record.n]["player"] == record.by.player
                assert told[record.n]["game"] == "quatro"
            other = await where.open_table(target_points=9)
            await where.until_phase(other, "playing")
            assert await ask(where, Search(table=other)) == []

    virtual.run(scenario)
