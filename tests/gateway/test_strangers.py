"""What strangers send who read no documentation: each is told so, and none of it breaks anything."""

import time
from uuid import uuid4

import jwt
import pytest
from websockets.exceptions import InvalidStatus

from services.gateway.tokens import SECONDS_MAX
from tests.gateway.conftest import KEYS, House, Opener
from tests.gateway.person import open_socket
from tests.rules import case

JSON = {"Content-Type": "application/json"}
POKE = {"type": "Poke", "place": 1}


@pytest.mark.parametrize(
    "place",
    [b"NaN", b"Infinity", b'"\\ud800"', b'{"\\udfff":1}', b"[" * 20_000, b"9" * 5000, b'"\xff"', b"1e999"],
    ids=["nan", "infinity", "half a character", "half a key", "nested", "digits", "latin", "exponent"],
)
@case("C-23")
async def test_a_body_that_is_no_json_is_said_to_be_none(house: House, place: bytes) -> None:
    ada = await house.person()
    table = await ada.table()
    body = b'{"id":"%s","command":{"type":"Poke","place":%s}}' % (str(uuid4()).encode(), place)
    answer = await house.http.post(f"/api/tables/{table}/commands", content=body, headers={**JSON, **ada.headers})
    assert (answer.status_code, answer.json()["code"]) == (400, "not_json")
    rules = b'{"game":"toy","seats":4,"rules":{"pokes":%s}}' % place
    answer = await house.http.post("/api/tables", content=rules, headers={**JSON, **ada.headers})
    assert (answer.status_code, answer.json()["code"]) == (400, "not_json")
    assert len(house.owner.commands) == 1


@pytest.mark.parametrize(
    "place",
    [b"[" * 1500 + b"]" * 1500, b'"\xff\xfe"', b'"\\ud800"', b"NaN"],
    ids=["nested", "latin", "half a character", "nan"],
)
async def test_a_frame_that_is_no_command_is_an_error_and_the_socket_stays_open(house: House, place: bytes) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        await socket.hear()
        frame = b'{"type":"command","id":"%s","command":{"type":"Poke","place":%s}}'
        await socket.connection.send(frame % (str(uuid4()).encode(), place), text=True)
        assert (await socket.hear())["code"] in ("bad_command", "not_json")
        await socket.connection.send(b'{"type":"ping","t":' + place + b"}", text=True)
        if (heard := await socket.hear())["type"] == "error":
            assert heard["code"] in ("bad_frame", "not_json")
        await socket.command(POKE)
        assert (await socket.until("verdict"))["accepted"]


@pytest.mark.parametrize("hello", [b"\xff", b"[" * 3000, b'{"type":"hello","token":"\\ud800"}', b"\x00"])
async def test_what_is_no_hello_is_told_so(house: House, hello: bytes) -> None:
    ada = await house.person()
    async with open_socket(house.url, await ada.table(), None) as socket:
        await socket.connection.send(hello, text=True)
        assert await socket.closed() == 4400


@pytest.mark.parametrize("origin", ["http://[", "null", "https://", "http://127.0.0.1:1"])
async def test_a_page_of_a_strange_origin_opens_no_socket(house: House, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with open_socket(house.url, str(uuid4()), None, origin=origin):
            pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("number", [-1, 2**31, 2**63, 10**25])
async def test_a_round_that_no_log_could_hold_is_not_there(house: House, number: int) -> None:
    ada = await house.person()
    table = await ada.table()
    for path in ("", "/bundle", "/replay"):
        answer = await ada.get(f"/api/tables/{table}/rounds/{number}{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_round")


@pytest.mark.parametrize("name", ["%00", "%FF", "x" * 300, "..%2F"])
@pytest.mark.parametrize("path", ["", "/view", "/rounds", "/rounds/1", "/rounds/1/bundle"])
async def test_a_table_that_no_id_could_name_is_not_there(house: House, name: str, path: str) -> None:
    ada = await house.person()
    answer = await ada.get(f"/api/tables/{name}{path}")
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/problem+json"


async def test_a_search_for_a_nul_is_refused(house: House) -> None:
    ada = await house.person()
    for query in ("table=%00", "player=%00", "refused=a%00b", "after=1,%00,1"):
        answer = await ada.get(f"/api/audit/search?{query}")
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")


async def test_a_code_is_read_as_people_type_it_also_in_a_hello(house: House) -> None:
    ada, bob = await house.person(), await house.person("Bob")
    made = (await ada.make(private=True)).json()
    async with bob.socket(made["table_id"], code=f" {made['code'].lower()}") as socket:
        assert (await socket.hear())["type"] == "view"


async def test_wrong_codes_of_a_neighbour_shut_nobody_out_of_their_own_seat(open_house: Opener) -> None:
    house = await open_house(wrong_codes_per_minute=1)
    ada = await house.person()
    table = await ada.table(private=True)
    assert (await house.http.get("/api/join/AAAAA")).status_code == 404
    for code in ({}, {"code": house.store.tables[table].code}):  # which clients keep and say again
        async with ada.socket(table, **code) as socket:
            assert (await socket.hear())["own"] == {"seat": 0}
        assert (await ada.http.get(f"/api/tables/{table}/view", params=code, headers=ada.headers)).status_code == 200
    bob = await house.person("Bob")
    house.store.players_of[table, 1] = (ada.player, bob.player)
    assert (await bob.get(f"/api/tables/{table}/rounds")).status_code == 200


async def test_an_outdated_token_is_refused_over_http_and_socket(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    ada.token = house.gateway.tokens.issue(ada.player, int(time.time()) - SECONDS_MAX - 60)
    answer = await ada.get("/api/tables")
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_token")
    async with ada.socket(table) as socket:
        assert await socket.closed() == 4401


async def test_a_token_signed_with_nothing_is_refused(house: House) -> None:
    ada = await house.person()
    claims = {"sub": ada.player, "iat": int(time.time())}
    ada.token = jwt.encode(claims, "", algorithm="none", headers={"kid": next(iter(KEYS))})
    assert (await ada.get("/api/tables")).json()["code"] == "bad_token"


@pytest.mark.parametrize("path", ["/api/games", "/api/qr/ABCDE.svg", "/api/tables"])
async def test_requests_without_a_token_are_limited_by_their_address(open_house: Opener, path: str) -> None:
    house = await open_house(requests_per_second=3)
    answers = [await house.http.get(path) for _ in range(20)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert {answer.json()["code"] for answer in refused} == {"too_many_requests"}
    assert answers[0].status_code == 200
