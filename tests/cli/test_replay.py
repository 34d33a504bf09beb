"""`quartet replay`: a finished round as people read it, with its races."""

import asyncio
from collections.abc import Iterator
from uuid import uuid4

import msgspec
import pytest
from typer.testing import CliRunner, Result

from services.cli import application
from services.cli.story import Step
from services.gateway.postgres import PostgresStore
from shared.eventlog.memory import MemoryEventLog
from shared.games.quatro.commands import CallQuatro
from shared.games.registry import GAMES
from shared.kernel import BadRules
from shared.table.boundary import canonical
from shared.table.commands import AddBot, CreateTable, Sit, StartGame
from tests import virtual
from tests.cli.played import play, store
from tests.rules import case, rule
from tests.scoring.house import House, accepted, house

app = application()


@pytest.fixture(scope="module")
def played() -> tuple[MemoryEventLog, list[str]]:
    """A finished game of each kind."""
    return play(["quatro", "kwartet"])


@pytest.fixture
def stored(played: tuple[MemoryEventLog, list[str]], postgres_url: str) -> Iterator[list[str]]:
    """The tables, in a database that the command finds."""
    store(played[0], postgres_url)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUARTET_DATABASE_URL", postgres_url)
        yield played[1]


def call(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(app, ["replay", *arguments])


def told(result: Result) -> list[Step]:
    """The steps as JSON."""
    assert result.exit_code == 0, result.output
    return msgspec.json.decode(result.stdout, type=list[Step])


def test_every_record_is_a_step_in_its_order(stored: list[str], played: tuple[MemoryEventLog, list[str]]) -> None:
    for table in stored:
        rows = asyncio.run(played[0].round_rows(table, 1))
        steps = told(call(table, "1", "--json"))
        assert [step.hash for step in steps] == [row.hash.hex() for row in rows]
        assert [step.at for step in steps] == [row.at for row in rows]
        assert steps[-1].by == "scoring"


def test_the_table_is_drawn_from_the_deal_to_the_stop(stored: list[str]) -> None:
    steps = told(call(stored[0], "1", "--json"))
    drawn = [step.drawn for step in steps if step.drawn]
    assert all(picture.startswith("centre ") for picture in drawn)
    assert len(drawn) >= len(steps) - 4
    assert not steps[0].drawn, "before the deal there is nothing to see"


def test_people_read_who_did_what_when(stored: list[str]) -> None:
    result = call(stored[0], "1")
    assert result.exit_code == 0
    assert "(bot, normal)" in result.stdout
    assert "card swapped: place" in result.stdout
    assert "round awarded: points" in result.stdout
    assert "centre " in result.stdout


def test_kwartet_is_told_by_the_same_words(stored: list[str]) -> None:
    result = call(stored[1], "1", "--brief")
    assert result.exit_code == 0
    assert "card asked: to " in result.stdout
    assert "turn " in result.stdout


def test_a_name_is_shown_as_it_is(postgres_url: str) -> None:
    logs: list[tuple[MemoryEventLog, str]] = []

    async def scenario() -> None:
        async with house() as where:
            logs.append((where.single.log, await _called_twice(where)))

    async def name() -> None:
        names = PostgresStore.connect(postgres_url, "test")
        await names.add_player("host", "[/b] :x:", 1)
        await names.close()

    virtual.run(scenario)
    store(logs[0][0], postgres_url)
    asyncio.run(name())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUARTET_DATABASE_URL", postgres_url)
        result = call(logs[0][1], "1", "--brief")
    assert result.exit_code == 0, result.output
    assert "seat 0  [/b] :x:" in result.stdout


def test_a_round_that_is_not_there_is_said_so(stored: list[str]) -> None:
    assert call(stored[0], "77").exit_code == 1
    assert call(str(uuid4()), "1").exit_code == 1


@case("C-11")
def test_a_round_that_is_not_finished_is_shown_to_nobody(postgres_url: str) -> None:
    logs: list[tuple[MemoryEventLog, str]] = []

    async def scenario() -> None:
        async with house(scorings=0) as where:
            table = await where.open_table(target_points=1)
            await where.until_stopped(table)
            logs.append((where.single.log, table))

    virtual.run(scenario)
    store(logs[0][0], postgres_url)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUARTET_DATABASE_URL", postgres_url)
        result = call(logs[0][1], "1")
    assert result.exit_code == 1
    assert "not finished" in result.output
    assert "centre" not in result.output


@rule("Q-STOP-1")
@case("C-01")
def test_a_race_is_told_with_the_winner_and_the_margin(postgres_url: str) -> None:
    """Two call at once: the second hears what it lost to, and so does whoever reads the round."""
    logs: list[tuple[MemoryEventLog, str]] = []

    async def scenario() -> None:
        async with house() as where:
            table = await _called_twice(where)
            logs.append((where.single.log, table))

    virtual.run(scenario)
    store(logs[0][0], postgres_url)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUARTET_DATABASE_URL", postgres_url)
        steps = told(call(logs[0][1], "1", "--json"))
        words = call(logs[0][1], "1").stdout
    (lost,) = [step for step in steps if step.refused == "round_over"]
    assert lost.race is not None
    stop = next(step for step in steps if step.version == lost.race.version)
    assert lost.race.margin_us == lost.at - stop.at
    assert lost.race.by == "seat 0"
    assert f"lost to record {stop.version} of seat 0" in words


async def _called_twice(where: House) -> str:
    table, rules = str(uuid4()), GAMES["quatro"].read_rules({"prepare_seconds": 1, "target_points": 9}, 4)
    assert not isinstance(rules, BadRules)
    await accepted(where.caller, table, CreateTable(table, "quatro", 1, 4, canonical(rules)))
    await accepted(where.caller, table, Sit(1), player="guest")
    for seat in (2, 3):
        await accepted(where.caller, table, AddBot(seat))
    await accepted(where.caller, table, StartGame())
    await where.until_phase(table, "playing")
    calls = [where.caller.send(table, player, CallQuatro(anyway=True)) for player in ("host", "guest")]
    await asyncio.gather(*calls)
    await where.until_phase(table, "break")
    return table
