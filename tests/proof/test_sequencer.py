"""The sequencer: every awarded round gets one place, every checkpoint begins with the one before, and no two race."""

from collections.abc import AsyncIterator, Callable
from itertools import pairwise
from typing import Any

import asyncpg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from services.scoring.port import Change, RoundLine
from services.scoring.postgres import PostgresProjections
from services.scoring.sequencer import SEALS_MOST, Contradiction
from shared.eventlog.port import partition_of
from shared.ledger.memory import MemoryLedger
from shared.ledger.port import Ledger
from shared.ledger.postgres import PostgresLedger
from shared.proof import checkpoint, merkle
from shared.proof.keys import Keys
from shared.proof.note import Signer
from shared.proof.seal import Leaf
from tests import virtual
from tests.proof.ledgers import KEYS, Waiting, leaf, sequencer
from tests.proof.rounds import SIGNER
from tests.scoring.house import house
from tests.waiting import until

NEW = Signer(SIGNER.name, Ed25519PrivateKey.from_private_bytes(bytes(32)))


async def read(ledger: Ledger) -> list[bytes]:
    return list(await ledger.leaves(0, 1_000_000))


async def test_awarded_rounds_get_their_places_in_order_under_one_signed_checkpoint() -> None:
    waiting = Waiting(3)
    ledger = MemoryLedger(waiting)
    assert await sequencer(ledger).seal_waiting() == 3
    newest = await ledger.newest()
    assert newest is not None
    signed, signer = checkpoint.read(newest.note, KEYS.verifiers)
    assert (signed.size, signed.origin, signer) == (3, SIGNER.name, SIGNER.verifier)
    assert signed.root == merkle.root([merkle.leaf_hash(each.bytes) for each in waiting.leaves])
    assert await ledger.place("table-000002", 1) == (2, leaf(2))


async def test_nothing_waits_nothing_is_signed() -> None:
    ledger = MemoryLedger(Waiting())
    assert await sequencer(ledger).seal_waiting() == 0
    assert await ledger.newest() is None


async def test_every_checkpoint_is_consistent_with_the_one_before_also_after_a_restart() -> None:
    waiting = Waiting()
    ledger = MemoryLedger(waiting)
    seals, kept = sequencer(ledger), []
    for number in (1, 1, 5, 2, 7, 1):
        waiting.more(number)
        if number == 7:
            seals = sequencer(ledger)  # another process goes on
        assert await seals.seal_waiting() == number
        kept.append(await ledger.newest())
    hashes = [merkle.leaf_hash(each) for each in await read(ledger)]
    for before, after in pairwise(kept):
        assert before is not None
        assert after is not None
        proof = merkle.consistency(hashes[: after.size], before.size)
        assert merkle.consistent(before.size, after.size, before.root, after.root, proof)
    first = await ledger.first_with(1)
    assert first is not None
    assert first.size == 2


async def test_of_two_sequencers_that_both_believe_it_is_theirs_one_gets_a_place_and_the_other_the_next() -> None:
    waiting = Waiting(2)
    ledger = MemoryLedger(waiting)
    one, other = sequencer(ledger), sequencer(ledger)
    assert [await one.seal_waiting(), await other.seal_waiting()] == [2, 0]
    waiting.more(2)
    assert [await other.seal_waiting(), await one.seal_waiting()] == [2, 0]
    assert await read(ledger) == [each.bytes for each in waiting.leaves]


async def test_a_ledger_that_was_rewritten_is_not_signed_again() -> None:
    waiting = Waiting(4)
    ledger = MemoryLedger(waiting)
    await sequencer(ledger).seal_waiting()
    ledger._leaves[1] = replace(ledger._leaves[1], head="f" * 64)
    waiting.more(1)
    with pytest.raises(Contradiction, match="root"):
        await sequencer(ledger).seal_waiting()


async def test_a_ledger_that_was_cut_is_not_signed_again_by_who_remembers() -> None:
    waiting = Waiting(4)
    ledger = MemoryLedger(waiting)
    seals = sequencer(ledger)
    await seals.seal_waiting()
    ledger._checkpoints.clear()
    with pytest.raises(Contradiction, match="shorter"):
        await seals.seal_waiting()


async def test_a_new_key_signs_what_follows_while_the_old_one_is_known() -> None:
    waiting = Waiting(1)
    ledger = MemoryLedger(waiting)
    await sequencer(ledger).seal_waiting()
    waiting.more(1)
    with pytest.raises(Contradiction, match="no known key"):
        await sequencer(ledger, Keys((NEW,))).seal_waiting()
    assert await sequencer(ledger, Keys((NEW, SIGNER))).seal_waiting() == 1
    newest = await ledger.newest()
    assert newest is not None
    assert checkpoint.read(newest.note, [NEW.verifier])[0].size == 2
    assert newest.key == str(NEW.verifier)


async def test_a_hundred_thousand_leaves_cost_a_few_hashes_a_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = Waiting()
    ledger = MemoryLedger(waiting)
    seals = sequencer(ledger)
    for number in range(0, 100_000, SEALS_MOST):
        waiting.leaves = [leaf(each) for each in range(number, number + SEALS_MOST)]
        assert await seals.seal_waiting() == SEALS_MOST
    counted: list[int] = []
    honest: Callable[[bytes, bytes], bytes] = merkle.node_hash

    def counting(left: bytes, right: bytes) -> bytes:
        counted.append(1)
        return honest(left, right)

    monkeypatch.setattr(merkle, "node_hash", counting)
    waiting.leaves = [leaf(200_000)]
    assert await seals.seal_waiting() == 1
    assert len(counted) < 200


def test_every_awarded_round_of_a_running_house_is_sealed() -> None:
    async def scenario() -> None:
        async with house(scorings=2, keys=KEYS) as where:
            table = await where.open_table(target_points=2)
            await where.until_phase(table, "over")
            rounds = await where.rounds(table)

            async def sealed() -> bool:
                where.single.check()
                return all([await where.single.ledger.place(table, line.round) for line in rounds])

            await until(sealed, 60)
            for line in rounds:
                place = await where.single.ledger.place(table, line.round)
                assert place is not None
                assert place[1] == Leaf(table, line.round, line.last_version or 0, line.head or "")

    virtual.run(scenario)


@pytest.fixture
async def stored(postgres_url: str) -> AsyncIterator[tuple[PostgresLedger, PostgresProjections, str]]:
    """A ledger in Postgres with three awarded rounds that wait."""
    ledger = PostgresLedger.connect(postgres_url, "quartet_scoring", "test")
    projections = PostgresProjections(postgres_url, "quartet_scoring", "test")
    for number in range(3):
        await award(projections, leaf(number), number)
    yield ledger, projections, postgres_url
    await ledger.close()
    await projections.close()


async def award(projections: PostgresProjections, which: Leaf, at: int) -> None:
    partition = partition_of(which.table)
    line = RoundLine(
        table_id=which.table, round=which.round, partition=partition, first_version=1, last_version=which.version,
        awarded_at=at, head=which.head, position=7,
    )  # fmt: skip
    before = await projections.position(partition)
    assert await projections.advance(partition, before, before + 1, Change(rounds=(line,)))


Stored = tuple[PostgresLedger, PostgresProjections, str]


async def test_postgres_keeps_leaves_checkpoints_and_the_places_of_rounds(stored: Stored) -> None:
    ledger, projections, url = stored
    assert await sequencer(ledger).seal_waiting() == 3
    assert await read(ledger) == [leaf(number).bytes for number in range(3)]
    assert await ledger.place("table-000001", 1) == (1, leaf(1))
    assert await ledger.place("table-000001", 2) is None
    assert await ledger.sealed("table-000001", 0, 5) == {1: leaf(1)}
    assert await ledger.sealed("table-000001", 2, 5) == {}
    assert await ledger.unsealed(10) == []
    newest = await ledger.newest()
    assert newest is not None
    assert newest == await ledger.first_with(0)
    assert await query(url, "SELECT array_agg(sealed ORDER BY table_id) FROM rounds_index") == [0, 1, 2]
    await award(projections, leaf(3), 3)
    assert await sequencer(ledger).seal_waiting() == 1


async def test_postgres_lets_one_of_two_sequencers_through(stored: Stored) -> None:
    ledger, projections, _ = stored
    one, other = sequencer(ledger), sequencer(ledger)
    await one._catch_up()
    await other._catch_up()
    waiting = await ledger.unsealed(10)
    assert await one.seal_waiting() == 3
    newest = await ledger.newest()
    assert newest is not None
    assert not await ledger.append(0, waiting, newest)
    await award(projections, leaf(3), 3)
    assert await other.seal_waiting() == 1


async def test_projections_that_are_read_anew_get_their_places_back_and_no_second_leaf(stored: Stored) -> None:
    ledger, _, url = stored
    await sequencer(ledger).seal_waiting()
    await query(url, "UPDATE rounds_index SET sealed = NULL")
    assert await sequencer(ledger).seal_waiting() == 0
    assert await query(url, "SELECT array_agg(sealed ORDER BY table_id) FROM rounds_index") == [0, 1, 2]


@pytest.mark.parametrize("change", ["UPDATE leaves SET round = 9", "DELETE FROM checkpoints", "TRUNCATE leaves"])
async def test_nobody_changes_what_was_sealed(stored: Stored, change: str) -> None:
    ledger, _, url = stored
    await sequencer(ledger).seal_waiting()
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="append-only"):
        await query(url, change)


async def query(url: str, sql: str) -> Any:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()
