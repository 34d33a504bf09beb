"""Who counts as connected, and what bots' seats, watchers and lost gateways do to a table."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from services.table.keeper import Keeper
from services.table.presence import Presence
from shared.bus import subjects
from shared.eventlog.port import partition_of
from shared.table.commands import Connect, Disconnect
from shared.wire.messages import Want, encode
from tests.rules import case, rule
from tests.tables.hall import Hall, lay, seat_four, swap, until
from tests.virtual import run


@rule("T-PRES-1")
@case("C-08")
def test_closing_one_of_two_tabs_is_no_disconnection_and_closing_both_is_one_after_five_seconds() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        one, two = await hall.open_gateway("one"), await hall.open_gateway("two")
        table, (_, bo, *_) = await seat_four(one)
        await two.come(table, bo)
        await asyncio.sleep(20)  # what sitting down counted for is over
        one.go(table, bo)
        await asyncio.sleep(8)
        assert _absences(await hall.records(table)) == []
        two.go(table, bo)
        await asyncio.sleep(4.5)
        assert _absences(await hall.records(table)) == []
        await asyncio.sleep(1)
        assert _absences(await hall.records(table)) == [bo]
        await hall.close()

    run(scenario)


@rule("T-PRES-1")
def test_asking_by_http_connects_for_fifteen_seconds() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        table, (_, _, cas, _) = await seat_four(gateway)
        gateway.go(table, cas)
        await asyncio.sleep(21)
        assert _absences(await hall.records(table)) == [cas]
        answer = await gateway.command(table, cas, {"type": "GiveChannel"}, http=True)
        assert answer["refused"] == "not_in_control"
        *_, connect, asked = await hall.records(table)
        assert (type(connect.command), connect.command.player, connect.command.cause) == (Connect, cas, "http")
        assert asked.n == connect.n + 1
        await asyncio.sleep(14)
        assert _absences(await hall.records(table)) == [cas]
        await asyncio.sleep(2)
        assert _absences(await hall.records(table)) == [cas, cas]
        await hall.close()

    run(scenario)


@rule("T-PRES-1", "T-SEAT-3")
def test_who_makes_a_table_by_http_and_never_comes_counts_for_fifteen_seconds_and_keeps_the_seat_for_sixty() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        table = await lay(gateway, "ada", http=True)
        await asyncio.sleep(14)
        assert _absences(await hall.records(table)) == []
        await asyncio.sleep(2)
        assert _absences(await hall.records(table)) == ["ada"]
        await asyncio.sleep(60)
        *_, freed = await hall.records(table)
        assert type(freed.command).__name__ == "FreeAbsent"
        await hall.close()

    run(scenario)


@rule("T-PRES-1", "T-HOST-2")
def test_a_host_who_gave_up_their_seat_and_looks_on_is_there_again_by_their_socket() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        table = await lay(gateway, "ada", http=True)
        await gateway.come(table, "ada")
        assert (await gateway.command(table, "ada", {"type": "Leave"}))["accepted"]
        await asyncio.sleep(20)  # what making it by HTTP counted for is over
        *_, last = await hall.records(table)
        assert last.command == Connect("ada", "socket")
        await hall.close()

    run(scenario)


@rule("T-PRES-1")
def test_a_gateway_that_dies_takes_its_players_with_it_but_not_while_we_ourselves_were_cut_off() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway, other = await hall.open_gateway("gateway"), await hall.open_gateway("other")
        table, (ada, bo, *_) = await seat_four(gateway)
        await other.come(table, ada)
        await asyncio.sleep(20)
        await hall.kill("gateway")
        await asyncio.sleep(10)
        assert set(_absences(await hall.records(table))) == {bo, "cas", "dee"}
        await hall.close()

    run(scenario)


@case("C-27")
def test_a_bot_s_seat_goes_to_a_bots_service_that_lives_and_moves_when_that_one_falls_silent() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        first = await hall.open_gateway("bots-1", "bot")
        table = await lay(gateway, "ada")
        assert (await gateway.command(table, "ada", {"type": "AddBot", "seat": 2}))["accepted"]
        await until(lambda: first.seats)
        given = first.seats[0]
        assert (given.seat, given.play) == (2, True)
        await first.come(table, given.player)
        assert first.seen[table, given.player].own["seat"] == 2  # type: ignore[index]
        second = await hall.open_gateway("bots-2", "bot")
        await asyncio.sleep(5)
        assert not second.seats
        await hall.kill("bots-1")
        await until(lambda: second.seats, 6)
        assert second.seats[0].player == given.player
        assert (await gateway.command(table, "ada", {"type": "RemoveBot", "seat": 2}))["accepted"]
        await until(lambda: not second.seats[-1].play)
        await hall.close()

    run(scenario)


@case("C-11", "C-27")
def test_a_bots_service_is_shown_the_seats_of_bots_only_and_a_gateway_none_of_them() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway, bots = await hall.open_gateway("gateway.1"), await hall.open_gateway("bots.1", "bot")
        table = await lay(gateway, "ada")
        assert (await gateway.command(table, "ada", {"type": "AddBot", "seat": 2}))["accepted"]
        await until(lambda: bots.seats)
        bot = bots.seats[0].player
        for asker, player in ((bots, "ada"), (gateway, bot)):
            for request in (0, 7):
                asker.bus.publish(subjects.want(partition_of(table)), encode(Want(asker.name, table, player, request)))
        await bots.come(table, bot)
        await gateway.come(table, "ada")
        assert (table, "ada") not in bots.seen
        assert (table, bot) not in gateway.seen
        assert (bots.views, gateway.views) == ({}, {})
        bots.holds[table].add("eve")
        await asyncio.sleep(3)
        assert (table, "eve") not in bots.seen
        await hall.close()

    run(scenario)


def test_watchers_are_counted_and_see_no_hand() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        table, players = await seat_four(gateway)
        watcher = await gateway.come(table, "")
        await gateway.come(table, "eva")
        await until(lambda: watcher.public["watching"] == 2)  # type: ignore[index]
        assert watcher.own is None
        assert gateway.seen[table, "eva"].own is None
        assert gateway.seen[table, players[0]].own is not None
        await hall.close()

    run(scenario)


def test_a_gateway_s_watchers_are_as_many_as_it_said() -> None:
    presence = Presence()
    presence.hold("gateway", frozenset(), 3, 0)
    assert (presence.watched_at("gateway"), presence.watched_at("another")) == (3, 0)


def failing_at(table: str, does: Callable[..., Any]) -> Callable[..., Any]:
    """The same, but it fails at one table."""

    def fails(keeper: Keeper, *given: int) -> Any:
        if keeper.id == table:
            raise ValueError("a bug")
        return does(keeper, *given)

    return fails


def test_a_bug_at_one_table_does_not_end_the_service_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one in a game's rules would come out: in the middle of what is decided by itself."""

    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        (bad, (ada, *_)), (good, _) = await seat_four(gateway), await seat_four(gateway)
        for name in ("review", "idle"):
            monkeypatch.setattr(Keeper, name, failing_at(bad, getattr(Keeper, name)))
        for table in (bad, good):
            gateway.go(table, ada)
        await asyncio.sleep(30)
        assert (await gateway.command(good, "bo", swap(gateway.seen[good, "bo"])))["accepted"]
        kinds = [type(record.command).__name__ for record in await hall.records(good)]
        assert kinds[-3:] == ["Disconnect", "PassHost", "SwapCard"]
        await hall.close()

    run(scenario)


@case("C-12")
def test_each_audience_s_frames_are_numbered_without_a_gap_whatever_others_see() -> None:
    async def scenario() -> None:
        hall = Hall()
        await hall.open_tables("tables")
        gateway = await hall.open_gateway("gateway")
        table = await lay(gateway, "ada", {"prepare_seconds": 30})
        await gateway.come(table, "ada")
        for seat, player in enumerate(("bo", "cas", "dee"), 1):
            await gateway.sit(table, player, seat)
        await gateway.come(table, "")
        await gateway.command(table, "ada", {"type": "StartGame"})
        await asyncio.sleep(0.1)
        counts = {player: len(gateway.seen[table, player].frames) for player in ("", "ada", "bo", "cas")}
        await gateway.command(table, "ada", {"type": "PickSign", "sign": "🚀"})
        await asyncio.sleep(0.1)
        grew = {player: len(gateway.seen[table, player].frames) - count for player, count in counts.items()}
        assert grew == {"": 0, "ada": 1, "bo": 0, "cas": 1}
        for player in counts:
            numbers = [frame["n"] for frame in gateway.seen[table, player].frames if not frame["whole"]]
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        await hall.close()

    run(scenario)


def _absences(records: list) -> list[str]:  # type: ignore[type-arg]
    return [record.command.player for record in records if isinstance(record.command, Disconnect)]
