"""Receipts and a trusted key beside a bundle: the browser, verify_bundle.py and `quartet check` answer the same."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from typer.testing import CliRunner

from services.cli import application
from services.gateway.web import verify_bundle as verifier
from shared.eventlog.port import Row
from shared.proof.note import Signer
from shared.proof.receipt import receipts
from tests.proof.mischief import rounds_of
from tests.proof.mischief_games import mischief
from tests.proof.rounds import SIGNER, bundled
from tests.web.engine import in_the_browser

Json = dict[str, Any]
OTHER = Signer(SIGNER.name, Ed25519PrivateKey.from_private_bytes(bytes(32)))
ABSENT = b"x" * 32
SAME = ("verdict", "version", "kind", "points", "records", "signed_by", "trusted", "receipts", "races")
"""What all three say in the same words."""
STATUS = {"proven": 0, "wrong": 1, "unknown": 2}


@pytest.fixture(scope="module")
def played() -> tuple[tuple[Row, ...], bytes]:
    """A round with refusals, and its bundle."""
    rows, previous = rounds_of(mischief("quatro", 6, 1))[0]
    return tuple(rows), bundled(rows, previous)


def kept(rows: tuple[Row, ...], signer: Signer = SIGNER) -> list[Json]:
    """Verdicts with signed receipts: one for each record, and last one for a record that is not there."""
    hashes = [*(row.hash for row in rows), ABSENT]
    made = receipts(signer, "table-1", 0, 7, hashes, range(len(hashes)))
    return [{"receipt": hash.hex(), "signed": msgspec.to_builtins(made[n])} for n, hash in enumerate(hashes)]


def changed(held: Json, **signed: object) -> Json:
    """The same with other fields in what is signed."""
    return {**held, "signed": {**held["signed"], **signed}}


CASES = (
    "nothing kept", "every record", "a cut", "a cut, another signer", "of another round", "of another table",
    "with the round's own note", "not signed", "another root", "another place", "a longer path", "another commit",
    "no path", "not hex", "signed is a list", "nothing but null",
)  # fmt: skip


def beside(case: str, rows: tuple[Row, ...]) -> list[Any]:
    """The verdicts of one case."""
    every = kept(rows)
    first, cut = every[0], every[-1]
    cases: dict[str, list[Any]] = {
        "nothing kept": [],
        "every record": every[:-1],
        "a cut": [first, cut],
        "a cut, another signer": [first, kept(rows, OTHER)[-1]],
        "of another round": [changed(cut, table=rows[0].table_id, round=9)],
        "of another table": [changed(cut, table="elsewhere")],
        "with the round's own note": [changed(first, table=rows[0].table_id, round=rows[0].round)],
        "not signed": [{"receipt": first["receipt"]}, first],
        "another root": [changed(first, root="00" * 32)],
        "another place": [changed(first, index=1)],
        "a longer path": [changed(first, path=[*first["signed"]["path"], "00" * 32])],
        "another commit": [changed(first, n=8)],
        "no path": [{**first, "signed": {k: v for k, v in first["signed"].items() if k != "path"}}],
        "not hex": [{**first, "receipt": first["receipt"].upper()}],
        "signed is a list": [{**first, "signed": []}],
        "nothing but null": [None],
    }
    return cases[case]


@pytest.mark.parametrize("case", CASES)
def test_the_browser_says_of_each_receipt_what_the_independent_verifier_says(
    case: str, played: tuple[tuple[Row, ...], bytes]
) -> None:
    rows, bundle = played
    held = beside(case, rows)
    for trust in ([], [SIGNER], [OTHER], [OTHER, SIGNER]):
        keys = "\n".join(str(signer.verifier) for signer in trust)
        [here] = in_the_browser([bundle], trust=keys, receipts=json.dumps(held))
        known = [verifier.Key.parse(str(signer.verifier)) for signer in trust]
        assert here == json.loads(verifier.canonical(verifier.check(bundle, known, held)))


@pytest.mark.parametrize("case", ["every record", "a cut", "a cut, another signer", "of another round", "another root"])
@pytest.mark.parametrize("trust", [None, SIGNER, OTHER])
def test_quartet_check_answers_the_same(
    case: str, trust: Signer | None, played: tuple[tuple[Row, ...], bytes], tmp_path: Path
) -> None:
    rows, bundle = played
    held = beside(case, rows)
    (tmp_path / "round.zip").write_bytes(bundle)
    (tmp_path / "receipts").write_text("\n".join(map(json.dumps, held)))
    key = [] if trust is None else ["--trust", str(trust.verifier)]
    done = CliRunner().invoke(
        application(["check"]),
        ["check", str(tmp_path / "round.zip"), "--receipts", str(tmp_path / "receipts"), "--json", *key],
    )
    there = json.loads(done.stdout)
    given = (tmp_path / "receipts").read_text()
    [here] = in_the_browser([bundle], trust="" if trust is None else str(trust.verifier), receipts=given)
    assert {name: here[name] for name in SAME} == {name: there[name] for name in SAME}
    assert STATUS[here["verdict"]] == done.exit_code


def test_a_cut_is_proven_and_a_stranger_s_key_is_not_trusted(played: tuple[tuple[Row, ...], bytes]) -> None:
    rows, bundle = played
    [cut] = in_the_browser([bundle], receipts=json.dumps(beside("a cut", rows)))
    assert (cut["verdict"], cut["kind"]) == ("wrong", "receipt")
    assert [each["version"] for each in cut["receipts"]] == [rows[0].version, None]
    [strange] = in_the_browser([bundle], trust=str(OTHER.verifier))
    assert (strange["verdict"], strange["kind"], strange["trusted"]) == ("wrong", "key", False)
    [known] = in_the_browser([bundle], trust=str(SIGNER.verifier))
    assert (known["verdict"], known["trusted"]) == ("proven", True)


@pytest.mark.parametrize("beside", [{"trust": "nonsense"}, {"receipts": "[nonsense"}, {"receipts": "{}\n{"}])
def test_what_can_t_be_read_is_said_and_nothing_is_claimed(
    beside: dict[str, str], played: tuple[tuple[Row, ...], bytes]
) -> None:
    [report] = in_the_browser([played[1]], **beside)
    assert (report["verdict"], report["kind"]) == ("unknown", "input")
