"""What a round can't have begun with is found in its own file, by both; what is not for them to judge they leave."""

import json
from contextlib import suppress
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from bench.verifiers import both
from services.gateway.web import verify_bundle as verifier
from tests.proof.forge import Json, decoded, forged, packed
from tests.proof.hostile import honest, manifest, refused
from tests.proof.mischief import rounds_of
from tests.proof.mischief_games import mischief
from tests.proof.mutations import anywhere
from tests.rules import rule

RANGES: dict[str, tuple[int, int]] = {
    "target_points": (1, 50), "prepare_ms": (1_000, 600_000), "break_ms": (1_000, 600_000),
    "round_ms": (5_000, 3_600_000), "swap_wait_ms": (0, 60_000), "channel_wait_ms": (0, 60_000),
    "vote_gap_ms": (0, 60_000), "beat_ms": (1_000, 60_000), "vote_ms": (5_000, 60_000),
}  # fmt: skip
Rows = tuple[list[Json], bytes, int]


def round_of(game: str, seats: int) -> Rows:
    """Its records, to be changed; the hash and the version before them."""
    rows, previous = rounds_of(mischief(game, seats, 1))[0]
    return decoded(rows), previous, rows[0].version


@pytest.mark.parametrize(("name", "allowed"), RANGES.items())
def test_house_rules_of_quatro_that_nobody_can_choose_are_found(name: str, allowed: tuple[int, int]) -> None:
    for value in (allowed[0] - 1, allowed[1] + 1, str(allowed[0]), None, True):
        records, previous, first = round_of("quatro", 4)
        records[0]["carry"]["rules"][name] = value
        refused(forged(records, previous, first))


def doubled_family(rules: Json) -> None:
    rules["pack"]["families"][1]["name"] = rules["pack"]["families"][0]["name"]


def doubled_member(rules: Json) -> None:
    rules["pack"]["families"][0]["members"][1] = rules["pack"]["families"][0]["members"][0]


def three_members(rules: Json) -> None:
    del rules["pack"]["families"][0]["members"][0]


def short_turn(rules: Json) -> None:
    rules["turn_ms"] = 4_999


def long_turn(rules: Json) -> None:
    rules["turn_ms"] = 3_600_001


def other_miss(rules: Json) -> None:
    rules["after_miss"] = "nobody"


@rule("K-PACK-1")
@pytest.mark.parametrize(
    "change", [doubled_family, doubled_member, three_members, short_turn, long_turn, other_miss],
    ids=lambda change: change.__name__,
)  # fmt: skip
def test_house_rules_of_kwartet_that_nobody_can_choose_are_found_though_the_hash_of_the_pack_fits(change: Any) -> None:
    records, previous, first = round_of("kwartet", 3)
    rules = records[0]["carry"]["rules"]
    change(rules)
    rules["pack_hash"] = sha256(verifier.canonical(rules["pack"])).hexdigest()
    refused(forged(records, previous, first))


@pytest.mark.parametrize(("game", "seats"), [("quatro", 4), ("kwartet", 2)])
def test_both_say_the_same_of_a_carry_changed_anywhere(game: str, seats: int) -> None:
    chance, wrong = Random(game), 0
    for _ in range(60):
        records, previous, first = round_of(game, seats)
        where = anywhere(records[0]["carry"], chance)
        with suppress(AttributeError, TypeError, KeyError):  # what even a forger can't put into a bundle
            bundle = forged(records, previous, first)
            ours, theirs = both(bundle)
            assert (ours.verdict, ours.version) == (theirs["verdict"], theirs["version"]), (where, ours, theirs)
            wrong += ours.verdict == "wrong"
    assert wrong


@pytest.mark.parametrize(
    ("field", "value"),
    [("format", "quartet/bundle/2"), ("revision", 2), ("revision", 0), ("game", "bridge"), ("game", "")],
)
def test_a_later_format_another_game_and_another_revision_are_not_judged(field: str, value: object) -> None:
    files = verifier.unzip(honest())
    del files[verifier.MANIFEST]
    ours, theirs = both(packed(files, {**manifest(), field: value}))
    assert (ours.verdict, theirs["verdict"]) == ("unknown", "unknown")
    assert json.loads(files[verifier.SEAL])["leaf"], "nothing else was changed"
