"""Group commit over both logs: what each submission is told, and what stands in the log then."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

import pytest

from shared.eventlog.appender import BATCH_ROWS_MAX, PACE_MICROS, QUEUED_ROWS_MAX, WAIT_MICROS_MAX, Appender, Fate
from shared.eventlog.memory import MemoryEventLog
from shared.eventlog.port import Entry, EventLog, Outcome, Row
from tests import virtual
from tests.eventlog.conftest import OpenLog
from tests.eventlog.rows import bad, rows_of, table_in, versions
from tests.eventlog.waiting import until
from tests.rules import case


class Told(list[tuple[str, Fate]]):
    """Who was told what, in order."""


def monotonic() -> int:
    return time.monotonic_ns() // 1_000


@asynccontextmanager
async def running(appender: Appender) -> AsyncIterator[None]:
    """The appender commits; an error of its loop fails the test."""
    task = asyncio.create_task(appender.run())
    yield
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def teller(told: Told, name: str) -> Callable[[Fate], None]:
    return lambda fate: told.append((name, fate))


@pytest.fixture
async def appender(log: EventLog) -> Appender:
    """An appender of instance "a", with partitions 1 and 2 open."""
    appender = Appender(log, "a", monotonic)
    for partition in (1, 2):
        appender.open(await log.take("a", partition))
    return appender


async def test_whatever_is_queued_is_one_commit_and_told_in_order(log: EventLog, appender: Appender) -> None:
    told = Told()
    one, other = rows_of(table_in(1), 3), rows_of(table_in(1, 1), 2)
    appender.submit(1, table_in(1), one[:1], (), teller(told, "first"))
    appender.submit(1, table_in(1, 1), other, (), teller(told, "other"))
    appender.submit(1, table_in(1), one[1:], (), teller(told, "second"))
    assert told == []
    async with running(appender):
        await until(lambda: len(told) == 3)
    assert told == [("first", Fate.COMMITTED), ("other", Fate.COMMITTED), ("second", Fate.COMMITTED)]
    newest = await log.tenure(1)
    assert newest is not None
    assert (newest.n, newest.position) == (2, 5)
    assert await log.table_rows(table_in(1)) == one


async def test_whoever_is_told_may_submit_the_next_at_once(log: EventLog, appender: Appender) -> None:
    rows, told = rows_of(table_in(1), 5), list[Fate]()

    def submit_next(fate: Fate) -> None:
        told.append(fate)
        if len(told) < 5:
            appender.submit(1, table_in(1), [rows[len(told)]], (), submit_next)

    appender.submit(1, table_in(1), rows[:1], (), submit_next)
    async with running(appender):
        await until(lambda: len(told) == 5)
    assert told == [Fate.COMMITTED] * 5
    assert await log.table_rows(table_in(1)) == rows


async def test_a_long_queue_is_committed_in_order_in_several_statements(log: EventLog, appender: Appender) -> None:
    told = Told()
    rows = rows_of(table_in(1), BATCH_ROWS_MAX + 100)
    for row in rows:
        appender.submit(1, table_in(1), [row], (), teller(told, str(row.version)))
    async with running(appender):
        await until(lambda: len(told) == len(rows))
    assert told == [(str(row.version), Fate.COMMITTED) for row in rows]
    assert await log.table_rows(table_in(1)) == rows
    newest = await log.tenure(1)
    assert newest is not None
    assert newest.n == 3


class Timed(MemoryEventLog):
    """A log that notes when each append began."""

    def __init__(self) -> None:
        super().__init__(virtual.database_micros)
        self.began: list[int] = []

    async def append(self, owner: str, entries: Sequence[Entry]) -> Mapping[int, Outcome]:
        self.began.append(virtual.monotonic_micros())
        return await super().append(owner, entries)


def test_a_commit_alone_begins_at_once_and_many_in_a_row_no_closer_together_than_their_pace() -> None:
    async def scenario() -> None:
        log, told = Timed(), list[Fate]()
        appender = Appender(log, "a", virtual.monotonic_micros)
        appender.open(await log.take("a", 1))
        rows = rows_of(table_in(1), 4)

        def submit_next(fate: Fate) -> None:
            told.append(fate)
            if len(told) < 3:
                appender.submit(1, table_in(1), [rows[len(told)]], (), submit_next)

        async with running(appender):
            await asyncio.sleep(1)
            appender.submit(1, table_in(1), rows[:1], (), submit_next)
            await asyncio.sleep(1)
            appender.submit(1, table_in(1), rows[3:], (), told.append)
            await asyncio.sleep(1)
        assert told == [Fate.COMMITTED] * 4
        second = 1_000_000
        assert log.began == [second, second + PACE_MICROS, second + 2 * PACE_MICROS, 2 * second]

    virtual.run(scenario)


@case("C-15")
async def test_a_fenced_partition_is_told_so_and_the_others_go_on(
    open_log: OpenLog, log: EventLog, appender: Appender
) -> None:
    told = Told()
    await open_log("b").take("b", 1)
    for partition in (1, 2, 1):
        appender.submit(
            partition, table_in(partition), rows_of(table_in(partition), 1), (), teller(told, str(partition))
        )
    async with running(appender):
        await until(lambda: len(told) == 3)
    assert sorted(told, key=str) == sorted([("1", Fate.FENCED), ("2", Fate.COMMITTED), ("1", Fate.FENCED)], key=str)
    assert await log.table_rows(table_in(1)) == []
    appender.submit(1, table_in(1), rows_of(table_in(1), 1), (), teller(told, "afterwards"))
    assert told[-1] == ("afterwards", Fate.DROPPED)


async def test_a_bad_row_stops_its_table_alone(log: EventLog, appender: Appender) -> None:
    told = Told()
    ids = {"good": (1, table_in(1)), "bad": (1, table_in(1, 1)), "far": (2, table_in(2))}
    rows = {name: rows_of(table_id, 3) for name, (_, table_id) in ids.items()}
    rows["bad"][1] = bad(rows["bad"][1])
    for version in range(3):
        for name, (partition, table_id) in ids.items():
            appender.submit(partition, table_id, [rows[name][version]], (), teller(told, name))
    async with running(appender):
        await until(lambda: len(told) == 9)
        for name, (partition, table_id) in ids.items():
            more = rows_of(table_id, 1, 4, previous=rows[name][-1].hash)
            appender.submit(partition, table_id, more, (), teller(told, name))
        await until(lambda: len(told) == 12)
    fates = {name: [fate for told_name, fate in told if told_name == name] for name in ids}
    assert fates == {"good": [Fate.COMMITTED] * 4, "bad": [Fate.BAD] * 4, "far": [Fate.COMMITTED] * 4}
    assert [versions(await log.table_rows(table_id)) for _, table_id in ids.values()] == [
        [1, 2, 3, 4],
        [],
        [1, 2, 3, 4],
    ]


async def test_a_closed_partition_is_told_at_once_and_only_once(log: EventLog, appender: Appender) -> None:
    told = Told()
    appender.submit(1, table_in(1), rows_of(table_in(1), 1), (), teller(told, "closed"))
    appender.submit(2, table_in(2), rows_of(table_in(2), 1), (), teller(told, "open"))
    appender.close(1)
    assert told == [("closed", Fate.DROPPED)]
    async with running(appender):
        await until(lambda: len(told) == 2)
    assert told[1:] == [("open", Fate.COMMITTED)]
    assert await log.table_rows(table_in(1)) == []


async def test_a_partition_closed_in_flight_is_told_once(log: EventLog, appender: Appender) -> None:
    told = Told()
    async with running(appender):
        appender.submit(1, table_in(1), rows_of(table_in(1), 1), (), teller(told, "in flight"))
        await asyncio.sleep(0)  # the loop takes it
        appender.close(1)
        appender.submit(2, table_in(2), rows_of(table_in(2), 1), (), teller(told, "later"))
        await until(lambda: len(told) == 2)
    assert sorted(name for name, _ in told) == ["in flight", "later"]


@case("C-18")
async def test_finishing_a_partition_waits_for_its_queue_and_closes_it(log: EventLog, appender: Appender) -> None:
    told = Told()
    rows = rows_of(table_in(1), 40)
    for row in rows:
        appender.submit(1, table_in(1), [row], (), teller(told, "queued"))
    async with running(appender):
        await appender.finish(1)
        assert told == [("queued", Fate.COMMITTED)] * 40
        await appender.finish(1)
    assert await log.table_rows(table_in(1)) == rows
    appender.submit(1, table_in(1), [], (), teller(told, "afterwards"))
    assert told[-1] == ("afterwards", Fate.DROPPED)


async def test_a_partition_taken_again_goes_on_behind_what_is_stored(log: EventLog, appender: Appender) -> None:
    told = Told()
    rows = rows_of(table_in(1), 2)
    async with running(appender):
        appender.submit(1, table_in(1), rows[:1], (), teller(told, "old"))
        await until(lambda: len(told) == 1)
        appender.open(await log.take("a", 1))
        appender.submit(1, table_in(1), rows[1:], (), teller(told, "new"))
        await until(lambda: len(told) == 2)
    assert told == [("old", Fate.COMMITTED), ("new", Fate.COMMITTED)]
    assert await log.table_rows(table_in(1)) == rows


async def test_each_commit_is_shown_whole_before_anyone_is_told(log: EventLog) -> None:
    seen: list[str] = []
    written: list[Row] = []

    def on_commit(entry: Entry) -> None:
        seen.append(f"commit {entry.tenure.n + 1}")
        written.extend(entry.rows)

    appender = Appender(log, "a", monotonic, on_commit)
    appender.open(await log.take("a", 1))
    rows = rows_of(table_in(1), 2)
    for row in rows:
        appender.submit(1, table_in(1), [row], (), lambda fate: seen.append(fate.value))
    async with running(appender):
        await until(lambda: len(seen) == 3)
    assert seen == ["commit 2", "committed", "committed"]
    assert written == rows


async def test_it_is_busy_above_its_bound_of_rows(appender: Appender) -> None:
    told = Told()
    rows = rows_of(table_in(1), QUEUED_ROWS_MAX + 1)
    appender.submit(1, table_in(1), rows[:-1], (), teller(told, "many"))
    assert not appender.busy
    appender.submit(1, table_in(1), rows[-1:], (), teller(told, "one too many"))
    assert appender.busy
    async with running(appender):
        await until(lambda: len(told) == 2)
    assert not appender.busy


async def test_it_is_busy_when_the_oldest_waits_too_long(log: EventLog) -> None:
    now = 0
    appender = Appender(log, "a", lambda: now)
    appender.open(await log.take("a", 1))
    now = 7_000_000
    appender.submit(1, table_in(1), rows_of(table_in(1), 1), (), lambda fate: None)
    now += WAIT_MICROS_MAX
    assert not appender.busy
    now += 1
    assert appender.busy
