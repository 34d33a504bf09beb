"""A bundle proves its round with nothing but its bytes, and what is changed in it is found."""

import io
import zipfile

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.proof.bundle import NAMES
from shared.proof.check import Held, Verdict, check
from shared.proof.note import Signer
from shared.proof.receipt import receipts
from tests.proof.rounds import SIGNER, bundled, game_rows, round_rows

OTHER = Signer("quartet.test/log", Ed25519PrivateKey.from_private_bytes(bytes(32)))


@pytest.mark.parametrize(("game", "seats"), [("quatro", 4), ("quatro", 6), ("kwartet", 3), ("kwartet", 2)])
def test_every_awarded_round_of_a_game_is_proven(game: str, seats: int) -> None:
    rows = game_rows(game, seats, 1)
    rounds = sorted({row.round for row in rows if row.round > 0})
    for round in rounds:
        report = check(bundled(*round_rows(rows, round)), [SIGNER.verifier])
        assert report.verdict is Verdict.PROVEN, report
        assert (report.table, report.round, report.game) == (rows[0].table_id, round, game)
        assert report.trusted
        assert sum(report.points) > 0 or game == "quatro"


def test_the_same_round_gives_the_same_bytes() -> None:
    rows, previous = round_rows(game_rows("quatro", 4, 1), 1)
    assert bundled(rows, previous) == bundled(rows, previous)


def test_the_archive_holds_stored_sorted_undated_entries_and_no_names() -> None:
    data = bundled(*round_rows(game_rows("quatro", 4, 1), 1))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        assert [entry.filename for entry in entries] == sorted(NAMES)
        assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}
        assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}


def test_without_a_key_to_trust_the_answer_says_who_signed() -> None:
    report = check(bundled(*round_rows(game_rows("quatro", 4, 1), 1)))
    assert (report.verdict, report.trusted) == (Verdict.PROVEN, False)
    assert report.signed_by == str(SIGNER.verifier)


def test_a_round_signed_by_another_key_than_the_trusted_one_is_not_proven() -> None:
    report = check(bundled(*round_rows(game_rows("quatro", 4, 1), 1), OTHER), [SIGNER.verifier])
    assert (report.verdict, report.kind) == (Verdict.WRONG, "key")


def test_a_truncated_tail_and_a_dropped_record_are_found() -> None:
    rows, previous = round_rows(game_rows("quatro", 4, 1), 1)
    cut = check(bundled(rows[:-1], previous))
    assert (cut.verdict, cut.kind) == (Verdict.WRONG, "award")
    dropped = check(bundled((*rows[:5], *rows[6:]), previous))
    assert (dropped.verdict, dropped.version) == (Verdict.WRONG, rows[5].version)


@pytest.mark.parametrize("place", range(0, 100, 7))
def test_a_flipped_byte_anywhere_is_found(place: int) -> None:
    data = bytearray(bundled(*round_rows(game_rows("quatro", 4, 1), 1)))
    data[len(data) * place // 100] ^= 1
    assert check(bytes(data), [SIGNER.verifier]).verdict is Verdict.WRONG


@pytest.mark.parametrize("data", [b"", b"PK", b"not a zip at all", bytes(1000)])
def test_what_is_no_bundle_is_said_to_be_none(data: bytes) -> None:
    report = check(data)
    assert (report.verdict, report.kind) == (Verdict.WRONG, "bundle")


def test_a_receipt_finds_its_record_and_one_for_a_missing_record_proves_the_cut() -> None:
    rows, previous = round_rows(game_rows("quatro", 4, 1), 1)
    kept = receipts(SIGNER, "table-1", 0, 7, [row.hash for row in rows], range(len(rows)))
    held = [Held(rows[4].hash.hex(), kept[4])]
    fine = check(bundled(rows, previous), [SIGNER.verifier], held)
    assert fine.verdict is Verdict.PROVEN
    assert fine.receipts[0].version == rows[4].version
    lost = receipts(SIGNER, "table-1", 0, 7, [b"x" * 32], [0])[0]
    cut = check(bundled(rows, previous), [SIGNER.verifier], [*held, Held((b"x" * 32).hex(), lost)])
    assert (cut.verdict, cut.kind) == (Verdict.WRONG, "receipt")
    forged = receipts(OTHER, "table-1", 0, 7, [b"x" * 32], [0])[0]
    assert (
        check(bundled(rows, previous), [SIGNER.verifier], [Held((b"x" * 32).hex(), forged)]).verdict is Verdict.PROVEN
    )
