"""The socket: hello, views, commands and their verdicts, beats, resync."""

import asyncio
import json
from uuid import uuid4

import pytest
from websockets.exceptions import InvalidStatus

from services.gateway import beats
from shared.bus import subjects
from tests.gateway.conftest import House, Opener
from tests.gateway.owner import accept, refuse, silent
from tests.gateway.person import open_socket
from tests.rules import case, rule

POKE = {"type": "Poke", "place": 1}


async def test_hello_is_answered_with_a_whole_view(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        view = await socket.hear()
    assert (view["type"], view["public"]["phase"], view["own"]) == ("view", "seating", {"seat": 0})


async def test_who_only_watches_sees_the_public_part_and_nothing_else(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with open_socket(house.url, table, {}) as socket:
        view = await socket.hear()
        assert "own" not in view
        await socket.command(POKE)
        assert (await socket.until("error"))["code"] == "no_token"
    assert [sent.player for sent in house.owner.commands] == [ada.player]


async def test_a_verdict_comes_after_the_view_it_made(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        first = await socket.hear()
        id = await socket.command(POKE, round=0, sent=5)
        view, verdict = await socket.hear(), await socket.hear()
    assert (view["type"], view["n"], view["public"]["counter"]) == ("view", first["n"] + 1, 1)
    assert verdict == {"type": "verdict", "id": id, "accepted": True, "receipt": "ab" * 32}
    sent = house.owner.commands[-1]
    assert (sent.player, sent.table, sent.meant, sent.sent, sent.http) == (ada.player, table, 0, 5, False)
    assert (sent.name, sent.command) == ("Ada", b'{"type":"Poke","place":1,"note":""}')


async def test_a_refusal_says_its_code_and_shows_nothing_new(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    house.owner.judge = refuse("card_gone")
    async with ada.socket(table) as socket:
        await socket.hear()
        id = await socket.command(POKE)
        verdict = await socket.hear()
    assert (verdict["id"], verdict["accepted"], verdict["refused"]) == (id, False, "card_gone")


@case("C-03")
async def test_five_clicks_under_lag_on_two_sockets_are_one_command_and_five_equal_verdicts(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    id = str(uuid4())
    house.owner.judge = silent
    async with ada.socket(table) as phone, ada.socket(table) as laptop:
        await phone.hear()
        await laptop.hear()
        for socket in (phone, laptop, phone, laptop, phone):
            await socket.command(POKE, id)
        house.owner.judge = accept
        verdicts = [await socket.until("verdict") for socket in (phone, phone, phone, laptop, laptop)]
    assert all(verdict == verdicts[0] for verdict in verdicts)
    assert {sent.id for sent in house.owner.commands[1:]} == {id}


@pytest.mark.slow
async def test_no_verdict_in_five_seconds_is_unknown_and_the_same_id_may_be_sent_again(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    house.owner.judge = silent
    async with ada.socket(table) as socket:
        await socket.hear()
        id = await socket.command(POKE)
        async with asyncio.timeout(60):
            frame = json.loads(await socket.connection.recv())
            while frame["type"] == "beat":
                frame = json.loads(await socket.connection.recv())
        assert frame == {"type": "unknown", "id": id}
        house.owner.judge = accept
        await socket.command(POKE, id)
        assert (await socket.until("verdict"))["accepted"]
    assert {sent.id for sent in house.owner.commands[1:]} == {id}


@rule("T-ID-1")
async def test_another_command_under_an_id_that_is_on_its_way_is_id_reused(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    house.owner.judge = silent
    async with ada.socket(table) as socket:
        await socket.hear()
        id = await socket.command(POKE)
        await socket.command({"type": "Poke", "place": 2}, id)
        verdict = await socket.hear()
    assert (verdict["accepted"], verdict["refused"]) == (False, "id_reused")


async def test_a_ping_is_answered_with_a_beat_that_names_the_newest_view(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        view = await socket.hear()
        await socket.say({"type": "ping", "t": 12})
        beat = await socket.hear()
    assert (beat["type"], beat["epoch"], beat["n"], beat["t"]) == ("beat", view["epoch"], view["n"], 12)
    assert beat["now"] >= view["now"]


async def test_resync_is_answered_with_the_newest_whole_view(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        await socket.hear()
        await socket.command(POKE)
        await socket.until("verdict")
        await socket.say({"type": "resync"})
        view = await socket.hear()
    assert (view["type"], view["public"]["counter"], view["own"], "news" in view) == ("view", 1, {"seat": 0}, False)


@case("C-07")
async def test_a_frame_lost_on_the_way_is_noticed_with_the_next_and_the_whole_view_follows(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    shown = house.owner.tables[table]
    async with ada.socket(table) as socket:
        first = await socket.hear()
        house.network.fate = lambda publisher, *_: () if publisher == "owner" else (0.0,)
        house.owner.change(shown)
        house.network.fate = lambda *_: (0.0,)
        house.owner.change(shown)
        view = await socket.until("view")
    assert (view["n"], view["public"]["counter"], view["own"]) == (first["n"] + 2, 2, {"seat": 0})


@case("C-07")
async def test_a_last_frame_that_was_lost_is_found_when_the_audience_has_been_quiet(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    shown = house.owner.tables[table]
    async with ada.socket(table) as socket:
        await socket.hear()
        house.network.fate = lambda publisher, *_: () if publisher == "owner" else (0.0,)
        house.owner.change(shown)
        house.network.fate = lambda *_: (0.0,)
        house.gateway.link.shown[table].audiences[ada.player].heard -= beats.BEAT_SECONDS
        house.owner.wants.clear()
        for step in range(beats.STEPS):
            beats.turn(house.gateway, step)
        view = await socket.until("view")
    assert view["public"]["counter"] == 1
    assert {want.request for want in house.owner.wants} == {0}, "nobody asked by HTTP (T-PRES-1)"


async def test_a_new_owner_is_asked_at_once_and_what_is_older_is_shown_no_more(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        await socket.hear()
        house.owner.epoch = 2
        house.owner.tables[table].n.clear()
        house.owner.announce(house.gateway.instance)
        view = await socket.until("view")
        assert (view["epoch"], view["n"]) == (2, 1)
        house.owner.epoch = 1
        house.owner.change(house.owner.tables[table])
        house.owner.epoch = 2
        house.owner.change(house.owner.tables[table])
        assert (await socket.until("view"))["epoch"] == 2


@case("C-16")
async def test_a_frame_that_comes_twice_and_late_takes_nothing_back(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    subject, copies = subjects.to(house.gateway.instance, "frames"), list[bytes]()
    async with ada.socket(table) as socket:
        await socket.hear()
        ear = house.network.join("ear")
        await ear.subscribe(subject, lambda _subject, payload, _reply: copies.append(payload))
        for _ in range(2):
            house.owner.change(house.owner.tables[table])
            newest = await socket.until("view")
        ear.publish(subject, copies[0])
        await socket.say({"type": "resync"})
        again = await socket.until("view")
    assert (again["n"], again["public"]["counter"]) == (newest["n"], 2)


async def test_headlines_are_passed_on_as_they_come(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        await socket.hear()
        house.owner.change(house.owner.tables[table], news=b'[{"type":"poked"}]')
        assert (await socket.hear())["news"] == [{"type": "poked"}]


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("{", "not_json"),
        ("[]", "bad_frame"),
        ('{"type":"dance"}', "bad_frame"),
        ('{"type":"hello"}', "bad_frame"),
        ('{"type":"ping","seat":1}', "bad_frame"),
        ('{"type":"command","id":"1","command":{"type":"Poke","place":1}}', "bad_id"),
        ('{"type":"ping","filler":"' + "x" * 4096 + '"}', "too_long"),
        (b"\x00\xff", "not_text"),
    ],
)
async def test_what_no_client_of_ours_could_send_is_an_error(house: House, frame: str | bytes, code: str) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        await socket.hear()
        await socket.say(frame)
        assert (await socket.hear())["code"] == code
        await socket.command(POKE)
        assert (await socket.until("verdict"))["accepted"]


@pytest.mark.parametrize(
    "command",
    [
        {"type": "Dance"},
        {"type": "Poke"},
        {"type": "Poke", "place": "1"},
        {"type": "Poke", "place": 1, "seat": 2},
        {"type": "Poke", "place": 1, "by": 2},
        {"type": "Poke", "place": 1, "at": 2},
        {"type": "CreateTable"},
        "Poke",
        None,
    ],
)
async def test_a_command_without_the_shape_of_one_never_reaches_a_table(house: House, command: object) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        await socket.hear()
        id = str(uuid4())
        await socket.say({"type": "command", "id": id, "command": command})
        error = await socket.hear()
    assert (error["type"], error["code"], error["id"]) == ("error", "bad_command", id)
    assert len(house.owner.commands) == 1


async def test_commands_sent_with_the_hello_in_one_breath_are_not_lost(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with open_socket(house.url, table, None) as socket:
        await socket.say({"type": "hello", "token": ada.token})
        id = await socket.command(POKE)
        assert (await socket.until("verdict"))["id"] == id


@pytest.mark.parametrize(
    ("hello", "code", "reason"),
    [
        ({"token": "nonsense"}, 4401, "bad_token"),
        ({"tokens": "nonsense"}, 4400, "bad_hello"),
    ],
)
async def test_a_bad_hello_closes_the_socket_with_its_reason(
    house: House, hello: dict[str, str], code: int, reason: str
) -> None:
    ada = await house.person()
    table = await ada.table()
    async with open_socket(house.url, table, hello) as socket:
        assert await socket.hear() == {"type": "closing", "reason": reason}
        assert await socket.closed() == code
        assert socket.connection.close_reason == reason


async def test_hello_must_come_in_time(open_house: Opener) -> None:
    house = await open_house(hello_seconds_max=0.05)
    ada = await house.person()
    async with open_socket(house.url, await ada.table(), None) as socket:
        assert await socket.closed() == 4408


async def test_there_is_no_socket_at_a_table_that_is_not_there(house: House) -> None:
    async with open_socket(house.url, str(uuid4()), {}) as socket:
        assert await socket.closed() == 4404


async def test_a_private_table_is_shown_to_those_with_its_code_or_a_seat(house: House) -> None:
    ada, bob = await house.person(), await house.person("Bob")
    made = (await ada.make(private=True)).json()
    table, code = made["table_id"], made["code"]
    async with ada.socket(table) as socket:
        assert "own" in await socket.hear()
    async with bob.socket(table) as socket:
        assert await socket.closed() == 4403
    async with bob.socket(table, code=code) as socket:
        assert "own" not in await socket.hear()
    house.owner.tables[table].seats[1] = bob.player
    async with bob.socket(table) as socket:
        assert (await socket.hear())["own"] == {"seat": 1}


@pytest.mark.parametrize(
    ("path", "options", "status"),
    [
        ("no-table", {}, 404),
        (str(uuid4()), {"subprotocols": ["chat"]}, 400),
        (str(uuid4()), {"origin": "https://elsewhere.example"}, 403),
    ],
    ids=["path", "sub-protocol", "origin"],
)
async def test_a_handshake_that_is_not_ours_is_refused_with_a_problem(
    house: House, path: str, options: dict[str, object], status: int
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with open_socket(house.url, path, None, **options):
            pass
    response = refused.value.response
    assert response.status_code == status
    assert response.headers["Content-Type"] == "application/problem+json"


async def test_pages_of_this_site_and_of_configured_ones_may_open_a_socket(open_house: Opener) -> None:
    house = await open_house(origins="https://friend.example")
    ada = await house.person()
    table = await ada.table()
    for origin in (house.url.replace("ws:", "http:"), "https://friend.example"):
        async with open_socket(house.url, table, {}, origin=origin) as socket:
            assert (await socket.hear())["type"] == "view"


@case("C-08")
async def test_of_two_tabs_closing_one_leaves_the_player_held(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as stays:
        await stays.hear()
        async with ada.socket(table) as goes:
            await goes.hear()
        house.owner.holds.clear()
        while not house.owner.holds:
            await asyncio.sleep(0.01)
        assert [held.players for held in house.owner.holds[0].tables] == [(ada.player,)]
    house.owner.holds.clear()
    while not house.owner.holds:
        await asyncio.sleep(0.01)
    assert house.owner.holds[0].tables == ()
