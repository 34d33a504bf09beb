"""The courier and the owners it asks: commands are sent again until a verdict comes, and given up after 5 s."""

import asyncio
from uuid import uuid4

import pytest

from shared.bus import subjects
from shared.bus.memory import MemoryBus, MemoryNetwork
from shared.eventlog.port import partition_of
from shared.wire.courier import GIVE_UP_SECONDS, RESEND_SECONDS, Courier
from shared.wire.messages import Answer, Envelope, Owner, Who, decoder
from shared.wire.owners import ASK_SECONDS, Owners
from tests.rules import case, rule

TABLE = "018f0000-0000-7000-8000-000000000001"
PARTITION = partition_of(TABLE)


class Clock:
    """A clock that stands until it is moved."""

    now = 10.0

    def __call__(self) -> float:
        return self.now


class Post:
    """A courier under test, and what arrives at the other end."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.network = MemoryNetwork()
        self.bus = self.network.join("gateway")
        self.far: MemoryBus = self.network.join("owner")
        self.owners = Owners(self.bus, "g1", self.clock)
        self.courier = Courier(self.bus, self.owners, "g1", "player", self.clock)
        self.arrived: list[tuple[str, Envelope]] = []
        self.asked: list[str] = []
        self.outcomes: list[bytes | None] = []

    async def open(self, epoch: int | str = "*") -> "Post":
        await self.far.subscribe(subjects.command("*", epoch, "*"), self._arrive)
        await self.far.subscribe(subjects.who("*"), self._ask)
        await self.bus.subscribe(subjects.to("g1", ">"), lambda *_: None)
        return self

    def send(self, command: bytes = b"{}", id: str | None = None) -> str:
        id = id or str(uuid4())
        self.taken = self.courier.send(Envelope(TABLE, "ada", id, command, "g1", 0), self.outcomes.append)
        return id

    def heard(self, epoch: int) -> None:
        self.owners.heard(Owner("t1", ((PARTITION, epoch),)))

    async def pass_on(self, seconds: float = 0.0) -> list[str]:
        """Time passes in steps of the courier's ticks; the subjects of what arrived meanwhile come back."""
        self.arrived.clear()
        end = self.clock.now + seconds
        while True:
            self.courier.tick()
            for _ in range(5):
                await asyncio.sleep(0)
            if self.clock.now >= end - 1e-9:
                return [subject for subject, _ in self.arrived]
            self.clock.now += 0.05

    def _arrive(self, subject: str, payload: bytes, reply: str | None) -> None:
        self.arrived.append((subject, decoder(Envelope).decode(payload)))

    def _ask(self, subject: str, payload: bytes, reply: str | None) -> None:
        assert decoder(Who).decode(payload).instance == "g1"
        self.asked.append(subject)


@pytest.fixture
async def post() -> Post:
    return await Post().open()


def to(epoch: int) -> str:
    return subjects.command(PARTITION, epoch, "player")


async def test_a_command_goes_to_the_owner_under_its_epoch(post: Post) -> None:
    post.heard(3)
    post.send()
    assert await post.pass_on() == [to(3)]


async def test_an_unknown_owner_is_asked_for_and_then_gets_the_command(post: Post) -> None:
    post.send()
    assert await post.pass_on() == []
    assert post.asked == [subjects.who(PARTITION)]
    post.heard(1)
    assert await post.pass_on() == [to(1)]


async def test_an_unanswered_command_is_sent_every_300_ms_for_5_s_under_the_same_id(post: Post) -> None:
    post.heard(1)
    id = post.send()
    assert len(await post.pass_on(GIVE_UP_SECONDS - RESEND_SECONDS)) == 1 + 15
    assert {envelope.id for _, envelope in post.arrived} == {id}
    assert post.outcomes == []
    await post.pass_on(RESEND_SECONDS * 2)
    assert post.outcomes == [None]
    assert await post.pass_on(1.0) == []
    assert len(post.courier) == 0


async def test_a_verdict_ends_the_sending(post: Post) -> None:
    post.heard(1)
    id = post.send()
    post.courier.answered(Answer("ada", id, b"yes"))
    assert post.outcomes == [b"yes"]
    await post.pass_on()
    assert await post.pass_on(1.0) == []


async def test_a_verdict_that_comes_twice_is_told_once(post: Post) -> None:
    post.heard(1)
    id = post.send()
    for _ in range(2):
        post.courier.answered(Answer("ada", id, b"yes"))
    post.courier.answered(Answer("eve", id, b"yes"))
    assert post.outcomes == [b"yes"]


async def test_when_the_epoch_moves_the_command_is_sent_again_at_once(post: Post) -> None:
    post.heard(1)
    post.send()
    await post.pass_on()
    post.heard(2)
    assert await post.pass_on() == [to(2)]
    post.heard(1)
    assert await post.pass_on() == []
    assert post.owners.epoch(PARTITION) == 2


async def test_with_nobody_at_the_known_owner_another_is_asked_for() -> None:
    post = await Post().open(epoch=2)
    post.heard(1)
    post.send()
    await post.pass_on()
    assert post.asked == [subjects.who(PARTITION)]
    post.heard(2)
    assert await post.pass_on() == [to(2)]


async def test_an_owner_that_says_it_is_there_after_all_gets_the_command_again(post: Post) -> None:
    post.heard(5)
    post.owners.lost(PARTITION)
    post.send()
    assert await post.pass_on() == []
    post.heard(4)
    assert await post.pass_on() == []
    post.heard(5)
    assert await post.pass_on() == [to(5)]


async def test_who_is_asked_is_bounded(post: Post) -> None:
    for _ in range(10):
        assert post.owners.epoch(PARTITION) is None
    await post.pass_on()
    assert len(post.asked) == 1
    post.clock.now += ASK_SECONDS + 0.01
    post.owners.ask(PARTITION)
    await post.pass_on()
    assert len(post.asked) == 2


async def test_an_owner_that_says_it_is_there_and_does_not_listen_is_not_asked_without_end() -> None:
    post = await Post().open(epoch=2)
    await post.far.subscribe(subjects.who("*"), lambda *_: post.heard(1))
    post.heard(1)
    post.send()
    for _ in range(200):
        await asyncio.sleep(0)
    assert len(post.asked) == 1
    await post.pass_on(1.0)
    assert 3 <= len(post.asked) <= 1.0 / ASK_SECONDS + 1


@case("C-03")
async def test_who_sends_the_same_again_meanwhile_gets_the_same_verdict_and_nothing_is_sent(post: Post) -> None:
    post.heard(1)
    id = post.send(b'{"a":1}')
    post.send(b'{"a":1}', id)
    assert len(await post.pass_on()) == 1
    post.courier.answered(Answer("ada", id, b"yes"))
    assert post.outcomes == [b"yes", b"yes"]


@rule("T-ID-1")
async def test_another_command_under_the_same_id_is_not_taken(post: Post) -> None:
    post.heard(1)
    id = post.send(b'{"a":1}')
    post.send(b'{"a":2}', id)
    assert not post.taken
    post.courier.answered(Answer("ada", id, b"yes"))
    assert post.outcomes == [b"yes"]


async def test_the_courier_ticks_by_itself() -> None:
    post = await Post().open()
    post.heard(1)
    running = asyncio.create_task(post.courier.run())
    post.send()
    post.clock.now += GIVE_UP_SECONDS
    async with asyncio.timeout(5):
        while not post.outcomes:
            await asyncio.sleep(0.01)
    running.cancel()
    assert post.outcomes == [None]
