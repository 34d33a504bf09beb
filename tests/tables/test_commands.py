"""What becomes of a command at a table service: one verdict, after the commit, after the view, and only one."""

import asyncio
import uuid

import msgspec

from bench.keeper import Office
from bench.keeper import table as bench_table
from shared.wire.messages import Want
from tests.rules import case, rule
from tests.tables.hall import Gateway, Hall, Json, lay, seat_four, swap, until
from tests.virtual import run


@case("C-01")
def test_two_swaps_at_one_card_through_two_gateways_one_wins_and_the_other_hears_by_whom() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        one, two = await hall.open_gateway("one"), await hall.open_gateway("two")
        table, (ada, bo, *_) = await seat_four(one)
        seen = await two.come(table, bo)
        for _ in range(50):
            first, second = swap(one.seen[table, ada]), swap(seen)
            verdicts = await asyncio.gather(one.command(table, ada, first), two.command(table, bo, second))
            assert [v["accepted"] for v in verdicts] == [True, False]
            assert verdicts[1]["refused"] == "card_gone"
            assert verdicts[1]["lost_to"] == {"seat": 0, "margin_us": verdicts[1]["lost_to"]["margin_us"]}
            await asyncio.sleep(1)
        await hall.close()

    run(scenario)


@case("C-03")
@rule("T-ID-1")
def test_a_command_sent_five_times_over_two_gateways_is_one_record_with_five_equal_verdicts() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        one, two = await hall.open_gateway("one"), await hall.open_gateway("two")
        table, (ada, *_) = await seat_four(one)
        before = len(await hall.records(table))
        command, id = swap(one.seen[table, ada]), str(uuid.uuid4())
        sent = [gateway.command(table, ada, command, id) for gateway in (one, two, one, two, one)]
        verdicts = await asyncio.gather(*sent)
        assert verdicts[0]["accepted"]
        assert all(verdict == verdicts[0] for verdict in verdicts)
        assert len(await hall.records(table)) == before + 1
        assert await two.command(table, ada, command, id) == verdicts[0]
        await hall.close()

    run(scenario)


class Narrow(Office):
    """An office on a bus that takes nothing as long as a frame."""

    def publish(self, subject: str, payload: bytes, reply: str | None = None) -> None:
        raise ValueError(f"{len(payload)} bytes")


def test_a_frame_too_long_for_the_bus_does_not_end_the_service_of_all_tables() -> None:
    office = Narrow()
    keeper = bench_table(office)  # every record of it was published
    office.publisher.refresh(keeper)
    office.publisher.once(keeper, Want("gateway", keeper.id, "ada", 7))
    assert keeper.committed is keeper.state


@rule("T-ID-1")
def test_an_id_used_for_something_else_is_refused_and_leaves_no_record() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        table, (ada, *_) = await seat_four(gateway)
        id = str(uuid.uuid4())
        await gateway.command(table, ada, swap(gateway.seen[table, ada]), id)
        before = len(await hall.records(table))
        verdict = await gateway.command(table, ada, {"type": "TakeChannel"}, id)
        assert (verdict["accepted"], verdict["refused"]) == (False, "id_reused")
        assert "receipt" not in verdict
        assert len(await hall.records(table)) == before
        await hall.close()

    run(scenario)


def test_the_view_comes_before_the_verdict_and_what_is_refused_shows_nothing_to_others() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        table, (ada, *_) = await seat_four(gateway)
        gateway.order.clear()
        await gateway.command(table, ada, swap(gateway.seen[table, ada]))
        assert sorted(gateway.order[:4]) == ["view ada", "view bo", "view cas", "view dee"]
        assert gateway.order[4:] == ["verdict ada"]
        gateway.order.clear()
        refused = await gateway.command(table, ada, {"type": "GiveChannel"})
        assert refused["refused"] == "not_in_control"
        assert gateway.order == ["verdict ada"]
        await hall.close()

    run(scenario)


@rule("T-LIMIT-1")
def test_beyond_forty_at_once_a_seat_is_told_to_slow_down_and_the_last_record_counts_it() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        scoring = await hall.open_gateway("scoring", "scoring")
        table, (ada, bo, *_) = await seat_four(gateway)
        await asyncio.sleep(3)
        wrong = [gateway.command(table, ada, {"type": "GiveChannel"}) for _ in range(60)]
        codes = [verdict["refused"] for verdict in await asyncio.gather(*wrong)]
        assert codes == ["not_in_control"] * 40 + ["slow_down"] * 20
        assert (await gateway.command(table, bo, {"type": "TakeChannel"}))["accepted"]
        await asyncio.sleep(1)
        assert (await gateway.command(table, ada, {"type": "CallQuatro", "anyway": True}))["accepted"]
        assert (await award(hall, scoring, table))["accepted"]
        *before, last = await hall.records(table)
        assert (type(last.command).__name__, last.slowed) == ("Award", (20, 0, 0, 0))
        assert {record.slowed for record in before} == {None}
        await hall.close()

    run(scenario)


@rule("T-LIMIT-1")
def test_in_the_seating_the_start_carries_the_count() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        table = await lay(gateway, "ada")
        for player, seat in (("bo", 1), ("cas", 2), ("dee", 3)):
            await gateway.sit(table, player, seat)
        await asyncio.gather(*(gateway.command(table, "bo", {"type": "GiveChannel"}) for _ in range(50)))
        assert (await gateway.command(table, "ada", {"type": "StartGame"}))["accepted"]
        start = next(r for r in await hall.records(table) if type(r.command).__name__ == "StartGame")
        assert (start.round, start.slowed) == (0, (0, 11, 0, 0)), "with Sit bo sent 51 at once"
        await hall.close()

    run(scenario)


@rule("T-ID-1")
def test_a_verdict_is_remembered_for_its_round_and_the_next_and_what_was_not_recorded_is_not() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        scoring = await hall.open_gateway("scoring", "scoring")
        table, (ada, *_) = await seat_four(gateway)
        await asyncio.sleep(3)
        wrong = [(str(uuid.uuid4()), {"type": "GiveChannel"}) for _ in range(41)]
        told = await asyncio.gather(*(gateway.command(table, ada, command, id) for id, command in wrong))
        assert told[-1]["refused"] == "slow_down"
        await asyncio.sleep(3)
        assert await gateway.command(table, ada, wrong[0][1], wrong[0][0]) == told[0], "recorded: the same receipt too"
        assert (await gateway.command(table, ada, wrong[-1][1], wrong[-1][0]))["refused"] == "not_in_control"
        for rounds_later, same in ((1, True), (2, False)):
            assert (await gateway.command(table, ada, {"type": "CallQuatro", "anyway": True}))["accepted"]
            assert (await award(hall, scoring, table))["accepted"]
            await playing(gateway, table, rounds_later + 1)
            again = await gateway.command(table, ada, wrong[0][1], wrong[0][0])
            assert (again == told[0]) is same
        await hall.close()

    run(scenario)


@rule("T-ID-1")
def test_what_is_remembered_comes_before_every_refusal_and_closed_before_all_others() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("first")
        gateway, ops = await hall.open_gateway("gateway"), await hall.open_gateway("ops", "ops")
        table, (ada, bo, *_) = await seat_four(gateway)
        id, command = str(uuid.uuid4()), swap(gateway.seen[table, ada])
        verdict = await gateway.command(table, ada, command, id)
        assert verdict["accepted"]
        assert (await ops.command(table, "kim", {"type": "Close", "reason": "enough"}))["accepted"]
        for owner in ("first", "second"):
            if owner == "second":
                await hall.kill("first")
                await hall.open_tables(owner)
            assert await gateway.command(table, ada, command, id) == verdict
            assert (await gateway.command(table, ada, {"type": "TakeChannel"}, id))["refused"] == "closed"
            many = [gateway.command(table, bo, {"type": "TakeChannel"}) for _ in range(60)]
            assert {answer["refused"] for answer in await asyncio.gather(*many)} == {"closed"}
        await hall.close()

    run(scenario)


async def award(hall: Hall, scoring: Gateway, table: str) -> Json:
    """As scoring does it: the points of a wrong call of seat 0, and the hash of the record that stopped the round."""
    row = (await hall.log.table_rows(table))[-1]
    points = {"type": "Award", "points": [0, 1], "head": row.hash.hex(), "version": row.version}
    return await scoring.command(table, "", points)


async def playing(gateway: Gateway, table: str, round: int) -> None:
    """Wait until that round is open."""
    public = gateway.seen[table, "ada"]
    await until(lambda: (public.public or {}).get("round") == round and (public.public or {})["phase"] == "playing")


def test_a_command_for_a_table_that_never_was_is_answered_so() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        answer = await gateway.command(str(uuid.uuid4()), "ada", {"type": "Sit", "seat": 1})
        assert (answer["type"], answer["code"]) == ("error", "not_found")
        assert not (await gateway.view(str(uuid.uuid4()), "ada")).found
        await hall.close()

    run(scenario)


@case("C-04")
def test_two_for_the_last_seat_one_sits_and_the_race_is_in_the_log() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        one, two = await hall.open_gateway("one"), await hall.open_gateway("two")
        table = await lay(one, "ada")
        sit: Json = {"type": "Sit", "seat": 3}
        first, second = await asyncio.gather(one.command(table, "bo", sit), two.command(table, "cas", sit))
        assert first["accepted"]
        assert second["refused"] == "seat_taken"
        assert second["lost_to"]["seat"] == 3
        assert (await hall.records(table))[-1].refused is not None
        await hall.close()

    run(scenario)


@case("C-14")
def test_clocks_ten_minutes_off_on_either_side_decide_nothing() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        table, (ada, bo, *_) = await seat_four(gateway, {"swap_wait_seconds": 2})
        early, late = -600_000_000, 600_000_000
        first = swap(gateway.seen[table, ada])
        second = {**swap(gateway.seen[table, bo]), "aimed_at": first["aimed_at"]}
        won, lost = await asyncio.gather(
            gateway.command(table, ada, first, clock_error=late), gateway.command(table, bo, second, clock_error=early)
        )
        assert (won["accepted"], lost["refused"]) == (True, "card_gone"), "who claims to have been earlier was not"
        again = await gateway.command(table, ada, swap(gateway.seen[table, ada], place=1), clock_error=late)
        assert again["refused"] == "too_soon", "who claims that the wait is over still waits"
        records = (await hall.records(table))[-3:]
        assert records == sorted(records, key=lambda record: record.at)
        assert [record.via is not None and (record.via.sent or 0) > record.at for record in records] == [
            True,
            False,
            True,
        ]
        await hall.close()

    run(scenario)


@rule("T-ID-1")
def test_the_creation_sent_again_gets_the_same_verdict() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        table = await lay(gateway, "ada")
        records = await hall.records(table)
        created = records[0].command
        again = {
            "type": "CreateTable", "table": table, "game": "quatro", "revision": created.revision, "seats": 4,
            "rules": msgspec.json.decode(created.rules), "private": False, "sit": True,
        }  # fmt: skip
        assert (await gateway.command(table, "ada", again, id="create"))["accepted"]
        assert len(await hall.records(table)) == len(records)
        await hall.close()

    run(scenario)
