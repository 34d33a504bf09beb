"""What the memory network can do to messages, so that a simulation can show what its users bear."""

from shared.bus.memory import MemoryNetwork
from tests.bus.inbox import Inbox
from tests.rules import case


async def test_by_fate_messages_are_lost_doubled_and_overtaken() -> None:
    delays = {b"lost": (), b"twice": (0.0, 0.0), b"slow": (0.02,), b"quick": (0.0,)}
    network = MemoryNetwork(lambda _from, _to, _subject, payload: delays[payload])
    sender, receiver, inbox = network.join("a"), network.join("b"), Inbox()
    await receiver.subscribe("x", inbox)
    for payload in (b"slow", b"lost", b"twice", b"quick"):
        sender.publish("x", payload)
    await inbox.holds(4)
    assert inbox.payloads == [b"twice", b"twice", b"quick", b"slow"]


@case("C-16")
async def test_a_cut_bus_neither_sends_nor_hears_and_hears_again_when_healed() -> None:
    network = MemoryNetwork()
    sender, receiver, inbox = network.join("a"), network.join("b"), Inbox()
    await receiver.subscribe("x", inbox)
    sender.publish("x", b"under way")
    receiver.cut()
    sender.publish("x", b"while cut")
    assert not receiver.connected
    receiver.heal()
    receiver.publish("x", b"own")
    await inbox.holds(1)
    sender.cut()
    sender.publish("x", b"dropped")
    sender.heal()
    sender.publish("x", b"last")
    await inbox.holds(3)
    assert (inbox.payloads[1:], sender.dropped) == ([b"own", b"last"], 1)


async def test_nobody_is_there_is_said_to_a_request_of_which_the_only_listener_is_cut() -> None:
    network = MemoryNetwork()
    sender, receiver, unheard = network.join("a"), network.join("b"), list[str]()
    sender.on_no_responders(unheard.append)
    inbox = Inbox()
    await sender.subscribe("gw.a.>", inbox)
    await receiver.subscribe("x", Inbox())
    receiver.cut()
    sender.publish("x", b"", "gw.a.lost")
    sender.publish("gw.a.after", b"")
    await inbox.holds(1)
    assert unheard == ["gw.a.lost"]
