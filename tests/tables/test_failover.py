"""Table services that come, go, and believe wrongly that a table is theirs."""

import asyncio
import uuid
from collections.abc import Sequence

import pytest

from services.table.keeper import Keeper
from shared.bus import subjects
from shared.eventlog.chain import genesis, verify_chain
from shared.eventlog.memory import MemoryEventLog
from shared.eventlog.port import Row, Unreachable, partition_of
from shared.leases.memory import MemoryLeases
from shared.leases.port import LeaseLost
from shared.wire.messages import Want, encode
from tests.rules import case, rule
from tests.tables.hall import Hall, seat_four, swap, until
from tests.virtual import database_micros, monotonic_micros, run


@case("C-06")
@rule("T-ID-1")
def test_a_killed_service_s_tables_go_on_elsewhere_and_remember_every_verdict() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("first")
        gateway = await hall.open_gateway("gateway")
        table, (ada, bo, *_) = await seat_four(gateway)
        id, command = str(uuid.uuid4()), swap(gateway.seen[table, ada])
        verdict = await gateway.command(table, ada, command, id)
        refused_id = str(uuid.uuid4())
        refused = await gateway.command(table, bo, {"type": "GiveChannel"}, refused_id)
        await hall.kill("first")
        await hall.open_tables("second")
        assert await gateway.command(table, ada, command, id) == verdict
        assert await gateway.command(table, bo, {"type": "GiveChannel"}, refused_id) == refused
        assert (await gateway.command(table, bo, swap(gateway.seen[table, bo], place=1)))["accepted"]
        rows = await hall.log.table_rows(table)
        assert verify_chain(rows, genesis(table)) is None
        await hall.close()

    run(scenario)


@case("C-07")
def test_a_new_owner_shows_every_seat_a_whole_view_under_its_epoch() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("first")
        gateway = await hall.open_gateway("gateway")
        table, players = await seat_four(gateway)
        hands = {player: gateway.seen[table, player].own for player in players}
        before = {player: len(gateway.seen[table, player].frames) for player in players}
        await hall.kill("first")
        await hall.open_tables("second")
        await until(lambda: all(len(gateway.seen[table, p].frames) > before[p] for p in players))
        for player in players:
            first, *_ = gateway.seen[table, player].frames[before[player] :]
            assert (first["epoch"], first["whole"], first["n"]) == (2, True, 1)
            assert gateway.seen[table, player].own == hands[player]
        await hall.close()

    run(scenario)


@case("C-15")
def test_of_two_services_that_believe_they_own_a_table_one_writes_and_the_other_answers_nothing() -> None:
    async def scenario() -> None:
        hall = Hall()
        tables = await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        table, (ada, *_) = await seat_four(gateway)
        partition = partition_of(table)
        await hall.log.take("other", partition)  # somebody took the partition behind its owner's back
        rows = len(await hall.log.table_rows(table))
        said = len(gateway.raw)
        pending = asyncio.create_task(gateway.command(table, ada, swap(gateway.seen[table, ada])))
        await until(lambda: partition not in tables.held)
        assert len(await hall.log.table_rows(table)) == rows
        assert not pending.done()
        assert not [raw for raw in gateway.raw[said:] if b"verdict" in raw]
        pending.cancel()
        await hall.close()

    run(scenario)


@case("C-15")
def test_at_a_lost_partition_nobody_visits_a_table_any_more() -> None:
    async def scenario() -> None:
        hall = Hall()
        tables = await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        table, _ = await seat_four(gateway)
        desk = tables.service._floor.desk(partition_of(table))
        assert desk is not None
        visited: list[Keeper] = []
        tables.service._floor.visit(desk, table, visited.append)
        assert len(visited) == 1
        tables.service.lose(desk.partition)
        tables.service._floor.visit(desk, table, visited.append)
        assert len(visited) == 1
        await hall.close()

    run(scenario)


@case("C-18")
def test_a_service_that_leaves_hands_over_without_a_pause_and_loses_nothing() -> None:
    async def scenario() -> None:
        hall = Hall()
        leaving = await hall.open_tables("leaving")
        gateway = await hall.open_gateway("gateway")
        table, (ada, *_) = await seat_four(gateway)
        await hall.open_tables("staying")
        slowest, moving = 0, asyncio.create_task(leaving.drain())
        while not moving.done():
            began = monotonic_micros()
            verdict = await gateway.command(table, ada, swap(gateway.seen[table, ada]))
            assert verdict["accepted"]
            slowest = max(slowest, monotonic_micros() - began)
            await asyncio.sleep(0.06)
        assert slowest < 400_000  # of virtual time: one look and one resending
        assert (await gateway.command(table, ada, swap(gateway.seen[table, ada])))["accepted"]
        await hall.close()

    run(scenario)


@rule("T-LATE-1")
@case("C-13")
def test_a_round_that_ended_while_nobody_owned_the_table_ends_at_its_own_time() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("first")
        gateway = await hall.open_gateway("gateway")
        table, _ = await seat_four(gateway, {"round_seconds": 30})
        ends = gateway.seen[table, "ada"].public["deadline"]  # type: ignore[index]
        await hall.kill("first")
        await asyncio.sleep(60)
        await hall.open_tables("second")
        await until(lambda: gateway.seen[table, "ada"].public["phase"] == "scoring")  # type: ignore[index]
        end, resumed = (await hall.records(table))[-2:]
        assert (end.at, type(end.command).__name__) == (ends, "TimeUp")
        assert (resumed.command.since, resumed.at) == (ends, resumed.command.until)
        assert resumed.at - ends > 25_000_000
        await hall.close()

    run(scenario)


class Stumbling(MemoryEventLog):
    """A log whose tables can't be read for a while."""

    failure: Exception | None = None

    async def table_rows(self, table_id: str, first_version: int = 1, last_version: int | None = None) -> Sequence[Row]:
        if self.failure is not None:
            raise self.failure
        return await super().table_rows(table_id, first_version, last_version)


@case("C-06")
def test_a_table_that_a_new_owner_could_not_read_at_once_is_read_later_though_nobody_asks() -> None:
    async def scenario() -> None:
        hall = Hall()
        hall.log = log = Stumbling(database_micros)
        await hall.open_tables("first")
        gateway = await hall.open_gateway("gateway")
        table, _ = await seat_four(gateway, {"round_seconds": 30})
        await hall.kill("first")
        await hall.kill("gateway")
        log.failure = Unreachable("for a while")
        await hall.open_tables("second")
        await asyncio.sleep(5)
        log.failure = None
        await asyncio.sleep(60)
        assert any(type(record.command).__name__ == "TimeUp" for record in await hall.records(table))
        await hall.close()

    run(scenario)


@case("C-06")
def test_a_table_whose_reading_failed_for_any_other_reason_is_read_again_when_somebody_asks() -> None:
    async def scenario() -> None:
        hall = Hall()
        hall.log = log = Stumbling(database_micros)
        await hall.open_tables("first")
        gateway = await hall.open_gateway("gateway")
        table, (ada, *_) = await seat_four(gateway)
        await hall.kill("first")
        log.failure = RuntimeError("a bug")
        second = await hall.open_tables("second")
        await asyncio.sleep(5)
        log.failure = None
        assert (await gateway.command(table, ada, swap(gateway.seen[table, ada])))["accepted"]
        assert second.service.loaded == 1
        await hall.close()

    run(scenario)


@case("C-06", "C-19")
def test_a_table_that_never_was_is_not_kept_though_the_log_could_not_tell_at_once() -> None:
    async def scenario() -> None:
        hall = Hall()
        hall.log = log = Stumbling(database_micros)
        tables = await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        log.failure = Unreachable("for a while")
        table = str(uuid.uuid4())
        gateway.bus.publish(subjects.want(partition_of(table)), encode(Want(gateway.name, table, "ada")))
        await asyncio.sleep(1)
        log.failure = None
        await asyncio.sleep(1)
        assert tables.service.loaded == 0
        assert not (await gateway.view(table, "ada")).found
        await hall.close()

    run(scenario)


@case("C-19")
def test_a_table_that_the_rules_do_not_let_be_made_is_not_kept() -> None:
    async def scenario() -> None:
        hall = Hall()
        tables = await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        table = str(uuid.uuid4())
        create = {"type": "CreateTable", "table": table, "game": "quatro", "revision": 99, "seats": 4, "rules": {}}
        for _ in range(2):
            assert (await gateway.command(table, "ada", create, http=True))["refused"] == "bad_revision"
            assert tables.service.loaded == 0
        await hall.close()

    run(scenario)


@pytest.mark.slow
@rule("T-IDLE-1")
def test_a_table_whose_people_went_before_its_owner_died_is_closed_by_the_next_owner_though_nobody_asks() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("first")
        gateway = await hall.open_gateway("gateway")
        scoring = await hall.open_gateway("scoring", "scoring")
        table, players = await seat_four(gateway, {"target_points": 1})
        assert (await gateway.command(table, "ada", {"type": "CallQuatro"}))["accepted"]  # nobody is dealt four
        stop = (await hall.log.table_rows(table))[-1]
        award = {"type": "Award", "points": [0, 1], "head": stop.hash.hex(), "version": stop.version}
        assert (await scoring.command(table, "", award))["accepted"]
        for player in players:
            gateway.go(table, player)
        await asyncio.sleep(60)
        *_, gone = await hall.records(table)
        assert type(gone.command).__name__ == "Disconnect"
        await hall.kill("first")
        await hall.open_tables("second")
        await asyncio.sleep(35 * 60)
        *_, closed = await hall.records(table)
        assert (type(closed.command).__name__, closed.at - gone.at) == ("Close", 30 * 60 * 1_000_000)
        assert not await hall.log.heads(partition_of(table))
        await hall.close()

    run(scenario)


@case("C-19")
def test_tables_that_nobody_needs_are_put_away_and_found_again() -> None:
    async def scenario() -> None:
        hall = Hall()
        tables = await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        table, players = await seat_four(gateway, {"round_seconds": 5})
        await until(lambda: gateway.seen[table, "ada"].public["phase"] == "scoring")  # type: ignore[index]
        for player in players:
            gateway.go(table, player)
        await asyncio.sleep(180)
        assert tables.service.loaded == 0
        view = await gateway.view(table, "ada")
        assert view.found
        assert b'"scoring"' in view.public
        await hall.close()

    run(scenario)


class Late(MemoryLeases):
    """Leases in a database that is not there before its time."""

    opens_at = 0.0

    async def renew(self, instance: str, role: str, leaving: bool = False) -> int:
        if asyncio.get_running_loop().time() < self.opens_at:
            raise LeaseLost("not there yet")
        return await super().renew(instance, role, leaving)


@case("C-16")
def test_a_table_service_that_is_there_before_the_database_waits_for_it() -> None:
    async def scenario() -> None:
        hall = Hall()
        leases = Late(hall.book)
        leases.opens_at = asyncio.get_running_loop().time() + 10
        await hall.open_tables("early", leases=leases)
        gateway = await hall.open_gateway("gateway")
        await seat_four(gateway)
        await hall.close()

    run(scenario)


@case("C-18")
def test_a_service_that_is_to_leave_while_the_database_is_away_leaves_all_the_same() -> None:
    async def scenario() -> None:
        hall = Hall()
        leases = Late(hall.book)
        tables = await hall.open_tables("tables", leases=leases)
        leases.opens_at = asyncio.get_running_loop().time() + 3600
        await asyncio.sleep(2)
        leaving = asyncio.create_task(tables.drain())
        await until(lambda: leaving.done() and hall.running["tables"].done(), 10)
        await hall.close()

    run(scenario)
