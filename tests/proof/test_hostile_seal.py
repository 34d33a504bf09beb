"""Keys, checkpoints, inclusion proofs: whatever a lying operator does with them is refused in words, by both."""

import base64
import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bench.verifiers import both
from services.gateway.web import verify_bundle as verifier
from shared.proof import merkle
from shared.proof.check import Verdict, check
from shared.proof.checkpoint import Checkpoint
from shared.proof.note import Signer
from tests.proof.forge import Json, packed, repacked
from tests.proof.hostile import honest, manifest, note_of, refused
from tests.proof.rounds import SIGNER

OTHER = Signer(SIGNER.name, Ed25519PrivateKey.from_private_bytes(bytes(32)))


def sealed_by(signer: Signer, origin: str | None = None, keys: list[str] | None = None) -> bytes:
    """The honest records under this key's checkpoint."""
    files = verifier.unzip(honest())
    del files[verifier.MANIFEST]
    leaf = json.loads(files[verifier.SEAL])["leaf"].encode()
    files[verifier.CHECKPOINT] = note_of(signer, leaf, origin).encode()
    files[verifier.KEYS] = verifier.canonical(keys or [str(signer.verifier)])
    files[verifier.SEAL] = verifier.canonical({"index": 0, "leaf": leaf.decode(), "proof": [], "size": 1})
    return packed(files, manifest())


def test_without_a_key_to_trust_anybody_can_sign_and_the_answer_says_who() -> None:
    bundle = sealed_by(OTHER)
    ours, theirs = check(bundle), verifier.check(bundle)
    assert (ours.verdict, ours.trusted, ours.signed_by) == (Verdict.PROVEN, False, str(OTHER.verifier))
    assert (theirs["verdict"], theirs["trusted"], theirs["signed_by"]) == ("proven", False, str(OTHER.verifier))
    assert "anyone can make a key" in verifier.words(theirs)
    assert refused(bundle) == "key"


def test_the_trusted_key_among_the_keys_does_not_vouch_for_what_another_signed() -> None:
    keys = [str(SIGNER.verifier), str(OTHER.verifier)]
    assert refused(sealed_by(OTHER, keys=keys)) == "seal"


def test_a_second_signature_does_not_spoil_the_trusted_one() -> None:
    files = verifier.unzip(honest())
    note = files[verifier.CHECKPOINT].decode()
    text = note.partition("\n\n")[0] + "\n"
    second = OTHER.sign(text).removeprefix(text + "\n")
    files[verifier.CHECKPOINT] = note.replace("\n\n", "\n\n" + second, 1).encode()
    files[verifier.KEYS] = verifier.canonical([str(OTHER.verifier), str(SIGNER.verifier)])
    del files[verifier.MANIFEST]
    ours, theirs = both(packed(files, manifest()))
    assert (ours.verdict, ours.signed_by) == ("proven", str(SIGNER.verifier))
    assert (theirs["verdict"], theirs["signed_by"]) == ("proven", str(SIGNER.verifier))


def test_a_checkpoint_of_another_log_is_refused_though_the_right_key_signed_it() -> None:
    ours, theirs = both(sealed_by(SIGNER))
    assert (ours.verdict, theirs["verdict"]) == ("proven", "proven")
    assert refused(sealed_by(SIGNER, origin="elsewhere.test/log")) == "seal"


@pytest.mark.parametrize("name", ["", "two words", "line\nbreak", "a\x1b[2Jb", "line\N{LINE SEPARATOR}break"])
def test_a_key_with_a_name_that_is_none_is_refused(name: str) -> None:
    assert refused(sealed_by(Signer(name, SIGNER.private))) == "bundle"


def test_a_key_is_written_in_one_way() -> None:
    key = str(SIGNER.verifier)
    for text in (f" {key}", f"{key}\n", key.upper(), key[:-1], key.replace("+", "+ ", 1)):
        assert refused(sealed_by(SIGNER, keys=[text])) == "bundle"


def test_an_inclusion_proof_of_another_leaf_is_refused() -> None:
    other = merkle.leaf_hash(b"another round")
    mine = merkle.leaf_hash(json.loads(verifier.unzip(honest())[verifier.SEAL])["leaf"].encode())
    note = Checkpoint(SIGNER.name, 2, merkle.node_hash(mine, other)).signed(SIGNER)
    bundle = repacked(honest(), verifier.CHECKPOINT, note.encode())
    seal: Json = {"index": 0, "size": 2, "leaf": json.loads(verifier.unzip(honest())[verifier.SEAL])["leaf"]}
    right = repacked(bundle, verifier.SEAL, verifier.canonical({**seal, "proof": [other.hex()]}))
    ours, theirs = both(right)
    assert (ours.verdict, theirs["verdict"]) == ("proven", "proven")
    changes: list[Json] = [
        {"proof": [mine.hex()]}, {"proof": []}, {"proof": [other.hex()] * 2}, {"proof": [other.hex().upper()]},
        {"index": 1}, {"index": 2}, {"index": -1}, {"size": 1}, {"size": 3}, {"size": 0},
        {"leaf": '{"head":"00","round":1,"table":"x","version":1}'}, {"leaf": seal["leaf"] + " "},
    ]  # fmt: skip
    for changed in changes:
        text = verifier.canonical({**seal, "proof": [other.hex()], **changed})
        assert refused(repacked(bundle, verifier.SEAL, text)) in ("seal", "bundle"), changed


@pytest.mark.parametrize(
    "text", ["x\n5\n", "x\n٥\nAAAA\n", "x\n+5\nAAAA\n", "x\n5\nAAAA\n", "x\n" + "9" * 5000 + "\nAAAA\n", "\n\n\n", ""]
)
def test_a_checkpoint_that_is_none_is_refused(text: str) -> None:
    for note in (SIGNER.sign(text + "\n"), text, text + "\n\n", text + "\n\n— x y\n", text + "\n\n— \n"):
        assert refused(repacked(honest(), verifier.CHECKPOINT, note.encode())) == "seal"


def test_a_signature_line_of_other_base64_is_refused() -> None:
    note = verifier.unzip(honest())[verifier.CHECKPOINT].decode()
    line = note.splitlines()[-1]
    encoded = line.rpartition(" ")[2]
    for other in (encoded + "=", encoded[:-1], encoded + "AAAA", base64.b64encode(b"abc").decode(), "é"):
        assert refused(repacked(honest(), verifier.CHECKPOINT, note.replace(encoded, other).encode())) == "seal"
