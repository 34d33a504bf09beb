"""Every client is a witness: the newest checkpoint is in the views between two rounds, and in no other."""

from typing import Any

import msgspec

from shared.proof import checkpoint, merkle
from tests import virtual
from tests.proof.ledgers import KEYS
from tests.scoring.house import house
from tests.waiting import until


def test_views_between_rounds_have_a_checkpoint_and_soon_the_one_that_seals_the_round() -> None:
    async def scenario() -> None:
        async with house(keys=KEYS) as where:
            views: list[dict[str, Any]] = []
            table = await where.open_table(target_points=3)
            where.caller.watch(table, lambda public, _: views.append(msgspec.json.decode(public)))

            async def sealed() -> bool:
                where.single.check()
                place = await where.single.ledger.place(table, len(await where.rounds(table)))
                noted = [view["checkpoint"] for view in views if view["phase"] == "over" and "checkpoint" in view]
                sizes = [checkpoint.read(note, KEYS.verifiers)[0].size for note in noted]
                return place is not None and any(size > place[0] for size in sizes)

            await where.until_phase(table, "over")
            await until(sealed, 60)
            shown = [view for view in views if "checkpoint" in view]
            assert {view["phase"] for view in shown} <= {"break", "over"}
            signed = [checkpoint.read(view["checkpoint"], KEYS.verifiers)[0] for view in shown]
            assert [each.size for each in signed] == sorted(each.size for each in signed)
            hashes = [merkle.leaf_hash(leaf) for leaf in await where.single.ledger.leaves(0, 1_000)]
            assert all(each.root == merkle.root(hashes[: each.size]) for each in signed)

    virtual.run(scenario)


def test_without_a_signing_key_there_is_no_checkpoint() -> None:
    async def scenario() -> None:
        async with house() as where:
            views: list[dict[str, Any]] = []
            table = await where.open_table(target_points=1)
            where.caller.watch(table, lambda public, _: views.append(msgspec.json.decode(public)))
            await where.until_phase(table, "over")
            assert await where.single.ledger.newest() is None
            assert not any("checkpoint" in view for view in views)

    virtual.run(scenario)
