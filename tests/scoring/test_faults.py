"""What scoring does when the log is not what the rules make of it."""

import dataclasses

import pytest
from msgspec.structs import replace
from prometheus_client import REGISTRY

from services.scoring.audit import Auditor
from services.scoring.port import Change
from services.scoring.reader import Reader
from shared.eventlog.port import partition_of
from shared.table.commands import Stop
from tests import virtual
from tests.proof.forge import chained, decoded
from tests.proof.ledgers import KEYS
from tests.rules import rule
from tests.scoring.house import House, house, tamper
from tests.waiting import until


def faults(kind: str) -> float:
    """How many the auditor has counted."""
    return REGISTRY.get_sample_value("quartet_audit_faults_total", {"kind": kind}) or 0.0


def auditor(where: House, table: str) -> Auditor:
    """An auditor of the table's partition that does not hold back."""
    single = where.single
    return Auditor(single.log, single.projections, lambda: (partition_of(table),), 1e9, single.ledger)


@rule("T-STOP-1")
def test_a_round_that_does_not_verify_stops_its_table_and_gives_no_points() -> None:
    async def scenario() -> None:
        async with house(scorings=0) as where:
            table = await where.open_table(target_points=1)
            await where.until_stopped(table)
            tamper(where.single, table, 8, b'"salt":"', b'"salt":"f')
            where.single.run_scoring()
            await where.until_phase(table, "stopped")
            last = (await where.records(table))[-1]
            assert last.by == "scoring"
            assert isinstance(last.command, Stop)
            assert "record 8" in last.command.reason
            (line,) = await where.rounds(table)
            assert (line.verified, line.points) == (False, None)

    virtual.run(scenario)


@rule("T-STOP-1")
def test_a_table_that_can_not_be_read_holds_up_no_other() -> None:
    async def scenario() -> None:
        async with house(scorings=0) as where:
            bad = await where.open_table(target_points=1)
            good = await where.open_table(target_points=1)
            tamper(where.single, bad, 2, b'"command":{', b'"command":[')
            where.single.run_scoring()
            await where.until_phase(good, "over")
            assert await where.phase(bad) == "seating", "where its first record left it"

    virtual.run(scenario)


@rule("T-STOP-1")
def test_a_scorer_that_begins_behind_a_record_that_can_not_be_read_works_on() -> None:
    async def scenario() -> None:
        async with house(scorings=0) as where:
            table = await where.open_table(target_points=1)
            log, projections, partition = where.single.log, where.single.projections, partition_of(table)
            await Reader(log, projections, partition).catch_up()
            begun = await projections.position(partition)
            version = log._partitions[partition].rows[begun - 1].row.version
            tamper(where.single, table, version, b'"command":{', b'"command":[')
            await where.until_stopped(table)
            successor = Reader(log, projections, partition)
            await successor.catch_up()
            assert successor.position is not None
            assert successor.position > begun > 2

    virtual.run(scenario)


def test_the_auditor_finds_nothing_in_a_good_log_and_begins_again() -> None:
    async def scenario() -> None:
        async with house() as where:
            table = await where.open_table(target_points=1)
            await where.until_phase(table, "over")
            partition, audit = partition_of(table), auditor(where, table)
            await where.single.projections.mark_audited(partition, 0)
            before = REGISTRY.get_sample_value("quartet_audit_faults_total", {"kind": "hash"})
            rounds = len(await where.rounds(table))
            assert await audit.some(partition) == rounds
            assert await audit.some(partition) == 0, "the end of a pass"
            assert await audit.some(partition) == rounds, "the next pass"
            assert REGISTRY.get_sample_value("quartet_audit_faults_total", {"kind": "hash"}) == before

    virtual.run(scenario)


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [(b'"salt":"', b'"salt":"0', "bytes"), (b'"epoch":1', b'"epoch":2', "hash"), (b'"at":1', b'"at":2', "column")],
)
def test_the_auditor_tells_the_kind_of_what_was_changed_later(old: bytes, new: bytes, kind: str) -> None:
    async def scenario() -> None:
        async with house() as where:
            table = await where.open_table(target_points=1)
            await where.until_phase(table, "over")
            version = (await where.rounds(table))[0].first_version + 3
            tamper(where.single, table, version, old, new)
            before = sum(faults(each) for each in ("bytes", "form", "hash", "column"))
            await where.single.projections.mark_audited(partition_of(table), 0)
            await auditor(where, table).some(partition_of(table))
            assert sum(faults(each) for each in ("bytes", "form", "hash", "column")) == before + 1

    virtual.run(scenario)


def test_the_auditor_finds_a_cut_tail() -> None:
    async def scenario() -> None:
        async with house() as where:
            table = await where.open_table(target_points=1)
            await where.until_phase(table, "over")
            line = (await where.rounds(table))[-1]
            stored = where.single.log._partitions[partition_of(table)].tables[table]
            del stored[line.last_version or 0]
            before = faults("head")
            await where.single.projections.mark_audited(partition_of(table), (line.position or 1) - 1)
            await auditor(where, table).some(partition_of(table))
            assert faults("head") == before + 1

    virtual.run(scenario)


def test_the_auditor_finds_a_round_that_is_right_in_itself_and_no_sequel_to_the_one_before() -> None:
    """Whoever can write the whole database chains the second round anew, from another hash."""

    async def scenario() -> None:
        async with house() as where:
            table = await where.open_table(target_points=2)
            await where.until_phase(table, "over")
            partition, projections = partition_of(table), where.single.projections
            second = (await where.rounds(table))[1]
            assert second.last_version is not None
            head = rechain(where, table, second.first_version, second.last_version, b"\x07" * 32)
            place = await projections.position(partition)
            assert await projections.advance(partition, place, place, Change(rounds=(replace(second, head=head),)))
            before = faults("hash")
            await projections.mark_audited(partition, 0)
            await auditor(where, table).some(partition)
            assert faults("hash") == before + 1

    virtual.run(scenario)


def rechain(where: House, table: str, first: int, last: int, previous: bytes) -> str:
    """The records of a round behind another hash, in the database; the new head in hex."""
    kept = where.single.log._partitions[partition_of(table)]
    rows = [kept.tables[table][version].row for version in range(first, last + 1)]
    for row, body, hash in zip(rows, *chained(decoded(rows), previous, first), strict=True):
        old = kept.tables[table][row.version]
        new = dataclasses.replace(old, row=dataclasses.replace(row, body=body, hash=hash))
        kept.rows[old.position - 1] = kept.tables[table][row.version] = new
    return hash.hex()


def test_the_running_service_audits_by_itself() -> None:
    async def scenario() -> None:
        async with house() as where:
            before = REGISTRY.get_sample_value("quartet_audit_rounds_total") or 0.0
            table = await where.open_table(target_points=1)
            await where.until_phase(table, "over")
            await until(lambda: (REGISTRY.get_sample_value("quartet_audit_rounds_total") or 0.0) > before)

    virtual.run(scenario)


def test_the_auditor_finds_a_round_that_is_not_the_one_that_was_sealed() -> None:
    async def scenario() -> None:
        async with house(keys=KEYS) as where:
            table = await where.open_table(target_points=1)
            await where.until_phase(table, "over")
            ledger = where.single.ledger

            async def sealed() -> bool:
                return await ledger.place(table, 1) is not None

            await until(sealed, 60)
            before = faults("seal")
            await auditor(where, table).some(partition_of(table))
            assert faults("seal") == before
            index, leaf = await ledger.place(table, 1) or (0, None)
            assert leaf is not None
            ledger._leaves[index] = replace(leaf, head="f" * 64)
            await where.single.projections.mark_audited(partition_of(table), 0)
            await auditor(where, table).some(partition_of(table))
            assert faults("seal") == before + 1

    virtual.run(scenario)
