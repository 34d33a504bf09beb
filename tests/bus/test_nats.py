"""What only a real NATS can show: restarts, permissions, passwords, and the general client on the other side."""

import asyncio
import gc
import warnings
from collections.abc import AsyncIterator, Callable

import nats
import pytest

from shared.bus import subjects
from shared.bus.nats import BusRefused, NatsBus
from tests.bus.inbox import Inbox, until
from tests.rules import case
from tests.servers import NatsServer

UrlOf = Callable[[str], str]


@pytest.fixture
async def bus(nats_url: str) -> AsyncIterator[NatsBus]:
    connected = await NatsBus.connect(nats_url, "one")
    yield connected
    await connected.close()


async def test_a_cancellation_that_comes_together_with_the_servers_answer_is_heard(bus: NatsBus) -> None:
    subscribing = asyncio.create_task(bus.subscribe("x", Inbox()))
    answered = bus._client._process_pong

    async def pong() -> None:
        await answered()
        subscribing.cancel()

    bus._client._process_pong = pong  # type: ignore[method-assign]
    await asyncio.wait((subscribing,))
    assert subscribing.cancelled()


@case("C-16")
async def test_after_a_kill_of_the_server_every_subscription_hears_again(own_nats: NatsServer) -> None:
    sender = await NatsBus.connect(own_nats.url("test"), "sender")
    receiver = await NatsBus.connect(own_nats.url("test"), "receiver")
    inbox, answers = Inbox(), Inbox()
    await receiver.subscribe("again", inbox)
    assert await _echo(receiver, sender) == b"1"
    own_nats.kill()
    await until(lambda: not sender.connected and not receiver.connected)
    sender.publish("again", b"dropped, not kept")
    late = await receiver.subscribe("late", answers)
    own_nats.start()
    await until(lambda: sender.connected and receiver.connected)
    while not (inbox.messages and answers.messages):  # the server may hear of the subscriptions after the first
        sender.publish("again", b"heard")
        sender.publish("late", b"heard too")
        await asyncio.sleep(0.05)
    assert set(inbox.payloads) == {b"heard"}
    assert await sender.request("echo", b"2", 20) == b"2"
    await late.stop()
    await sender.close()
    await receiver.close()


async def test_a_bus_that_starts_before_its_server_connects_when_it_comes(own_nats: NatsServer) -> None:
    own_nats.kill()
    early = await NatsBus.connect(own_nats.url("test"), "early", wait=0.05)
    assert not early.connected
    inbox = Inbox()
    await early.subscribe("x", inbox)
    own_nats.start()
    await until(lambda: early.connected)
    early.publish("x", b"")
    await inbox.holds(1)
    await early.close()


async def test_of_several_servers_the_one_that_lives_is_found(own_nats: NatsServer, nats_url: str) -> None:
    own_nats.kill()
    bus = await NatsBus.connect(f"{own_nats.url('test')},{nats_url}", "either")
    assert bus.connected
    await bus.close()


async def test_a_wrong_password_is_an_error_and_not_a_wait(nats_url: str) -> None:
    with pytest.raises(BusRefused, match="Authorization Violation"):
        await NatsBus.connect(nats_url.replace("test:", "test:x"), "stranger", wait=60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # nats-py leaves a refused connection to the collector
        gc.collect()


@pytest.mark.parametrize("url", ["", ",", "nats://", "nats://there:port", "nats://u:hidden@[::1", "127.0.0.1:4222"])
async def test_what_can_be_no_address_is_an_error_and_not_a_wait(url: str) -> None:
    with pytest.raises(BusRefused, match="nats://user:password@host:port") as refused:
        await NatsBus.connect(url, "lost", wait=60)
    assert "hidden" not in str(refused.value)


async def test_a_comma_too_many_between_servers_is_passed_over(nats_url: str) -> None:
    bus = await NatsBus.connect(f"{nats_url}, ", "either")
    assert bus.connected
    await bus.close()


async def test_a_callback_that_raises_does_not_stop_the_others(bus: NatsBus) -> None:
    inbox = Inbox()

    def broken(_subject: str, _payload: bytes, _reply: str | None) -> None:
        raise RuntimeError("a bug")

    await bus.subscribe("both", broken)
    await bus.subscribe("both", inbox)
    bus.publish("both", b"1")
    bus.publish("both", b"2")
    await inbox.holds(2)
    assert bus.connected


async def test_a_message_longer_than_the_server_takes_is_a_bug_of_the_caller(bus: NatsBus) -> None:
    with pytest.raises(ValueError, match="NATS takes"):
        bus.publish("x", bytes(1024 * 1024 + 1))
    assert bus.connected


async def test_the_general_client_understands_us_and_we_it(bus: NatsBus, nats_url: str) -> None:
    peer = await nats.connect(nats_url)
    heard = await peer.subscribe("to.peer")
    inbox = Inbox()
    await bus.subscribe("from.peer", inbox)
    bus.publish("to.peer", b"hello", "from.peer")
    message = await heard.next_msg(timeout=20)
    await peer.publish(message.reply, b"plain")
    await peer.publish(message.reply, b"with a header", headers={"some": "header"})
    await inbox.holds(2)
    assert (message.data, inbox.payloads) == (b"hello", [b"plain", b"with a header"])
    await peer.close()


@pytest.mark.parametrize(
    ("role", "subject", "allowed"),
    [
        ("gateway", subjects.command(1, 2, "player"), True),
        ("gateway", subjects.command(1, 2, "scoring"), False),
        ("gateway", subjects.command(1, 2, "ops"), False),
        ("gateway", subjects.command(1, 2, "bot"), False),
        ("gateway", subjects.to("other", "frames"), False),
        ("bots", subjects.command(1, 2, "bot"), True),
        ("bots", subjects.command(1, 2, "player"), False),
        ("scoring", subjects.command(1, 2, "scoring"), True),
        ("scoring", subjects.command(1, 2, "player"), False),
        ("ops", subjects.command(1, 2, "ops"), True),
        ("ops", subjects.command(1, 2, "scoring"), False),
        ("table", subjects.to("gateway-1", "frames"), True),
        ("table", subjects.command(1, 2, "player"), False),
    ],
)
async def test_each_service_speaks_for_itself_only(nats_url_of: UrlOf, role: str, subject: str, allowed: bool) -> None:
    listener, speaker, inbox = (
        await NatsBus.connect(nats_url_of("test"), "all"),
        await NatsBus.connect(nats_url_of(role), role),
        Inbox(),
    )
    await listener.subscribe(subject, inbox)
    speaker.publish(subject, b"")
    await speaker.subscribe(subjects.to("x", ">") if role != "table" else subjects.want(1), Inbox())  # a round trip
    listener.publish(subject, b"last")
    await until(lambda: b"last" in inbox.payloads)
    assert inbox.payloads == ([b"", b"last"] if allowed else [b"last"])
    await asyncio.gather(listener.close(), speaker.close())


@pytest.mark.parametrize("role", ["gateway", "bots", "scoring", "ops"])
@pytest.mark.parametrize("whose", ["gateway", "bots", "scoring", "ops"])
@case("C-11")
async def test_no_service_hears_what_is_for_another_kind_of_service(
    nats_url_of: UrlOf, role: str, whose: subjects.Role
) -> None:
    """The frames of a gateway hold its players' hands, those of bots the hands of bots."""
    table = await NatsBus.connect(nats_url_of("table"), "table")
    listener = await NatsBus.connect(nats_url_of(role), role)
    heard, mine = Inbox(), Inbox()
    for pattern in (subjects.to(subjects.instance(whose, "1"), ">"), f"gw.{whose}.>", "gw.>", "gw.*.*.frames"):
        await listener.subscribe(pattern, heard)
    await listener.subscribe(subjects.to(subjects.instance(role, "2"), ">"), mine)  # type: ignore[arg-type]
    table.publish(subjects.to(subjects.instance(whose, "1"), "frames"), b"a hand")
    table.publish(subjects.to(subjects.instance(role, "2"), "frames"), b"last")  # type: ignore[arg-type]
    await mine.holds(1)
    assert heard.payloads.count(b"a hand") == (1 if role == whose else 0)
    await asyncio.gather(table.close(), listener.close())


async def _echo(answerer: NatsBus, asker: NatsBus) -> bytes:
    def echo(_subject: str, payload: bytes, reply: str | None) -> None:
        answerer.publish(reply or "", payload)

    await answerer.subscribe("echo", echo)
    return await asker.request("echo", b"1", 20)


@pytest.mark.slow
async def test_a_server_that_answers_no_more_is_given_up_and_tried_again() -> None:
    greetings = 0

    async def greet_and_fall_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal greetings
        greetings += 1
        writer.write(b'INFO {"max_payload":1000}\r\n')
        await reader.readuntil(b"PING\r\n")
        writer.write(b"PONG\r\n")
        await reader.read()
        writer.close()

    server = await asyncio.start_server(greet_and_fall_silent, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    bus = await NatsBus.connect(f"nats://127.0.0.1:{port}", "patient")
    assert bus.connected
    await until(lambda: greetings >= 2)
    await bus.close()
    server.close()
    await server.wait_closed()


async def test_a_flush_that_was_given_up_does_not_end_the_reading_when_its_answer_comes(bus: NatsBus) -> None:
    inbox = Inbox()
    await bus.subscribe("x", inbox)
    given_up = asyncio.get_running_loop().create_future()
    await bus._client._send_ping(given_up)
    given_up.cancel()
    await bus.subscribe("another", Inbox())  # a round trip
    bus.publish("x", b"still read")
    await inbox.holds(1)
    assert bus.connected
