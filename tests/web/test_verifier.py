"""The check in the browser agrees with verify_bundle.py: on honest rounds of mischief, tampered ones, flipped bytes."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bench.verifiers import TABLES, flip
from services.gateway.web import verify_bundle as verifier
from shared.proof.note import Signer
from tests.proof.forge import decoded, forged, repacked
from tests.proof.mischief import rounds_of
from tests.proof.mischief_games import mischief
from tests.proof.mutations import mutate
from tests.proof.rounds import SIGNER, bundled, game_rows, round_rows
from tests.proof.tamperings import ALL, tampered
from tests.rules import rule
from tests.web.engine import in_the_browser

Json = dict[str, Any]
COMPARED = (
    "verdict",
    "version",
    "table",
    "round",
    "game",
    "records",
    "points",
    "totals",
    "winners",
    "races",
    "stopped",
)
SEED = 0


def differences(bundles: dict[str, bytes]) -> list[str]:
    """Where the two say something else."""
    ours = in_the_browser(list(bundles.values()))
    assert len(ours) == len(bundles)
    found = []
    for (name, bundle), here in zip(bundles.items(), ours, strict=True):
        there = json.loads(verifier.canonical(verifier.check(bundle)))
        differ = [field for field in COMPARED if here[field] != there[field]]
        if differ:
            found.append(f"{name}: {differ} {_words(here)} | {_words(there)}")
    return found


def _words(report: Json) -> str:
    return f"{report['verdict']} {report['version']} {report['kind']} {report['detail']}"


def bundles_of(game: str, seats: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Each round as it is, tampered with in one of many ways, changed anywhere, and with a byte flipped."""
    for rows, previous in rounds_of(mischief(game, seats, seed)):
        name = f"{game}/{seats} seed {seed} round {rows[0].round}"
        chance, honest = Random(name), bundled(rows, previous)
        yield name, honest
        for way, changed in tampered(decoded(rows), chance, chance.sample(ALL, 5)):
            yield f"{name} {way}", forged(changed.records, previous, rows[0].version)
        records = decoded(rows)
        where = mutate(records, chance)
        with suppress(AttributeError, TypeError, KeyError):  # what even a forger can't put into a bundle
            yield f"{name} changed {where}", forged(records, previous, rows[0].version)
        file, place, flipped = flip(honest, chance)
        yield f"{name} byte {place} of {file}", flipped


@rule("T-CHANCE-1", "T-LATE-1", "T-LIMIT-1", "Q-SWAP-3", "Q-VOTE-6", "K-ASK-7", "K-ASK-8")
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_browser_says_what_the_independent_verifier_says(game: str, seats: int) -> None:
    bundles = dict(bundles_of(game, seats, SEED))
    assert differences(bundles) == []


def test_every_kind_of_tampering_is_found_in_the_browser_at_its_record() -> None:
    bundles, meant = [], []
    for game, seats in (("quatro", 4), ("quatro", 6), ("kwartet", 3), ("kwartet", 2)):
        for rows, previous in rounds_of(mischief(game, seats, 1)):
            for way, changed in tampered(decoded(rows), Random(way_seed(game, seats))):
                bundles.append(forged(changed.records, previous, rows[0].version))
                meant.append((way, changed))
    found = in_the_browser(bundles)
    missed = [
        f"{way} at {changed.version}: {_words(report)}"
        for (way, changed), report in zip(meant, found, strict=True)
        if report["verdict"] != "wrong" or not changed.shows(report["version"], report["kind"])
    ]
    assert missed == []
    assert set(Counter(way for way, _ in meant)) == {each.__name__ for each in ALL}


def way_seed(game: str, seats: int) -> str:
    """One chance for each table."""
    return f"tampering {game} {seats}"


def test_quiet_rounds_of_bots_are_proven_with_their_points_and_signer() -> None:
    rounds = [round_rows(game_rows(game, seats, 1), 1) for game, seats in (("quatro", 4), ("kwartet", 3))]
    reports = in_the_browser([bundled(*each) for each in rounds])
    assert [report["verdict"] for report in reports] == ["proven", "proven"]
    assert {report["signed_by"] for report in reports} == {str(SIGNER.verifier)}


def test_a_changed_signature_key_or_seal_is_found() -> None:
    rows, previous = round_rows(game_rows("quatro", 4, 1), 1)
    honest = bundled(rows, previous)
    files = verifier.unzip(honest)
    note = files[verifier.CHECKPOINT].decode()
    other = Signer(SIGNER.name, Ed25519PrivateKey.from_private_bytes(bytes(32)))
    broken = {
        "another size": repacked(honest, verifier.CHECKPOINT, note.replace("\n5\n", "\n6\n").encode()),
        "another key": repacked(honest, verifier.KEYS, verifier.canonical([str(other.verifier)])),
        "no signature": repacked(honest, verifier.CHECKPOINT, note.split("\n\n")[0].encode()),
        "another place": repacked(honest, verifier.SEAL, files[verifier.SEAL].replace(b'"index":3', b'"index":2')),
        "nothing": b"",
        "something else": b"PK" + bytes(100),
        "a byte more": honest + b"\0",
    }
    assert differences(broken) == []
    assert {report["verdict"] for report in in_the_browser(list(broken.values()))} == {"wrong"}


def test_a_later_format_or_revision_is_not_judged() -> None:
    rows, previous = round_rows(game_rows("kwartet", 3, 1), 1)
    records = decoded(rows)
    records[0]["carry"]["revision"] = 2
    later = {"revision": forged(records, previous, rows[0].version)}
    assert differences(later) == []
    assert [report["verdict"] for report in in_the_browser(list(later.values()))] == ["unknown"]
