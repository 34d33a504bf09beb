"""Many tables at once: calls that cross, and a service that is told to go while all are played."""

import asyncio
from random import Random

import pytest

from shared.eventlog.chain import genesis, verify_chain
from tests.rules import case, rule
from tests.tables.hall import Gateway, Hall, Json, seat_four, swap, until
from tests.virtual import monotonic_micros, run

pytestmark = pytest.mark.slow

PAIRS = 100
APART_SECONDS = 0.005
LIVE = 200


async def call(gateway: Gateway, table: str, player: str, after: float) -> Json:
    """Quatro! after so many seconds."""
    await asyncio.sleep(after)
    return await gateway.command(table, player, {"type": "CallQuatro"})


@case("C-02")
@rule("Q-STOP-1")
def test_of_a_hundred_pairs_of_calls_within_5_ms_each_caller_hears_one_verdict_and_every_table_goes_on() -> None:
    async def scenario() -> None:
        hall, chance = Hall(), Random(2)
        await hall.open_tables("tables")
        one, two = await hall.open_gateway("one"), await hall.open_gateway("two")
        scoring = await hall.open_gateway("scoring", "scoring")
        tables = [(await seat_four(one))[0] for _ in range(PAIRS)]
        calls = [
            call(gateway, table, player, chance.uniform(0, APART_SECONDS))
            for table in tables
            for gateway, player in ((one, "ada"), (two, "bo"))
        ]
        verdicts = await asyncio.gather(*calls)
        winners = set()
        for table, pair in zip(tables, zip(verdicts[::2], verdicts[1::2], strict=True), strict=True):
            won = [verdict["accepted"] for verdict in pair]
            assert sorted(won) == [False, True], pair
            winner, loser = won.index(True), pair[won.index(False)]
            assert (loser["refused"], loser["lost_to"]["seat"]) == ("round_over", winner)
            assert 0 <= loser["lost_to"]["margin_us"] <= APART_SECONDS * 1_000_000
            winners.add(winner)
            calling = [each for each in await hall.records(table) if type(each.command).__name__ == "CallQuatro"]
            assert len(calling) == 2
            stop = next(row for row in await hall.log.table_rows(table) if row.version == calling[0].n)
            points = [0, 1] if winner == 0 else [1, 0]  # no hand is dealt with four of a kind
            award = {"type": "Award", "points": points, "head": stop.hash.hex(), "version": stop.version}
            assert (await scoring.command(table, "", award))["accepted"]
        assert winners == {0, 1}
        await asyncio.sleep(2)
        for table in tables:
            seen = one.seen[table, "ada"]
            assert (seen.public or {})["round"] == 2
            assert {"Ready", "CallQuatro"} & set((seen.own or {})["can"])
        await hall.close()

    run(scenario)


@case("C-18")
def test_of_two_hundred_live_tables_all_are_handed_over_and_none_is_lost() -> None:
    async def scenario() -> None:
        hall = Hall()
        leaving = await hall.open_tables("leaving")
        gateway = await hall.open_gateway("gateway")
        tables = [(await seat_four(gateway, {"round_seconds": 3600}))[0] for _ in range(LIVE)]
        staying = await hall.open_tables("staying")
        began = monotonic_micros()
        moving = asyncio.create_task(leaving.drain())
        sent = [gateway.command(table, "ada", swap(gateway.seen[table, "ada"])) for table in tables]
        verdicts = await asyncio.gather(*sent)
        await moving
        assert all(verdict["accepted"] for verdict in verdicts)
        assert monotonic_micros() - began < 10_000_000  # of virtual time
        assert len(staying.held) == 64
        assert not leaving.held
        for table in tables:
            seen = gateway.seen[table, "ada"]
            await until(lambda seen=seen: (seen.public or {})["phase"] == "playing")
            assert (await gateway.command(table, "ada", swap(seen)))["accepted"]
            assert verify_chain(await hall.log.table_rows(table), genesis(table)) is None
        await hall.close()

    run(scenario)
