"""How sockets end: readers too slow, peers that are gone, SIGTERM; and what is left in memory then."""

import asyncio
import contextlib
import gc
import json
import socket as sockets

import pytest

from services.gateway import prompt, server
from services.gateway.direct import Direct
from services.gateway.server import drain
from shared.bus import subjects
from shared.eventlog.port import Unreachable
from shared.wire.messages import decoder, encode
from shared.wire.questions import Page, Question
from tests.gateway.conftest import House, Opener
from tests.gateway.owner import accept, silent
from tests.gateway.person import Person
from tests.rules import case
from tests.waiting import until

POKE = {"type": "Poke", "place": 1}


class Deaf:
    """A peer that says hello and then reads nothing; its window is as small as the system lets it be."""

    @classmethod
    async def there(cls, house: House, table: str, ada: Person) -> "Deaf":
        """A peer that the gateway already holds."""
        return await asyncio.to_thread(cls, house, table, ada)

    def __init__(self, house: House, table: str, ada: Person) -> None:
        self.connection = sockets.socket()
        self.connection.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        host, _, port = house.url.removeprefix("ws://").rpartition(":")
        self.connection.connect((host, int(port)))
        self.connection.sendall(
            f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: quartet.v1\r\n\r\n".encode()
        )
        assert b" 101 " in self.connection.recv(1000)
        self.say({"type": "hello", "token": ada.token})

    def say(self, frame: object) -> None:
        payload = json.dumps(frame).encode()
        self.connection.sendall(b"\x81\xfe" + len(payload).to_bytes(2) + b"\0\0\0\0" + payload)


def only_line(house: House) -> Direct:
    (line,) = house.gateway.lines
    return line.direct


@case("C-10")
@pytest.mark.slow
async def test_who_does_not_read_costs_bounded_memory_and_is_closed_as_too_slow(open_house: Opener) -> None:
    house = await open_house(slow_seconds_max=0.3)
    ada = await house.person()
    bob = await house.person("Bob")
    table = await ada.table()
    shown = house.owner.tables[table]
    shown.filler = "x" * 20_000
    deaf = await Deaf.there(house, table, ada)
    await until(lambda: bool(house.gateway.lines))
    direct = only_line(house)
    async with bob.socket(table) as socket:
        await socket.hear()
        for _ in range(500):
            house.owner.change(shown)
            await socket.until("view")
        assert direct.transport.get_write_buffer_size() < 200_000
        await until(lambda: len(house.gateway.lines) == 1)
    await until(lambda: not house.gateway.lines)
    assert direct.conn.close_sent is not None
    assert (direct.conn.close_sent.code, direct.conn.close_sent.reason) == (4008, "too_slow")
    await until(lambda: direct.disconnected)
    deaf.connection.close()


@case("C-10")
async def test_pongs_do_not_pile_up_for_who_does_not_read(house: House) -> None:
    ada = await house.person()
    deaf = await Deaf.there(house, await ada.table(), ada)
    await until(lambda: bool(house.gateway.lines))
    direct = only_line(house)
    ping = b"\x89\xfd\0\0\0\0" + b"p" * 125
    await asyncio.to_thread(deaf.connection.sendall, ping * 40_000)
    deaf.say({"type": "the last of them"})
    await until(lambda: house.gateway.errors["bad_frame"] == 1)
    assert direct.transport.get_write_buffer_size() < 1_000_000  # those of one read, not of all
    deaf.connection.close()


@case("C-10")
async def test_a_message_in_endless_empty_pieces_closes_the_socket(house: House) -> None:
    ada = await house.person()
    deaf = await Deaf.there(house, await ada.table(), ada)
    await until(lambda: bool(house.gateway.lines))
    direct = only_line(house)
    deaf.connection.sendall(b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 1000)
    await until(lambda: not house.gateway.lines)
    assert direct.conn.close_sent is not None
    assert direct.conn.close_sent.code == 1009
    assert len(direct.frames) < 100
    deaf.connection.close()


@case("C-10")
async def test_who_catches_up_gets_the_newest_view_and_every_verdict(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    shown = house.owner.tables[table]
    async with ada.socket(table) as socket:
        await socket.hear()
        (line,) = house.gateway.lines
        line.stalled()
        first, second = await socket.command(POKE), await socket.command(POKE)
        await until(lambda: shown.counter == 2 and not len(house.gateway.link.courier))
        line.flowing()
        view, *verdicts = [await socket.hear() for _ in range(3)]
    assert (view["type"], view["public"]["counter"], view["own"]) == ("view", 2, {"seat": 0})
    assert [verdict["id"] for verdict in verdicts] == [first, second]


@case("C-10")
async def test_verdicts_that_nobody_reads_are_bounded(open_house: Opener) -> None:
    house = await open_house(unsent_bytes_max=16_384)
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        await socket.hear()
        (line,) = house.gateway.lines
        line.stalled()
        for _ in range(200):
            line.verdict("id", b"v" * 100)
        assert await socket.closed() == 4008


@case("C-09")
async def test_a_peer_that_is_gone_is_noticed_within_fifteen_seconds(house: House) -> None:
    assert server.PING_SECONDS * 2 < 15
    ada = await house.person()
    table = await ada.table()
    deaf = await Deaf.there(house, table, ada)
    await until(lambda: bool(house.gateway.lines))
    direct = only_line(house)
    assert direct.ping_interval == direct.ping_timeout == server.PING_SECONDS
    direct.send_keepalive_ping()
    direct.keepalive_timeout()
    await until(lambda: not house.gateway.lines and table not in house.gateway.link.shown)
    await until(lambda: direct.disconnected)
    deaf.connection.close()


@case("C-09")
async def test_who_answers_no_ping_is_gone_and_everything_of_theirs_is_free(
    open_house: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "PING_SECONDS", 0.2)
    house = await open_house()
    ada = await house.person()
    table = await ada.table()
    deaf = await Deaf.there(house, table, ada)
    await until(lambda: bool(house.gateway.lines))
    direct = only_line(house)
    await until(lambda: not house.gateway.lines and table not in house.gateway.link.shown)
    await until(lambda: direct.disconnected)
    assert (len(house.gateway.lines_of), direct.transport.is_closing()) == (0, True)
    deaf.connection.close()


@case("C-18")
async def test_sigterm_closes_every_socket_with_a_reason_and_a_time_to_come_back(open_house: Opener) -> None:
    house = await open_house(drain_seconds=0.5, sockets_player_max=100)
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as first, ada.socket(table) as second, ada.socket(table) as third:
        everyone = (first, second, third)
        for each in everyone:
            await each.hear()
        await drain(house.gateway)
        closings = [await each.until("closing") for each in everyone]
        assert [await each.closed() for each in everyone] == [1012, 1012, 1012]
    assert all(closing["reason"] == "restart" and 0 < closing["retry_ms"] <= 300 for closing in closings)
    answer = await house.http.get("/readyz")
    assert answer.status_code == 503


@case("C-06")
async def test_a_gateway_that_knows_nothing_shows_the_same_table_to_the_same_token(open_house: Opener) -> None:
    house = await open_house()
    ada = await house.person()
    table = await ada.table()
    other = await open_house(beside=house)
    async with ada.socket(table, url=other.url) as socket:
        assert (await socket.hear())["own"] == {"seat": 0}
        await socket.command(POKE)
        assert (await socket.until("verdict"))["accepted"]


@case("C-16")
async def test_while_the_database_is_away_people_are_told_to_come_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await house.person()
    table = await ada.table()

    async def away(player: str) -> str | None:
        raise Unreachable("gone")

    monkeypatch.setattr(house.store, "player_name", away)
    house.gateway._names.clear()
    async with ada.socket(table) as socket:
        assert await socket.hear() == {"type": "closing", "reason": "overloaded", "retry_ms": 1000}
        assert await socket.closed() == 1013
    answer = await ada.get("/api/tables")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


@case("C-19")
async def test_when_all_are_gone_nothing_of_them_is_left(house: House) -> None:
    ada = await house.person()
    for _ in range(5):
        table = await ada.table()
        async with ada.socket(table) as socket:
            await socket.hear()
            await socket.command(POKE)
            await socket.until("verdict")
    await until(lambda: not house.gateway.lines)
    gateway = house.gateway
    assert (gateway.link.shown, gateway.lines_of, len(gateway.link.courier)) == ({}, {}, 0)


@case("C-16")
async def test_after_the_bus_was_away_everyone_is_shown_where_the_table_stands(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        await socket.hear()
        bus = house.gateway.link.bus
        bus.cut()  # type: ignore[attr-defined]
        house.owner.change(house.owner.tables[table])
        await until(lambda: house.gateway.link.missed)
        bus.heal()  # type: ignore[attr-defined]
        view = await socket.until("view")
    assert view["public"]["counter"] == 1


@case("C-15")
async def test_the_verdict_of_an_old_owner_is_still_told_but_its_view_is_not_shown(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        await socket.hear()
        house.gateway.link.shown[table].epoch = 2
        await socket.command(POKE)
        assert (await socket.hear())["type"] == "verdict"


@case("C-24")
async def test_beats_come_by_themselves_long_before_a_proxy_takes_the_socket_for_dead(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket, asyncio.timeout(20):  # proxies often wait 60 s
        view = await socket.hear()
        beat = json.loads(await socket.connection.recv())
    assert (beat["type"], beat["n"]) == ("beat", view["n"])


@case("C-06")
async def test_while_no_owner_answers_nobody_is_told_that_their_own_table_is_private(house: House) -> None:
    ada, bob = await house.person(), await house.person("Bob")
    table = await ada.table(private=True)
    house.owner.tables[table].seats[1] = bob.player
    house.network.fate = lambda publisher, *_: () if publisher == "owner" else (0.0,)
    async with bob.socket(table) as socket:
        assert await socket.closed() == 1013
        assert socket.seen == [{"type": "closing", "reason": "overloaded", "retry_ms": 1000}]
    answer = await bob.get(f"/api/tables/{table}/view")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


@case("C-09")
@pytest.mark.parametrize(
    "said",
    [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST /api/players HTTP/1.1\r\nHost: x\r\nContent-Length: 90\r\n\r\n{",
     b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /"],
    ids=["nothing", "half a head", "half a body", "half a second request"],
)  # fmt: skip
async def test_who_does_not_finish_their_request_is_hung_up_on(
    house: House, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(prompt, "REQUEST_SECONDS_MAX", 0.2)
    host, _, port = house.url.removeprefix("ws://").rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(said)
    async with asyncio.timeout(20):
        with contextlib.suppress(ConnectionError):
            await reader.read()
    await until(lambda: not house.server.server_state.tasks)
    writer.close()


@case("C-10")
async def test_who_does_not_take_what_they_asked_for_is_hung_up_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prompt, "STALLED_SECONDS_MAX", 0.2)
    table = await (await house.person()).table()
    scoring = house.network.join("scoring")

    def answer(_subject: str, payload: bytes, reply: str | None) -> None:
        start = decoder(Question).decode(payload).start
        scoring.publish(reply or "", encode(Page("ok", b"x" * 200_000, start + 1)))  # and never the last

    await scoring.subscribe(subjects.ASK_SCORING, answer)
    host, _, port = house.url.removeprefix("ws://").rpartition(":")
    with sockets.socket() as deaf:
        deaf.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        deaf.setblocking(False)
        await asyncio.get_running_loop().sock_connect(deaf, (host, int(port)))
        deaf.send(f"GET /api/tables/{table}/rounds/1/bundle HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        await until(lambda: bool(house.server.server_state.tasks))
        await until(lambda: not house.server.server_state.tasks, 30)


async def test_who_leaves_in_the_middle_of_a_body_broke_nothing(house: House, caplog: pytest.LogCaptureFixture) -> None:
    ada = await house.person()
    host, _, port = house.url.removeprefix("ws://").rpartition(":")
    _, writer = await asyncio.open_connection(host, int(port))
    head = f"POST /api/pictures HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {ada.token}\r\nContent-Length: 90\r\n\r\nP"
    writer.write(head.encode())
    await until(lambda: bool(house.server.server_state.tasks))
    writer.transport.abort()
    await until(lambda: not house.server.server_state.tasks)
    assert [record.exc_info for record in caplog.records if record.exc_info] == []


async def test_a_socket_keeps_nothing_of_the_request_that_it_was(house: House) -> None:
    ada = await house.person()
    table = await ada.table()
    async with ada.socket(table) as socket:
        await socket.until("view")
        transport = only_line(house).transport
        gc.collect()
        held = [each for each in gc.get_objects() if isinstance(each, prompt.Prompt) and each.transport is transport]
    assert held == []


async def test_a_long_answer_is_waited_for(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt, "REQUEST_SECONDS_MAX", 0.05)
    house.owner.judge = silent
    ada = await house.person()
    made = asyncio.create_task(ada.make())
    await until(lambda: len(house.owner.commands) > 1)  # it is sent again after 0.3 s
    house.owner.judge = accept
    assert (await made).status_code == 201
