"""Scoring among the other services: rounds are awarded, whoever scores them and whenever they come back."""

from collections import Counter

from shared.table.commands import Award, NewGame
from tests import virtual
from tests.rules import case, rule
from tests.scoring.house import House, house


async def awards(where: House, table: str) -> Counter[int]:
    """How often each round was awarded, by the log."""
    return Counter(record.round for record in await where.records(table) if isinstance(record.command, Award))


@rule("T-AWARD-1")
def test_every_round_is_awarded_and_the_game_comes_to_its_end() -> None:
    async def scenario() -> None:
        async with house() as where:
            table = await where.open_table(target_points=2)
            await where.until_phase(table, "over")
            rounds = await where.rounds(table)
            assert [line.round for line in rounds] == list(range(1, len(rounds) + 1))
            assert all(line.verified and line.awarded_at is not None for line in rounds)
            assert await awards(where, table) == Counter(line.round for line in rounds)
            scores = [sum(points) for points in zip(*(line.points or () for line in rounds), strict=True)]
            assert max(scores) == 2

    virtual.run(scenario)


def test_kwartet_is_scored_by_the_same_service() -> None:
    async def scenario() -> None:
        async with house() as where:
            table = await where.open_table("kwartet", 3)
            await where.until_phase(table, "over")
            (line,) = await where.rounds(table)
            assert line.verified
            assert sum(line.points or ()) == 8

    virtual.run(scenario)


@rule("T-AWARD-1")
@case("C-06")
def test_with_scoring_down_a_stopped_table_waits_and_then_goes_on() -> None:
    async def scenario() -> None:
        async with house(scorings=0) as where:
            table = await where.open_table(target_points=1)
            await where.until_stopped(table)
            assert await where.rounds(table) == []
            where.single.run_scoring("scoring-late")
            await where.until_phase(table, "over", "break", "playing")
            assert (await where.rounds(table))[0].verified

    virtual.run(scenario)


@rule("T-AWARD-1")
@case("C-16")
def test_two_scorers_on_every_partition_award_each_round_once() -> None:
    async def scenario() -> None:
        async with house(scorings=0) as where:
            for name in ("a", "b"):  # neither knows of the other: each believes that it has every partition
                where.single.run_scoring(name, alone=True)
            table = await where.open_table(target_points=3)
            await where.until_phase(table, "over")
            counted = await awards(where, table)
            assert set(counted.values()) == {1}
            assert len(await where.rounds(table)) == len(counted)

    virtual.run(scenario)


@case("C-06", "C-16")
def test_a_scorer_that_dies_in_every_round_holds_up_nothing_and_counts_nothing_twice() -> None:
    async def scenario() -> None:
        async with house(scorings=0) as where:
            where.single.run_scoring("scoring-0")
            table = await where.open_table(target_points=3)
            for life in range(1, 40):
                await where.until_phase(table, "scoring", "break", "over")
                if await where.phase(table) == "over":
                    break
                await where.single.stop(f"scoring-{life - 1}")
                where.single.run_scoring(f"scoring-{life}")
                await where.until_phase(table, "playing", "over")
            assert set((await awards(where, table)).values()) == {1}
            assert [line.round for line in await where.rounds(table)] == sorted(await awards(where, table))

    virtual.run(scenario)


@rule("Q-WIN-4")
def test_a_table_of_bots_plays_one_game_and_its_lobby_line_says_so() -> None:
    async def scenario() -> None:
        async with house() as where:
            table = await where.open_table(target_points=1)
            await where.until_phase(table, "over")
            verdict = await where.caller.send(table, "host", NewGame())
            assert verdict is not None
            assert b"seats_closed" in verdict
            line = await where.single.projections.table(table)
            assert line is not None
            assert (line.taken, line.bots, line.players) == (4, 4, ())

    virtual.run(scenario)
