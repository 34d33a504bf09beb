"""Auditors' questions about rounds (ask.scoring)."""

import hashlib
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from services.scoring.answers import page
from shared.bus import subjects
from shared.eventlog.chain import link
from shared.eventlog.port import Row, partition_of
from shared.wire.messages import decoder, encode
from shared.wire.questions import PAGE_BYTES_MAX, Page, Question
from tests import virtual
from tests.rules import case
from tests.scoring.house import House, house

_page = decoder(Page)


async def ask(where: House, question: Question) -> Page:
    """Ask over the bus."""
    bus = where.single.bus("auditor")
    return _page.decode(await bus.request(subjects.ASK_SCORING, encode(question), 5.0))


async def everything(where: House, table: str, round: int, limit: int) -> list[dict[str, Any]]:
    """All pages of a round."""
    found: list[dict[str, Any]] = []
    start: int | None = 0
    while start is not None:
        answer = await ask(where, Question("records", table, round, start, limit))
        assert answer.status == "ok"
        assert len(answer.body) <= PAGE_BYTES_MAX
        found += msgspec.json.decode(answer.body)
        start = answer.next
    return found


def test_an_awarded_round_is_told_record_by_record_with_the_hashes_it_is_chained_by() -> None:
    async def scenario() -> None:
        async with house() as where:
            table = await where.open_table(target_points=1)
            await where.until_phase(table, "over")
            told = await everything(where, table, 1, 5)
            rows = await where.single.log.round_rows(table, 1)
            assert [each["hash"] for each in told] == [row.hash.hex() for row in rows]
            assert [each["record"] for each in told] == [msgspec.json.decode(row.body) for row in rows]
            again = link(rows[0].hash, rows[1].version, rows[1].body)
            assert again == rows[1].hash

    virtual.run(scenario)


@case("C-11")
def test_of_a_round_that_is_not_awarded_nothing_is_told() -> None:
    async def scenario() -> None:
        async with house(scorings=0) as where:
            table = await where.open_table(target_points=9)
            await where.until_stopped(table)
            where.single.run_scoring()
            await where.until_phase(table, "playing", "break")
            last = (await where.rounds(table))[-1]
            if last.awarded_at is None:
                assert await ask(where, Question("records", table, last.round)) == Page("round_open")
            assert (await ask(where, Question("records", table, last.round + 1))).status == "no_such_round"
            await where.until_phase(table, "playing")
            running = (await where.rounds(table))[-1]
            assert running.awarded_at is None
            assert await ask(where, Question("records", table, running.round)) == Page("round_open")

    virtual.run(scenario)


def test_an_unknown_table_is_unknown() -> None:
    async def scenario() -> None:
        async with house() as where:
            await where.until_phase(await where.open_table(target_points=1), "playing")
            answer = await ask(where, Question("records", "0190a000-0000-7000-8000-00000000000a", 1))
            assert answer == Page("no_such_table")

    virtual.run(scenario)


def test_a_question_that_can_not_be_answered_is_logged_and_leaves_the_asker_to_the_time_out() -> None:
    async def scenario() -> None:
        async with house() as where:
            table = await where.open_table(target_points=1)
            await where.until_phase(table, "over")
            where.single.log._partitions[partition_of(table)].tables[table].clear()
            with capture_logs() as logs, pytest.raises(TimeoutError):
                await ask(where, Question("replay", table, 1))
            assert "question_failed" in [each["event"] for each in logs]

    virtual.run(scenario)


def test_a_page_never_outgrows_the_bus_and_never_stands_still() -> None:
    rows = [Row("t", n, 1, n, b'"' + b"x" * 100_000 + b'"', hashlib.sha256(b"").digest()) for n in range(1, 6)]
    body, taken = page(rows)
    assert taken == 2
    assert len(body) <= PAGE_BYTES_MAX
    huge = [Row("t", 1, 1, 1, b'"' + b"x" * 300_000 + b'"', b"\0" * 32)]
    assert page(huge)[1] == 1
