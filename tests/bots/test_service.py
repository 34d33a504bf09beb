"""The bots service on the bus: what it says of itself, and what it does with what tables tell it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import msgspec

from services.bots.service import Bots
from shared.bus import subjects
from shared.bus.memory import MemoryBus, MemoryNetwork
from shared.eventlog.port import partition_of
from shared.wire import verdict
from shared.wire.messages import (
    Answer,
    Envelope,
    Frames,
    Held,
    HeldTable,
    Here,
    Owner,
    Part,
    Seats,
    Want,
    decoder,
    encode,
)
from tests import virtual
from tests.bots.mind import Bench, Own, Public, given
from tests.rules import case
from tests.waiting import until

TABLE = given().table
PARTITION = partition_of(TABLE)
M = TypeVar("M", bound=msgspec.Struct)


class Hall:
    """A table's side of the bus, played by hand."""

    def __init__(self, bus: MemoryBus, bots: MemoryBus) -> None:
        self.bus, self.bots = bus, bots
        self.here: list[Here] = []
        self.wants: list[Want] = []
        self.held: list[Held] = []
        self.commands: list[Envelope] = []

    async def open(self) -> None:
        """Listen as an owner does."""
        await self._hear(subjects.here("bots"), Here, self.here)
        await self._hear(subjects.want(PARTITION), Want, self.wants)
        await self._hear(subjects.held(PARTITION), Held, self.held)
        await self._hear(subjects.command(PARTITION, 1, "bot"), Envelope, self.commands)

    async def _hear(self, subject: str, kind: type[M], into: list[M]) -> None:
        decode = decoder(kind).decode
        await self.bus.subscribe(subject, lambda _subject, payload, _reply: into.append(decode(payload)))

    def say(self, what: subjects.What, message: msgspec.Struct) -> None:
        """To the bots."""
        self.bus.publish(subjects.to("bots-1", what), encode(message))

    def own(self) -> None:
        """Announce the partition."""
        self.say("owner", Owner("table-1", ((PARTITION, 1),)))

    def show(self, player: str, public: Public, n: int = 1, secret: str = "") -> None:
        """A whole view of one seat."""
        part = Part(player, n, msgspec.json.encode(Own(secret)))
        self.say("frames", Frames(TABLE, 1, 0, msgspec.json.encode(public), (part,), whole=True))

    def answer(self, envelope: Envelope) -> None:
        """Accept a command."""
        told = verdict.accepted(envelope.id, "00")
        self.say("frames", Frames(TABLE, 1, 0, answers=(Answer(envelope.player, envelope.id, told),)))


@asynccontextmanager
async def hall() -> AsyncIterator[Hall]:
    """A bots service that runs, and the table's side."""
    network, bench = MemoryNetwork(), Bench()
    where = Hall(network.join("table-1"), network.join("bots-1"))
    await where.open()
    bots = Bots(where.bots, {"quatro": bench.game()}, "bots-1", asyncio.get_running_loop().time)
    running = asyncio.create_task(bots.run())
    await until(lambda: bool(where.here))
    where.own()
    try:
        yield where
    finally:
        running.cancel()
        await asyncio.wait((running,))


def play(scenario: Callable[[Hall], Awaitable[None]]) -> None:
    """On virtual time."""

    async def run() -> None:
        async with hall() as where:
            await scenario(where)

    virtual.run(run)


def test_every_second_it_says_that_it_lives_and_how_much_it_plays() -> None:
    async def scenario(where: Hall) -> None:
        where.say("seats", given("a"))
        where.say("seats", given("b", 2))
        await until(lambda: Here("bots-1", 2) in where.here)
        count = len(where.here)
        await asyncio.sleep(5)
        assert len(where.here) in (count + 4, count + 5, count + 6)

    play(scenario)


def test_a_seat_that_is_given_is_held_and_its_view_asked_for() -> None:
    async def scenario(where: Hall) -> None:
        where.say("seats", given("a"))
        await until(lambda: bool(where.wants))
        assert where.wants[0] == Want("bots-1", TABLE, "a")
        assert where.held[0] == Held("bots-1", (HeldTable(TABLE, ("a",)),))

    play(scenario)


def test_what_a_seat_wishes_is_sent_as_its_player_s_command() -> None:
    async def scenario(where: Hall) -> None:
        where.say("seats", given("a"))
        where.show("a", Public("up"))
        await until(lambda: bool(where.commands))
        (sent,) = where.commands
        assert (sent.table, sent.player, sent.gateway) == (TABLE, "a", "bots-1")
        assert msgspec.json.decode(sent.command) == {"type": "Poke", "at": "up"}

    play(scenario)


@case("C-27")
def test_seats_share_nothing_even_at_one_table() -> None:
    async def scenario(where: Hall) -> None:
        for player, seat in (("a", 0), ("b", 1)):
            where.say("seats", given(player, seat))
        where.show("a", Public("x"), secret="-mine")
        where.show("b", Public("x"), secret="-yours")
        await until(lambda: len(where.commands) >= 2)
        said = {sent.player: msgspec.json.decode(sent.command)["at"] for sent in where.commands}
        assert said == {"a": "x-mine", "b": "x-yours"}

    play(scenario)


@case("C-03", "C-16")
def test_without_a_verdict_the_same_command_is_sent_again_and_no_other() -> None:
    async def scenario(where: Hall) -> None:
        where.say("seats", given("a"))
        where.show("a", Public("x"))
        await until(lambda: len(where.commands) >= 4)
        assert len({sent.id for sent in where.commands}) == 1
        where.answer(where.commands[0])
        await until(lambda: len({sent.id for sent in where.commands}) == 2)

    play(scenario)


def test_a_seat_whose_command_the_table_could_not_read_plays_on() -> None:
    async def scenario(where: Hall) -> None:
        where.say("seats", given("a"))
        where.show("a", Public("x"))
        await until(lambda: bool(where.commands))
        error = msgspec.json.encode({"type": "error", "id": where.commands[0].id, "code": "bad_command", "detail": "?"})
        where.say("frames", Frames(TABLE, 1, 0, answers=(Answer("a", where.commands[0].id, error),)))
        await until(lambda: len({sent.id for sent in where.commands}) == 2, 20)

    play(scenario)


def test_a_seat_taken_back_is_played_and_held_no_more() -> None:
    async def scenario(where: Hall) -> None:
        where.say("seats", given("a"))
        where.show("a", Public("x", hold_us=900_000))
        where.say("seats", msgspec.structs.replace(given("a"), play=False))
        await until(lambda: where.held[-1:] == [Held("bots-1", ())])
        await asyncio.sleep(5)
        assert where.commands == []

    play(scenario)


def test_a_game_it_does_not_know_is_left_to_others() -> None:
    async def scenario(where: Hall) -> None:
        where.say("seats", Seats(TABLE, "chess", 0, "a", "plain"))
        await asyncio.sleep(3)
        assert where.wants == []
        assert Here("bots-1", 0) in where.here

    play(scenario)


def test_a_new_owner_is_told_at_once_who_is_held() -> None:
    async def scenario(where: Hall) -> None:
        where.say("seats", given("a"))
        await until(lambda: bool(where.held))
        where.held.clear()
        where.say("owner", Owner("table-2", ((PARTITION, 2),)))
        await asyncio.sleep(0.05)
        assert where.held == [Held("bots-1", (HeldTable(TABLE, ("a",)),))]

    play(scenario)


@case("C-07")
def test_a_seat_that_hears_nothing_asks_for_its_view_again() -> None:
    async def scenario(where: Hall) -> None:
        where.say("seats", given("a"))
        where.show("a", Public())
        await asyncio.sleep(2)
        where.wants.clear()
        await asyncio.sleep(12)
        assert Want("bots-1", TABLE, "a") in where.wants

    play(scenario)


@case("C-16")
def test_back_on_the_bus_every_seat_asks_for_what_it_missed() -> None:
    async def scenario(where: Hall) -> None:
        for player in ("a", "b"):
            where.say("seats", given(player))
            where.show(player, Public())
        await asyncio.sleep(2)
        where.bots.cut()
        await asyncio.sleep(2)
        where.wants.clear()
        where.bots.heal()
        await until(lambda: {want.player for want in where.wants} == {"a", "b"}, 2)

    play(scenario)


def test_on_its_way_out_it_gives_all_seats_back() -> None:
    told: list[Held] = []

    async def scenario() -> None:
        async with hall() as where:
            where.say("seats", given("a"))
            await until(lambda: bool(where.held))
        await asyncio.sleep(0)
        told.extend(where.held)

    virtual.run(scenario)
    assert told[-1] == Held("bots-1", ())


def test_thousands_of_seats_are_one_timer_each_and_no_task() -> None:
    async def scenario(where: Hall) -> None:
        before = len(asyncio.all_tasks())
        for number in range(2_000):
            where.say("seats", given(f"bot-{number}", number % 8))
        await until(lambda: Here("bots-1", 2_000) in where.here)
        assert len(asyncio.all_tasks()) == before

    play(scenario)
