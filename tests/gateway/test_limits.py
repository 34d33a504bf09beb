"""What this gateway limits, each limit met and not passed."""

import asyncio
from uuid import uuid4

import pytest

from services.gateway.limits import SWEEP_SIZE, Meters
from services.gateway.line import NOISE_MAX
from services.gateway.store import TableCode
from tests.gateway.conftest import House, Opener
from tests.gateway.person import open_socket
from tests.rules import rule

POKE = {"type": "Poke", "place": 1}


class Clock:
    """A clock that stands until it is moved."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_meter_lets_so_many_through_at_once_and_then_one_for_each_share_of_the_time() -> None:
    clock = Clock()
    meters = Meters(5, 60.0, clock)
    assert [meters.take("a") for _ in range(7)] == [True] * 5 + [False] * 2
    assert meters.take("b")
    clock.now += 12
    assert [meters.take("a") for _ in range(2)] == [True, False]
    clock.now += 3600
    assert [meters.take("a") for _ in range(6)] == [True] * 5 + [False]


def test_a_meter_forgets_who_has_been_quiet() -> None:
    clock = Clock()
    meters = Meters(5, 60.0, clock)
    for number in range(SWEEP_SIZE):
        meters.take(f"{number}")
    clock.now += 61
    meters.take("one more")
    assert len(meters) == 1


async def test_new_players_of_an_address_are_limited(open_house: Opener) -> None:
    house = await open_house(players_per_minute=2)
    answers = [await house.http.post("/api/players", json={"name": "Ada"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert answers[2].json()["code"] == "too_many_requests"
    assert int(answers[2].headers["Retry-After"]) > 0


async def test_new_tables_of_an_address_are_limited_but_an_old_one_is_no_new_one(open_house: Opener) -> None:
    house = await open_house(tables_per_minute=1)
    ada = await house.person()
    id = str(uuid4())
    assert [(await ada.make(id=id)).status_code for _ in range(3)] == [201, 201, 201]
    assert (await ada.make()).status_code == 429


async def test_wrong_codes_of_an_address_are_limited(open_house: Opener) -> None:
    house = await open_house(wrong_codes_per_minute=2)
    ada = await house.person()
    code = (await ada.make(private=True)).json()["code"]
    assert (await house.http.get(f"/api/join/{code}")).status_code == 200
    statuses = [(await house.http.get("/api/join/AAAAA")).status_code for _ in range(3)]
    assert statuses == [404, 404, 429]
    assert (await house.http.get(f"/api/join/{code}")).status_code == 429


async def test_wrong_codes_said_to_a_socket_count_as_well(open_house: Opener) -> None:
    house = await open_house(wrong_codes_per_minute=2)
    ada, bob = await house.person(), await house.person("Bob")
    table = (await ada.make(private=True)).json()["table_id"]
    closed = []
    for _ in range(3):
        async with bob.socket(table, code="AAAAA") as socket:
            closed.append(await socket.closed())
    assert closed == [4403, 4403, 4430]


async def test_requests_of_a_player_are_limited_over_all_sockets_and_http(open_house: Opener) -> None:
    house = await open_house(requests_per_second=3)
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        await socket.hear()
        for _ in range(8):
            await socket.say({"type": "ping"})
        assert (await socket.until("error"))["code"] == "too_many_requests"
        answers = await asyncio.gather(*(ada.get("/api/tables") for _ in range(30)))
        assert sum(answer.status_code == 429 for answer in answers) > 0


async def test_who_does_not_stop_is_shown_out(open_house: Opener) -> None:
    house = await open_house(requests_per_second=2)
    ada = await house.person()
    table = await ada.table()
    async with open_socket(house.url, table, {}) as socket:
        await socket.hear()
        for _ in range(NOISE_MAX + 20):
            await socket.say({"type": "ping"})
        assert await socket.closed() == 4430


async def test_coming_in_by_socket_is_a_request_also_at_a_table_that_is_not_there(open_house: Opener) -> None:
    house = await open_house(requests_per_second=3)
    asked, look_up = list[str](), house.store.table

    async def counted(table_id: str) -> TableCode | None:
        asked.append(table_id)
        return await look_up(table_id)

    house.store.table = counted  # type: ignore[method-assign]

    async def come() -> int | None:
        async with open_socket(house.url, str(uuid4()), {}) as socket:
            return await socket.closed()

    codes = await asyncio.gather(*(come() for _ in range(30)))
    assert set(codes) == {4404, 1013}
    assert len(asked) == codes.count(4404) < 30


async def test_a_player_has_so_many_sockets(open_house: Opener) -> None:
    house = await open_house(sockets_player_max=2)
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as first, ada.socket(table) as second:
        await first.hear()
        await second.hear()
        async with ada.socket(table) as third:
            assert await third.closed() == 4429
    async with ada.socket(table) as again:
        assert (await again.hear())["type"] == "view"


async def test_a_host_has_so_many_bot_seats(open_house: Opener) -> None:
    house = await open_house(bot_seats_host_max=2)
    ada = await house.person()
    one, other = await ada.table(), await ada.table()
    add, remove = {"type": "AddBot"}, {"type": "RemoveBot"}
    first = [(await ada.send(table, add)).json() for table in (one, other, other)]
    assert [verdict.get("refused") for verdict in first] == [None, None, "too_many_bots"]
    assert (await ada.send(one, remove)).json()["accepted"]
    assert (await ada.send(other, add)).json()["accepted"]


@pytest.mark.parametrize("size", [70_000, 200_000])
async def test_a_frame_beyond_all_bounds_closes_the_socket(house: House, size: int) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        await socket.hear()
        await socket.say("x" * size)
        assert await socket.closed() == 1009


async def test_a_hosts_bots_at_another_gateway_count_as_well(open_house: Opener) -> None:
    house = await open_house(bot_seats_host_max=2)
    other = await open_house(beside=house, bot_seats_host_max=2)
    ada = await house.person()
    table = await ada.table()
    assert (await ada.send(table, {"type": "AddBot"})).json()["accepted"]
    house.store.bots_of[ada.player] = 1  # as scoring's index has it a moment later

    async def add(here: House) -> dict[str, object]:
        body = {"id": str(uuid4()), "command": {"type": "AddBot"}}
        answer = await here.http.post(f"/api/tables/{table}/commands", json=body, headers=ada.headers)
        verdict: dict[str, object] = answer.json()
        return verdict

    assert (await add(other))["accepted"]
    house.store.bots_of[ada.player] = 2
    assert (await add(other))["refused"] == "too_many_bots"
    third = await open_house(beside=house, bot_seats_host_max=2)
    assert (await add(third))["refused"] == "too_many_bots"
    async with ada.socket(table, url=third.url) as socket:
        await socket.hear()
        await socket.command({"type": "AddBot"})
        assert (await socket.until("verdict"))["refused"] == "too_many_bots"


async def test_what_was_just_changed_here_counts_before_the_index_has_it(open_house: Opener) -> None:
    house = await open_house(bot_seats_host_max=2)
    ada = await house.person()
    table = await ada.table()
    house.store.bots_of[ada.player] = 2
    assert (await ada.send(table, {"type": "AddBot"})).json()["refused"] == "too_many_bots"
    assert (await ada.send(table, {"type": "RemoveBot"})).json()["accepted"]
    assert (await ada.send(table, {"type": "AddBot"})).json()["accepted"]
    assert (await ada.send(table, {"type": "AddBot"})).json()["refused"] == "too_many_bots"


async def test_bots_that_are_asked_for_all_at_once_are_no_more_than_one_after_another(open_house: Opener) -> None:
    house = await open_house(bot_seats_host_max=2)
    ada = await house.person()
    table = await ada.table()
    answers = await asyncio.gather(*(ada.send(table, {"type": "AddBot"}) for _ in range(10)))
    assert sum(answer.json()["accepted"] for answer in answers) == 2


@rule("T-ID-1")
async def test_a_bot_that_is_asked_for_twice_under_one_id_is_one_and_not_too_many(open_house: Opener) -> None:
    house = await open_house(bot_seats_host_max=2)
    ada = await house.person()
    table = await ada.table()
    id = str(uuid4())
    assert (await ada.send(table, {"type": "AddBot"}, id)).json()["accepted"]
    assert (await ada.send(table, {"type": "AddBot"}, id)).json()["accepted"]
    assert (await ada.send(table, {"type": "AddBot"})).json()["accepted"]
    assert (await ada.send(table, {"type": "AddBot"}, id)).json()["accepted"]
    assert (await ada.send(table, {"type": "AddBot"})).json()["refused"] == "too_many_bots"


async def test_a_bot_that_is_removed_again_and_again_under_one_id_makes_room_for_one(open_house: Opener) -> None:
    house = await open_house(bot_seats_host_max=3)
    ada = await house.person()
    table = await ada.table()
    id = str(uuid4())
    for _ in range(3):
        assert (await ada.send(table, {"type": "AddBot"})).json()["accepted"]
    for _ in range(3):
        assert (await ada.send(table, {"type": "RemoveBot"}, id)).json()["accepted"]
    answers = [(await ada.send(table, {"type": "AddBot"})).json() for _ in range(3)]
    assert [answer["accepted"] for answer in answers] == [True, False, False]


async def test_no_limit_of_the_gateway_stops_an_operator(open_house: Opener) -> None:
    house = await open_house(bot_seats_host_max=1, tables_per_minute=1, requests_per_second=2, sockets_player_max=1)
    ada = await house.person()
    ada.token = house.gateway.tokens.issue(ada.player, house.gateway.micros() // 1_000_000, "operator")
    for _ in range(3):
        table = await ada.table()
        for _ in range(3):
            assert (await ada.send(table, {"type": "AddBot"})).json()["accepted"]
    async with ada.socket(table) as socket, ada.socket(table) as another:
        await another.until("view")
        await socket.until("view")
        for _ in range(9):
            await socket.command(POKE)
        assert [(await socket.until("verdict"))["accepted"] for _ in range(9)] == [True] * 9
