"""Deadlines first, on a clock that moves on with every look at it, and timers that outlive what fails in one."""

import asyncio
import uuid
from collections.abc import Callable

import pytest

from bench.keeper import PLAYERS, Office, table
from services.table.keeper import Keeper
from services.table.timers import STALE_MAX, Timers
from shared.eventlog.appender import Fate
from shared.eventlog.port import Head, Row
from shared.games.quatro.commands import TakeChannel
from shared.replay import Verified, verify_round
from shared.table.record import Sender
from shared.wire.messages import Envelope
from tests.rules import rule
from tests.virtual import monotonic_micros, run


class Moving(Office):
    """An office whose clock moves on by 1 µs with every look at it, and that keeps what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []

    def at(self, last: int) -> int:
        self.time += 1
        return super().at(last)

    def submit(self, keeper: Keeper, row: Row, heads: tuple[Head, ...], done: Callable[[Fate], None]) -> None:
        self.rows.append(row)
        done(Fate.COMMITTED)


@rule("Q-TIME-1")
@pytest.mark.parametrize("http", [False, True])
@pytest.mark.parametrize("before", range(12))
def test_a_deadline_between_two_looks_at_the_clock_is_decided_before_the_command(before: int, http: bool) -> None:
    office = Moving()
    keeper = table(office)
    assert keeper.state is not None
    assert keeper.state.next_due is not None
    office.time = keeper.state.next_due - before
    if http:
        keeper.presence.hold("gateway", frozenset(), 0, office.time - 60_000_000)
        keeper.review()
    for player in PLAYERS:
        envelope = Envelope(keeper.id, player, str(uuid.uuid4()), b"", "gateway", 0, http=http)
        keeper.take(envelope, TakeChannel(), Sender(player), office.time)
    assert isinstance(verify_round(row for row in office.rows if row.round == 1), Verified)


def test_what_fails_in_one_timer_does_not_keep_the_others_from_going_off() -> None:
    fired: list[str] = []

    def fire(key: str) -> None:
        fired.append(key)
        if key == "bad":
            raise ValueError("a bug")

    async def scenario() -> None:
        told: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, what: told.append(what.get("exception")))
        timers = Timers(monotonic_micros, fire)
        for key, at in (("bad", 1_000_000), ("good", 1_000_000), ("late", 5_000_000)):
            timers.set(key, at)
        await asyncio.sleep(10)
        assert fired == ["bad", "good", "late"]
        assert [type(each) for each in told] == [ValueError]

    run(scenario)


def test_times_that_no_longer_hold_are_not_kept() -> None:
    async def scenario() -> None:
        fired: list[str] = []
        timers = Timers(monotonic_micros, fired.append)
        for at in range(10 * STALE_MAX):
            timers.set("often", 3_600_000_000 + at)
            timers.set("once", 5_000_000)
        assert len(timers._heap) <= STALE_MAX + 4
        await asyncio.sleep(4_000)
        assert fired == ["once", "often"]

    run(scenario)
