"""Bundles of successive rounds in the browser: what each but the first began with, as verify_bundle.py tells it."""

import json

import pytest

from bench.verifiers import KEY
from services.gateway.web import verify_bundle as verifier
from tests.proof.forge import decoded, forged, repacked
from tests.proof.hostile import honest
from tests.proof.mischief import rounds_of
from tests.proof.mischief_games import mischief
from tests.proof.rounds import bundled
from tests.proof.test_sequel import CARRIED, _otherwise
from tests.rules import rule
from tests.web.engine import Json, in_a_row

TABLES = (("quatro", 4), ("quatro", 6), ("quatro", 8), ("kwartet", 2), ("kwartet", 3), ("kwartet", 5))


def same(series: list[list[bytes]]) -> list[list[Json]]:
    """The browser's reports, which are but for the words of a fault those of the independent verifier."""
    here = in_a_row(series, trust=str(KEY))
    there = [json.loads(verifier.canonical(verifier.check_all(bundles, [KEY]))) for bundles in series]
    assert [list(map(_bare, reports)) for reports in here] == [list(map(_bare, reports)) for reports in there]
    return here


def _bare(report: Json) -> Json:
    return {name: value for name, value in report.items() if name != "detail"}


@rule("T-AWARD-1")
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_successive_rounds_follow_from_each_other(game: str, seats: int) -> None:
    bundles = [bundled(*each) for each in rounds_of(mischief(game, seats, 1))]
    assert len(bundles) > 1
    (reports,) = same([bundles])
    assert [report["verdict"] for report in reports] == ["proven"] * len(bundles)
    assert [report["follows"] for report in reports] == [None, *range(1, len(bundles))]


@pytest.mark.parametrize("game", ["quatro", "kwartet"])
def test_a_round_that_begins_with_something_else_is_found(game: str) -> None:
    (first, previous), (rows, before) = rounds_of(mischief(game, 6, 1))[:2]
    known, series = bundled(first, previous), []
    for field in CARRIED:
        records = decoded(rows)[:1]
        records[0]["carry"][field] = _otherwise(records[0]["carry"][field])
        series.append([known, forged([*records, *decoded(rows)[1:]], before, rows[0].version)])
    found = same(series)
    assert {(report["verdict"], report["kind"]) for _, report in found} == {("wrong", "carry")}


def test_what_does_not_follow_is_told_apart_from_what_does() -> None:
    one, two, three = (bundled(*each) for each in rounds_of(mischief("quatro", 4, 1))[:3])
    spoilt = repacked(one, verifier.SEAL, b"{}")
    reports = same([[one, two, three], [one, three], [two, one], [one, one], [one, honest()], [spoilt, two]])
    assert [report["kind"] for _, report, *_ in reports] == [None, "sequel", "sequel", "sequel", "sequel", None]
