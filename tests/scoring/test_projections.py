"""The contract of the projections: both stores keep it, however many scorers use them."""

import asyncio

from msgspec.structs import replace

from services.scoring.port import Change, Projections, Result, RoundLine, Standing, TableLine

A, B = "0190a000-0000-7000-8000-00000000000a", "0190a000-0000-7000-8000-00000000000b"


def table(table_id: str = A, phase: str = "seating", at: int = 1, private: bool = False) -> TableLine:
    return TableLine(
        table_id=table_id,
        partition=3,
        game="quatro",
        seats=4,
        taken=2,
        bots=1,
        phase=phase,
        private=private,
        host="ada",
        players=("ada",),
        round=0,
        at=at,
        changed=at,
    )


def stopped(table_id: str = A, round: int = 1) -> RoundLine:
    return RoundLine(
        partition=3, table_id=table_id, round=round, first_version=2, started=1, stopped=5, how="call", by=2
    )


def awarded(table_id: str = A, round: int = 1, position: int = 9) -> RoundLine:
    return RoundLine(
        table_id=table_id,
        round=round,
        partition=3,
        first_version=2,
        last_version=9,
        started=1,
        stopped=5,
        how="time",
        points=(1, 0),
        verified=True,
        awarded_at=6,
        head="00ff",
        position=position,
    )


def won(table_id: str = A, at: int = 1) -> Result:
    return Result(table_id, 4, "quatro", at, (("ada",), ("bob",)), (5, 3), (0,))


async def test_an_advance_stores_lines_and_position_together(projections: Projections) -> None:
    assert await projections.position(3) == 0
    assert await projections.advance(3, 0, 7, Change((table(),), (stopped(),)))
    assert await projections.position(3) == 7
    assert await projections.table(A) == table()
    assert await projections.round(A, 1) == stopped()


async def test_a_second_scorer_at_the_same_position_changes_nothing(projections: Projections) -> None:
    assert await projections.advance(3, 0, 7, Change((table(),)))
    assert not await projections.advance(3, 0, 7, Change((table(phase="over"),), results=(won(),)))
    assert await projections.table(A) == table()
    assert await projections.unplaced(9) == (0, [])
    assert await projections.position(3) == 7


async def test_of_many_scorers_at_one_position_one_gets_through(projections: Projections) -> None:
    tries = [projections.advance(3, 0, 7, Change(results=(won(),))) for _ in range(8)]
    assert sorted(await asyncio.gather(*tries)) == [False] * 7 + [True]


async def test_partitions_advance_each_by_themselves(projections: Projections) -> None:
    assert await projections.advance(3, 0, 7, Change())
    assert await projections.advance(4, 0, 2, Change())
    assert [await projections.position(p) for p in (3, 4, 5)] == [7, 2, 0]


async def test_a_line_replaces_the_one_of_its_key(projections: Projections) -> None:
    await projections.advance(3, 0, 1, Change((table(),), (stopped(),)))
    await projections.advance(3, 1, 2, Change((table(phase="break"),), (awarded(),)))
    assert await projections.table(A) == table(phase="break")
    assert await projections.rounds(A) == [awarded()]


async def test_the_lobby_shows_open_tables_newest_first_and_no_private_one(projections: Projections) -> None:
    hidden = table("0190a000-0000-7000-8000-00000000000c", private=True)
    lines = (table(A, at=1), table(B, at=2), hidden)
    await projections.advance(3, 0, 1, Change(lines))
    assert [line.table_id for line in await projections.tables(("seating",), public=True, most=9)] == [B, A]
    assert len(await projections.tables(("seating",), public=False, most=9)) == 3
    assert await projections.tables(("over",), public=False, most=9) == []


async def test_a_stopped_round_waits_until_it_is_awarded(projections: Projections) -> None:
    await projections.advance(3, 0, 1, Change((table(phase="scoring"),), (stopped(),)))
    assert await projections.unawarded(3) == [stopped()]
    assert await projections.unawarded(4) == []
    await projections.advance(3, 1, 2, Change((table(phase="break"),), (awarded(),)))
    assert await projections.unawarded(3) == []


async def test_only_partitions_with_an_awarded_round_are_walked(projections: Projections) -> None:
    await projections.advance(3, 0, 1, Change(rounds=(stopped(),)))
    assert await projections.with_awards() == frozenset()
    await projections.advance(3, 1, 2, Change(rounds=(awarded(),)))
    assert await projections.with_awards() == {3}


async def test_the_auditor_walks_awarded_rounds_in_order_of_their_awards(projections: Projections) -> None:
    rounds = (awarded(A, 1, 9), awarded(B, 1, 5), stopped(A, 2))
    await projections.advance(3, 0, 9, Change(rounds=rounds))
    assert [line.position for line in await projections.awarded(3, 0, 9)] == [5, 9]
    await projections.mark_audited(3, 5)
    assert await projections.audited(3) == 5
    assert [line.position for line in await projections.awarded(3, 5, 9)] == [9]
    await projections.mark_audited(3, 0)
    assert await projections.audited(3) == 0


async def test_results_are_rated_in_order_and_each_once(projections: Projections) -> None:
    await projections.advance(3, 0, 1, Change(results=(won(A, at=20), won(B, at=10))))
    place, waiting = await projections.unplaced(9)
    assert place == 0
    assert [result.table_id for result in waiting] == [B, A]
    ada = Standing("quatro", "ada", 26.0, 8.0, 1, 1)
    assert await projections.place(0, waiting[0], (ada,))
    assert not await projections.place(0, waiting[1], (ada,)), "the place is taken"
    assert not await projections.place(1, waiting[0], (ada,)), "the result has a place"
    assert await projections.unplaced(9) == (1, [waiting[1]])


async def test_a_result_that_changed_since_it_was_read_is_read_again(projections: Projections) -> None:
    """Somebody was forgotten in between."""
    await projections.advance(3, 0, 1, Change(results=(won(),)))
    _, (before,) = await projections.unplaced(9)
    fewer = replace(before, sides=(before.sides[0], ()))
    assert fewer != before
    await projections.advance(3, 1, 2, Change(results=(fewer,)))
    assert not await projections.place(0, before, ())
    assert await projections.unplaced(9) == (0, [fewer])
    assert await projections.place(0, fewer, ())


async def test_standings_are_ranked_by_what_is_certain(projections: Projections) -> None:
    await projections.advance(3, 0, 1, Change(results=(won(),)))
    ada, bob = Standing("quatro", "ada", 26.0, 8.0, 1, 1), Standing("quatro", "bob", 25.0, 2.0, 9, 3)
    assert await projections.place(0, won(), (ada, bob))
    assert await projections.standings("quatro", 9) == [bob, ada]
    assert await projections.standings("kwartet", 9) == []
    assert await projections.standings_of("quatro", ["ada", "eve"]) == {"ada": ada}
