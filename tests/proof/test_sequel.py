"""Bundles of successive rounds: what one left is what the next began with, or it is found."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.verifiers import KEY
from services.cli import application
from services.gateway.web import verify_bundle as verifier
from shared.proof.check import Verdict, check
from tests.proof.forge import decoded, forged, repacked
from tests.proof.hostile import honest
from tests.proof.mischief import rounds_of
from tests.proof.mischief_games import mischief
from tests.proof.rounds import SIGNER, bundled
from tests.rules import rule


@rule("T-AWARD-1")
@pytest.mark.parametrize(("game", "seats"), [("quatro", 4), ("quatro", 8), ("kwartet", 2), ("kwartet", 5)])
def test_bundles_of_successive_rounds_prove_what_each_but_the_first_began_with(game: str, seats: int) -> None:
    rounds = rounds_of(mischief(game, seats, 1))
    bundles = [bundled(*each) for each in rounds]
    assert len(bundles) > 1
    theirs = verifier.check_all(bundles, [KEY])
    assert [report["verdict"] for report in theirs] == ["proven"] * len(bundles)
    assert [report["follows"] for report in theirs] == [None, *range(1, len(bundles))]
    for before, bundle in pairwise(bundles):
        report = check(bundle, [SIGNER.verifier], before=before)
        assert (report.verdict, report.follows) == (Verdict.PROVEN, (report.round or 0) - 1)


CARRIED = [
    "points",
    "private",
    "created_at",
    "last_first_version",
    "seats",
    "takings",
    "host",
    "awarded_at",
    "stop",
    "carry",
]


@pytest.mark.parametrize("field", CARRIED)
@pytest.mark.parametrize("game", ["quatro", "kwartet"])
def test_a_round_that_begins_with_something_else_is_right_alone_and_found_behind_its_predecessor(
    game: str, field: str
) -> None:
    (first, previous), (rows, before) = rounds_of(mischief(game, 6, 1))[:2]
    records = decoded(rows)[:1]
    records[0]["carry"][field] = _otherwise(records[0]["carry"][field])
    changed = forged([*records, *decoded(rows)[1:]], before, rows[0].version)
    known = bundled(first, previous)
    report = check(changed, [SIGNER.verifier], before=known)
    theirs = verifier.check_all([known, changed], [KEY])[1]
    assert (report.verdict, theirs["verdict"]) == ("wrong", "wrong")
    assert report.version == theirs["version"] == rows[0].version
    assert theirs["kind"] == report.kind == "carry"


def _otherwise(value: object) -> object:
    """The same with one thing in it changed."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, list):
        return [_otherwise(value[0]), *value[1:]]
    if isinstance(value, dict):
        name = next(name for name, each in sorted(value.items()) if each is not None)
        return {**value, name: _otherwise(value[name])}
    return {"at": 1, "version": 1}


def test_bundles_that_do_not_follow_each_other_are_told_apart_from_those_that_do(tmp_path: Path) -> None:
    one, two, three = (bundled(*each) for each in rounds_of(mischief("quatro", 4, 1))[:3])
    for pair in ((one, three), (two, one), (one, one), (one, honest())):
        assert check(pair[1], before=pair[0]).kind == "sequel"
        assert [report["kind"] for report in verifier.check_all(pair)] == [None, "sequel"]
    spoilt = repacked(one, verifier.SEAL, b"{}")
    files = [tmp_path / name for name in ("one.zip", "two.zip", "three.zip", "spoilt.zip")]
    for file, data in zip(files, (one, two, three, spoilt), strict=True):
        file.write_bytes(data)
    for names, status in ((files[:3], 0), ([files[0], files[2]], 1), ([files[3], files[1]], 1)):
        result = CliRunner().invoke(application(), ["check", *map(str, names), "--json"])
        assert result.exit_code == status
        assert len(json.loads(result.output)) == len(names)
        assert verifier.main([*map(str, names), "--json"]) == status
    assert json.loads(result.output)[1]["follows"] is None, "not the sequel of what is not proven"
