"""Notes, checkpoints, keys and receipts: who signed is known, and nothing changed passes."""

import base64
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from shared.proof import checkpoint, keys, merkle, receipt
from shared.proof.checkpoint import Checkpoint
from shared.proof.note import BadNote, Signer, Verifier, open_note

SIGNER = Signer("example.test/log", Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
OTHER = Signer("example.test/log", Ed25519PrivateKey.from_private_bytes(bytes(32)))
HASHES = [bytes([n]) * 32 for n in range(5)]


def test_the_example_note_of_the_format_s_page_is_read() -> None:
    """The verifier key and note are Go's sumdb/note documentation example."""
    verifier = Verifier.parse("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    note = (
        "If you think cryptography is the answer to your problem,\n"
        "then you don't know what your problem is.\n"
        "\n"
        "\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNI"
        "uGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
    )
    assert open_note(note, [verifier])[1] == verifier


def test_a_note_is_opened_by_its_key_and_by_no_other() -> None:
    note = SIGNER.sign("a text\nof two lines\n")
    assert open_note(note, [OTHER.verifier, SIGNER.verifier]) == ("a text\nof two lines\n", SIGNER.verifier)
    with pytest.raises(BadNote, match="no known key"):
        open_note(note, [OTHER.verifier])


@pytest.mark.parametrize(("was", "becomes"), [("two", "ten"), ("lines\n\n", "lines\n"), ("\u2014 ", "- ")])
def test_a_changed_note_is_not_opened(was: str, becomes: str) -> None:
    note = SIGNER.sign("a text\nof two lines\n").replace(was, becomes)
    with pytest.raises(BadNote):
        open_note(note, [SIGNER.verifier])


def test_a_verifier_s_text_leads_back_to_it_and_a_wrong_one_is_refused() -> None:
    text = str(SIGNER.verifier)
    assert Verifier.parse(text) == SIGNER.verifier
    for wrong in ("", "name", text.replace("+", "-"), text[:-4] + "AAA=", text.replace("example", "other")):
        with pytest.raises(BadNote):
            Verifier.parse(wrong)


def test_a_checkpoint_says_origin_size_and_root() -> None:
    root = merkle.root([merkle.leaf_hash(hash) for hash in HASHES])
    made = Checkpoint("example.test/log", 5, root)
    note = made.signed(SIGNER)
    assert note.split("\n")[:3] == ["example.test/log", "5", base64.b64encode(root).decode()]
    assert checkpoint.read(note, [SIGNER.verifier]) == (made, SIGNER.verifier)
    for wrong in ("", "x\n05\nAAAA\n", "x\n1\nAAAA\n", "x\n1\n"):
        with pytest.raises(BadNote):
            checkpoint.parse(wrong)


def test_the_first_key_of_a_file_signs_and_all_are_known(tmp_path: Path) -> None:
    file = tmp_path / "keys.pem"
    file.write_text(keys.new_key() + keys.new_key())
    loaded = keys.load(str(file), "example.test/log")
    assert len(loaded.verifiers) == 2
    assert loaded.signer.verifier == loaded.verifiers[0]
    assert keys.load(file.read_text(), "example.test/log").verifiers == loaded.verifiers


@pytest.mark.parametrize("content", ["", "nothing", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_what_is_no_key_is_refused_in_words(tmp_path: Path, content: str) -> None:
    file = tmp_path / "keys.pem"
    file.write_text(content)
    with pytest.raises(keys.BadKeys):
        keys.load(str(file), "x")
    with pytest.raises(keys.BadKeys, match="signing keys"):
        keys.load(str(tmp_path / "missing"), "x")


def test_a_receipt_vouches_for_its_record_and_for_no_other() -> None:
    made = receipt.receipts(SIGNER, "table-1", 7, 12, HASHES, (0, 3))
    assert set(made) == {0, 3}
    assert receipt.verified(made[3], HASHES[3], [OTHER.verifier, SIGNER.verifier]) == SIGNER.verifier
    assert receipt.verified(made[3], HASHES[2], [SIGNER.verifier]) is None
    assert receipt.verified(made[3], HASHES[3], [OTHER.verifier]) is None
    for changed in (
        {"n": 13},
        {"partition": 8},
        {"index": 2},
        {"root": "00" * 32},
        {"signature": "AA=="},
        {"path": ("x",)},
    ):
        assert receipt.verified(replace(made[3], **changed), HASHES[3], [SIGNER.verifier]) is None
