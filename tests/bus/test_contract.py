"""What every bus promises, memory and NATS alike."""

import asyncio

import pytest

from shared.bus.port import Bus, NoResponders
from tests.bus.conftest import Join
from tests.bus.inbox import Inbox, until


async def test_a_message_comes_with_its_subject_payload_and_reply(join: Join) -> None:
    sender, receiver, inbox = await join(), await join(), Inbox()
    await receiver.subscribe("a.b", inbox)
    sender.publish("a.b", b"\x00\r\n\xff", "back.1")
    sender.publish("a.b", b"")
    await inbox.holds(2)
    assert inbox.messages == [("a.b", b"\x00\r\n\xff", "back.1"), ("a.b", b"", None)]


@pytest.mark.parametrize(
    ("pattern", "heard"),
    [
        ("x.*", ["x.one", "x.two"]),
        ("x.>", ["x.one", "x.two", "x.two.three"]),
        ("*.two.*", ["x.two.three"]),
        ("x.two", ["x.two"]),
        (">", ["x.one", "x.two", "x.two.three", "x"]),
    ],
)
async def test_wildcards_stand_for_tokens(join: Join, pattern: str, heard: list[str]) -> None:
    sender, receiver, inbox, last = await join(), await join(), Inbox(), Inbox()
    prefixed = f"wild.{pattern}"
    await receiver.subscribe(prefixed, inbox)
    await receiver.subscribe("last", last)
    for subject in ("x.one", "x.two", "x.two.three", "x"):
        sender.publish(f"wild.{subject}", b"")
    sender.publish("last", b"")
    await last.holds(1)
    assert [subject.removeprefix("wild.") for subject, _, _ in inbox.messages] == heard


async def test_between_one_publisher_and_one_subscription_order_holds(join: Join) -> None:
    sender, receiver, inbox = await join(), await join(), Inbox()
    await receiver.subscribe("order.>", inbox)
    sent = [str(number).encode() * (number % 50 + 1) for number in range(5_000)]
    for number, payload in enumerate(sent):
        sender.publish(f"order.{number % 7}", payload)
        if number % 100 == 0:
            await asyncio.sleep(0)
    await inbox.holds(len(sent))
    assert inbox.payloads == sent


async def test_a_large_message_arrives_whole(join: Join) -> None:
    sender, receiver, inbox = await join(), await join(), Inbox()
    await receiver.subscribe("large", inbox)
    payload = bytes(range(256)) * 3_000
    sender.publish("large", payload)
    sender.publish("large", b"after")
    await inbox.holds(2)
    assert inbox.payloads == [payload, b"after"]


async def test_of_a_queue_group_one_gets_each_message_and_outside_it_all_do(join: Join) -> None:
    sender, first, second = await join(), await join(), await join()
    shared, other, alone = Inbox(), Inbox(), Inbox()
    await first.subscribe("work", shared, queue="workers")
    await second.subscribe("work", other, queue="workers")
    await second.subscribe("work", alone)
    for number in range(200):
        sender.publish("work", str(number).encode())
    await alone.holds(200)
    await until(lambda: len(shared.messages) + len(other.messages) >= 200)
    assert sorted(shared.payloads + other.payloads) == sorted(alone.payloads)
    assert shared.messages
    assert other.messages


async def test_after_stop_nothing_is_called(join: Join) -> None:
    sender, receiver, inbox, last = await join(), await join(), Inbox(), Inbox()
    sub = await receiver.subscribe("halt", inbox)
    await receiver.subscribe("last", last)
    sender.publish("halt", b"heard")
    await inbox.holds(1)
    await sub.stop()
    await sub.stop()
    sender.publish("halt", b"unheard")
    sender.publish("last", b"")
    await last.holds(1)
    assert inbox.payloads == [b"heard"]


async def test_a_callback_may_stop_its_own_subscription(join: Join) -> None:
    sender, receiver, last = await join(), await join(), Inbox()
    heard: list[bytes] = []
    stopping: list[asyncio.Task[None]] = []

    def once(_subject: str, payload: bytes, _reply: str | None) -> None:
        heard.append(payload)
        stopping.append(asyncio.ensure_future(sub.stop()))

    sub = await receiver.subscribe("once", once)
    await receiver.subscribe("last", last)
    sender.publish("once", b"1")
    await until(lambda: bool(stopping) and stopping[0].done())
    sender.publish("once", b"2")
    sender.publish("last", b"")
    await last.holds(1)
    assert heard == [b"1"]


async def test_a_request_gets_its_own_answer(join: Join) -> None:
    asker, answerer = await join(), await join()
    await _answer_doubled(answerer)
    answers = await asyncio.gather(*(asker.request("double", str(n).encode(), 20) for n in range(100)))
    assert answers == [str(n).encode() * 2 for n in range(100)]


async def test_a_request_that_nobody_hears_fails_at_once(join: Join) -> None:
    asker = await join()
    with pytest.raises(NoResponders):
        await asker.request("nobody", b"", 60)


async def test_a_request_that_nobody_answers_times_out(join: Join) -> None:
    asker, silent, inbox = await join(), await join(), Inbox()
    await silent.subscribe("silence", inbox)
    with pytest.raises(TimeoutError):
        await asker.request("silence", b"?", 0.05)
    assert inbox.payloads == [b"?"]


async def test_who_publishes_with_a_reply_learns_that_nobody_listens(join: Join) -> None:
    sender, mine, unheard = await join(), Inbox(), list[str]()
    sender.on_no_responders(unheard.append)
    await sender.subscribe("gw.one.>", mine)
    sender.publish("cmd.nobody", b"", "gw.one.lost.7")
    sender.publish("cmd.nobody", b"")
    await until(lambda: bool(unheard))
    assert unheard == ["gw.one.lost.7"]
    assert mine.messages == []


async def test_a_message_that_somebody_hears_is_not_called_unheard(join: Join) -> None:
    sender, listener, mine, heard, unheard = await join(), await join(), Inbox(), Inbox(), list[str]()
    sender.on_no_responders(unheard.append)
    await sender.subscribe("gw.one.>", mine)
    await listener.subscribe("cmd.somebody", heard)
    sender.publish("cmd.somebody", b"", "gw.one.lost.7")
    sender.publish("cmd.nobody", b"", "gw.one.lost.8")
    await until(lambda: bool(unheard))
    await heard.holds(1)
    assert unheard == ["gw.one.lost.8"]


async def test_a_closed_bus_is_not_connected_and_drops(join: Join) -> None:
    leaver, stayer, inbox = await _a_bus_to_close(join), await join(), Inbox()
    await stayer.subscribe("late", inbox)
    leaver.publish("late", b"1")
    await inbox.holds(1)
    await leaver.close()
    assert not leaver.connected
    leaver.publish("late", b"2")
    stayer.publish("late", b"3")
    await inbox.holds(2)
    assert inbox.payloads == [b"1", b"3"]


async def test_what_was_published_before_close_is_sent(join: Join) -> None:
    leaver, stayer, inbox = await _a_bus_to_close(join), await join(), Inbox()
    await stayer.subscribe("goodbye", inbox)
    leaver.publish("goodbye", b"")
    await leaver.close()
    await inbox.holds(1)


async def _a_bus_to_close(join: Join) -> Bus:
    return await join()


async def _answer_doubled(bus: Bus) -> None:
    def double(_subject: str, payload: bytes, reply: str | None) -> None:
        assert reply is not None
        bus.publish(reply, payload * 2)

    await bus.subscribe("double", double)
