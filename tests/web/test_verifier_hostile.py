"""A lying operator's files: the browser refuses what the independent verifier refuses, at the same record."""

import json
from collections.abc import Callable, Iterator

import pytest

from bench.verifiers import KEY
from services.gateway.web import verify_bundle as verifier
from shared.proof.note import Signer
from tests.proof.forge import repacked
from tests.proof.hostile import honest, note_of
from tests.proof.rounds import SIGNER
from tests.proof.test_hostile_archive import ARCHIVES
from tests.proof.test_hostile_json import DEEP, chained_anew, manifests, records, with_manifest
from tests.proof.test_hostile_seal import OTHER, sealed_by
from tests.web.engine import in_the_browser

Named = Iterator[tuple[str, bytes]]
SAME = ("verdict", "version", "signed_by", "trusted")
TOO_LARGE = "larger than any bundle"
"""Refused by its size alone; not sent through a pipe."""


def archives() -> Named:
    yield from ((name, make()) for name, make in ARCHIVES.items() if name != TOO_LARGE)


def manifested() -> Named:
    yield from ((name, with_manifest(text)) for name, text in manifests())


def files() -> Named:
    for file in (verifier.SEAL, verifier.MARGINS, verifier.KEYS):
        for text in (b"", b"null", b"7", b'"x"', b"{}", b"[null]", b"[[]]", b"NaN", b"[1e999]", DEEP):
            yield f"{file} {text[:8].decode()}", repacked(honest(), file, text)


def recorded() -> Named:
    yield from ((name, chained_anew(body)) for name, body in records())


def seals() -> Named:
    key = str(SIGNER.verifier)
    yield "another signer", sealed_by(OTHER)
    yield "another signer, both keys", sealed_by(OTHER, keys=[key, str(OTHER.verifier)])
    yield "another log", sealed_by(SIGNER, origin="elsewhere.test/log")
    for name in ("", "two words", "line\nbreak", "a\x1b[2Jb", "line\N{LINE SEPARATOR}break", "\ufeffmark"):
        yield f"a key named {name!r}", sealed_by(Signer(name, SIGNER.private))
    for text in (f" {key}", f"{key}\n", key.upper(), key[:-1], key.replace("+", "+ ", 1)):
        yield f"a key written {text!r}", sealed_by(SIGNER, keys=[text])
    for text in ("x\n5\n", "x\n٥\nAAAA\n", "x\n+5\nAAAA\n", "x\n" + "9" * 5000 + "\nAAAA\n", "\n\n\n", ""):
        for note in (SIGNER.sign(text + "\n"), text, text + "\n\n", text + "\n\n— x y\n"):
            yield f"a checkpoint {note[:12]!r}", repacked(honest(), verifier.CHECKPOINT, note.encode())
    leaf = json.loads(verifier.unzip(honest())[verifier.SEAL])["leaf"].encode()
    yield "a log of this round alone", repacked(honest(), verifier.CHECKPOINT, note_of(SIGNER, leaf).encode())


@pytest.mark.parametrize("kind", [archives, manifested, files, recorded, seals])
@pytest.mark.parametrize("trust", ["", str(KEY)], ids=["anybody", "one key"])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_the_browser_is_no_easier_to_fool(kind: Callable[[], Named], trust: str) -> None:
    bundles = dict(kind())
    here = in_the_browser(list(bundles.values()), trust=trust)
    differ = []
    for (name, bundle), ours in zip(bundles.items(), here, strict=True):
        theirs = verifier.check(bundle, [KEY] if trust else [])
        if any(ours[field] != theirs[field] for field in SAME):
            said = [f"{each['verdict']} {each['version']} {each['detail']}" for each in (ours, theirs)]
            differ.append(f"{name}: {' | '.join(said)}")
    assert differ == []
