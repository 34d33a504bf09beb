"""What every event log promises, on the memory adapter and on a real Postgres."""

import asyncio
from dataclasses import replace

import pytest

from shared.eventlog.port import BadRow, Entry, EventLog, Head, Outcome, Tenure
from tests.eventlog.conftest import OpenLog
from tests.eventlog.rows import after, bad, entry, rows_of, table_in, versions
from tests.rules import case


async def test_nobody_holds_a_partition_that_was_never_taken(log: EventLog) -> None:
    assert await log.tenure(7) is None


async def test_each_takeover_has_the_next_epoch_and_starts_where_the_last_ended(log: EventLog) -> None:
    first = await log.take("a", 7)
    assert first == Tenure(partition=7, epoch=1, n=1, position=0)
    await log.append("a", [entry(first, 3)])
    assert await log.take("b", 7) == Tenure(partition=7, epoch=2, n=3, position=3) == await log.tenure(7)


async def test_where_partitions_end_is_one_question(log: EventLog) -> None:
    assert await log.ends() == {}
    await log.append("a", [entry(await log.take("a", 3), 5), entry(await log.take("a", 4), 2)])
    await log.take("b", 4)
    await log.take("a", 63)
    assert await log.ends() == {3: 5, 4: 2, 63: 0}


async def test_an_append_of_nothing_writes_nothing(log: EventLog) -> None:
    assert await log.append("a", ()) == {}
    assert await log.ends() == {}


async def test_what_is_appended_is_read_back_to_the_byte(log: EventLog) -> None:
    rows = rows_of(table_in(3), 5)
    rows[2] = replace(rows[2], body=bytes(range(256)))
    outcomes = await log.append("a", [Entry(await log.take("a", 3), rows)])
    assert outcomes == {3: Outcome.COMMITTED}
    assert await log.table_rows(table_in(3)) == rows


async def test_a_writer_goes_on_from_its_own_last_commit(log: EventLog) -> None:
    tenure, rows = await log.take("a", 3), rows_of(table_in(3), 4)
    await log.append("a", [Entry(tenure, rows[:1])])
    assert await log.append("a", [Entry(after(tenure, 1), rows[1:])]) == {3: Outcome.COMMITTED}
    stored = [row async for batch in log.partition_rows(3) for row in batch]
    assert [(s.partition, s.position, s.row.version) for s in stored] == [(3, 1, 1), (3, 2, 2), (3, 3, 3), (3, 4, 4)]


@case("C-15")
async def test_of_two_that_both_believe_they_own_a_partition_the_older_is_fenced(open_log: OpenLog) -> None:
    old, new = open_log("a"), open_log("b")
    believed = await old.take("a", 3)
    held = await new.take("b", 3)
    assert await old.append("a", [entry(believed)]) == {3: Outcome.FENCED}
    assert await new.append("b", [entry(held)]) == {3: Outcome.COMMITTED}
    assert await old.append("a", [entry(believed)]) == {3: Outcome.FENCED}
    assert len(await new.table_rows(table_in(3))) == 1


@case("C-15")
@pytest.mark.parametrize("wrong", [{"epoch": 1}, {"epoch": 3}, {"position": 0}, {"position": 2}, {"n": 1}, {"n": 7}])
async def test_whoever_errs_in_epoch_number_or_place_writes_nothing(log: EventLog, wrong: dict[str, int]) -> None:
    await log.append("a", [entry(await log.take("a", 3), 1)])
    right = await log.take("a", 3)
    assert right == Tenure(partition=3, epoch=2, n=3, position=1)
    next_row = rows_of(table_in(3), 2)[1:]
    assert await log.append("a", [Entry(replace(right, **wrong), next_row)]) == {3: Outcome.FENCED}
    assert len(await log.table_rows(table_in(3))) == 1
    assert await log.append("a", [Entry(right, next_row)]) == {3: Outcome.COMMITTED}


async def test_of_a_batch_only_the_fenced_partition_is_not_written(open_log: OpenLog) -> None:
    log = open_log("a")
    tenures = [await log.take("a", partition) for partition in (9, 2, 5)]
    await open_log("b").take("b", 5)
    outcomes = await log.append("a", [entry(tenure, 2) for tenure in tenures])
    assert outcomes == {9: Outcome.COMMITTED, 2: Outcome.COMMITTED, 5: Outcome.FENCED}
    assert [len(await log.table_rows(table_in(p))) for p in (9, 2, 5)] == [2, 2, 0]


@case("C-17")
async def test_the_same_entries_sent_again_are_found_and_not_repeated(log: EventLog) -> None:
    entries = [entry(await log.take("a", partition), 2) for partition in (1, 2)]
    first = await log.append("a", entries)
    assert await log.append("a", entries) == first == {1: Outcome.COMMITTED, 2: Outcome.COMMITTED}
    assert versions(await log.table_rows(table_in(1))) == [1, 2]


@case("C-17")
async def test_a_commit_is_found_even_after_another_took_the_partition(open_log: OpenLog) -> None:
    log = open_log("a")
    sent = [entry(await log.take("a", 1))]
    await log.append("a", sent)
    await open_log("b").take("b", 1)
    assert await log.append("a", sent) == {1: Outcome.COMMITTED}


@case("C-15")
async def test_writers_that_race_write_each_commit_once(open_log: OpenLog) -> None:
    tenure = await open_log("a").take("a", 1)
    logs = [open_log(f"a{i}") for i in range(4)]
    entries = [entry(tenure, 1 + i) for i in range(4)]
    await asyncio.gather(*(log.append("a", [e]) for log, e in zip(logs, entries, strict=True)))
    newest = await logs[0].tenure(1)
    assert newest is not None
    assert newest.n == tenure.n + 1
    assert newest.position == len(await logs[0].table_rows(table_in(1)))


async def test_takers_that_race_get_different_epochs(open_log: OpenLog) -> None:
    logs = [open_log(f"i{i}") for i in range(4)]
    tenures = await asyncio.gather(*(log.take(f"i{i}", 1) for i, log in enumerate(logs)))
    assert sorted(tenure.epoch for tenure in tenures) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(bad, id="short hash"),
        pytest.param(lambda row: replace(row, at=2**64), id="number too large"),
        pytest.param(lambda row: replace(row, round=-1), id="round below zero"),
        pytest.param(lambda row: replace(row, version=1), id="version doubled"),
        pytest.param(lambda row: replace(row, table_id=table_in(4)), id="table of another partition"),
        pytest.param(lambda row: replace(row, table_id=table_in(3, prefix="\0")), id="NUL"),
        pytest.param(lambda row: replace(row, table_id="\ud800"), id="lone surrogate"),
    ],
)
async def test_one_bad_row_stops_the_whole_statement_and_is_told_as_such(log: EventLog, spoil) -> None:  # type: ignore[no-untyped-def]
    rows = rows_of(table_in(3), 3)
    good, tenure = entry(await log.take("a", 5)), await log.take("a", 3)
    with pytest.raises(BadRow):
        await log.append("a", [good, Entry(tenure, [rows[0], spoil(rows[1]), rows[2]])])
    assert await log.table_rows(table_in(3)) == await log.table_rows(table_in(5)) == []
    assert await log.append("a", [good, Entry(tenure, rows)]) == {3: Outcome.COMMITTED, 5: Outcome.COMMITTED}


async def test_a_row_that_is_stored_already_is_a_bad_row(log: EventLog) -> None:
    tenure = await log.take("a", 3)
    await log.append("a", [entry(tenure)])
    with pytest.raises(BadRow):
        await log.append("a", [entry(after(tenure, 1))])


async def test_heads_are_the_live_tables_as_last_written(log: EventLog) -> None:
    tenure, (one, two) = await log.take("a", 3), (table_in(3, 0), table_in(3, 1))
    opened = [Head(one, 1, 1, None, "seating"), Head(two, 1, 1, 5, "playing"), Head(one, 2, 4, 9, "playing")]
    await log.append("a", [Entry(tenure, rows_of(one, 1), opened)])
    assert sorted(await log.heads(3), key=lambda head: head.round) == [opened[1], opened[2]]
    closed = [Head(two, 1, 1, None, "closed")]
    await log.append("a", [Entry(after(tenure, 1), rows_of(two, 1), closed)])
    assert await log.heads(3) == [opened[2]]


@case("C-15")
async def test_a_fenced_writer_changes_no_head(open_log: OpenLog) -> None:
    tenure = await open_log("a").take("a", 3)
    await open_log("b").take("b", 3)
    await open_log("a").append("a", [replace(entry(tenure), heads=[Head(table_in(3), 1, 1, None, "seating")])])
    assert await open_log("b").heads(3) == []


async def test_a_table_is_read_by_version_and_by_round(log: EventLog) -> None:
    table_id = table_in(3)
    first = rows_of(table_id, 3)
    second = rows_of(table_id, 4, 4, round=2, previous=first[-1].hash)
    others = rows_of(table_in(3, 1), 2)
    await log.append("a", [Entry(await log.take("a", 3), [*others[:1], *first, *others[1:], *second])])
    assert versions(await log.table_rows(table_id, 2, 5)) == [2, 3, 4, 5]
    assert await log.table_rows(table_id, 4) == await log.round_rows(table_id, 2) == second
    assert await log.round_rows(table_id, 3) == await log.table_rows("no such table") == []


async def test_a_partition_is_read_in_order_in_batches_from_any_place(log: EventLog) -> None:
    rows = rows_of(table_in(3), 7)
    await log.append("a", [Entry(await log.take("a", 3), rows)])
    batches = [[s.position for s in batch] async for batch in log.partition_rows(3, after=2, batch=2)]
    assert batches == [[3, 4], [5, 6], [7]]
    assert [batch async for batch in log.partition_rows(3, after=7)] == []
    assert [batch async for batch in log.partition_rows(4)] == []


@case("C-16")
async def test_a_reader_that_follows_skips_nothing_and_sees_nothing_twice(open_log: OpenLog) -> None:
    writers, reader = [open_log("a"), open_log("b")], open_log("reader")
    rows = rows_of(table_in(3), 120)

    async def write() -> None:
        done = 0
        for turn, writer in enumerate(writers * 2):
            tenure = await writer.take(f"i{turn}", 3)
            for count in range(1, 8):
                await writer.append(f"i{turn}", [Entry(tenure, rows[done : done + count])])
                tenure, done = after(tenure, count), done + count

    writing, seen = asyncio.create_task(write()), list[int]()
    while not (writing.done() and len(seen) == 4 * 28):
        async for batch in reader.partition_rows(3, after=len(seen), batch=10):
            seen += [stored.position for stored in batch]
        await asyncio.sleep(0)
    assert seen == list(range(1, 4 * 28 + 1))


async def test_every_record_knows_its_commit(log: EventLog) -> None:
    tenure, rows = await log.take("a", 3), rows_of(table_in(3), 5)
    await log.append("a", [Entry(tenure, rows[:2])])
    taken = await log.take("b", 3)
    await log.append("b", [Entry(taken, rows[2:])])
    commits = [await log.commit_of(table_in(3), version) for version in range(1, 7)]
    seen = [None if c is None else (c.partition, c.n, c.epoch, c.owner, c.base, c.rows) for c in commits]
    assert seen == [(3, 2, 1, "a", 0, 2)] * 2 + [(3, 4, 2, "b", 2, 3)] * 3 + [None]


async def test_the_commits_of_a_table_s_records_are_told_with_the_last_record_in_each(log: EventLog) -> None:
    tenure, mine, others = await log.take("a", 3), rows_of(table_in(3), 5), rows_of(table_in(3, 1), 2)
    await log.append("a", [Entry(tenure, [*others[:1], *mine[:2]])])
    await log.append("a", [Entry(after(tenure, 3), [*mine[2:3], *others[1:]])])
    await log.append("a", [Entry(after(after(tenure, 3), 2), mine[3:])])
    every = await log.commits_of(table_in(3), 1, 5)
    assert [(last, commit.n, commit.rows) for last, commit in every] == [(2, 2, 3), (3, 3, 2), (5, 4, 2)]
    assert [commit for _, commit in every] == [await log.commit_of(table_in(3), last) for last, _ in every]
    assert await log.commits_of(table_in(3), 2, 3) == list(every[:2])
    assert await log.commits_of(table_in(3), 6, 9) == []


async def test_tables_are_listed_by_their_first_record_also_when_closed(log: EventLog) -> None:
    tenure, ids = await log.take("a", 3), [table_in(3, 1), table_in(3, 0)]
    closed = [Head(ids[0], 1, 1, None, "closed")]
    await log.append("a", [Entry(tenure, [*rows_of(ids[0], 2), *rows_of(ids[1], 1)], closed)])
    assert await log.tables(3) == ids
    assert await log.tables(4) == []
