"""JSON that is not canonical, no JSON, or nonsense, in every file of a bundle, signed by a lying operator."""

import json
from collections.abc import Iterator

import pytest

from bench.verifiers import both
from services.gateway.web import verify_bundle as verifier
from shared.eventlog.chain import link
from shared.proof.check import check
from tests.proof.forge import Json, packed, repacked
from tests.proof.hostile import PREVIOUS, ROWS, honest, manifest, note_of, refused
from tests.proof.rounds import SIGNER

DEEP = b"[" * 100_000 + b"]" * 100_000
HUGE = (2**63, 2**64, 10**30, -(10**30))


def with_manifest(text: bytes) -> bytes:
    return verifier.zipped({**verifier.unzip(honest()), verifier.MANIFEST: text})


def manifests() -> Iterator[tuple[str, bytes]]:
    text = verifier.canonical(manifest())
    yield "a key twice", text.replace(b'"first":', b'"first":1,"first":', 1)
    backwards = dict(reversed(manifest().items()))
    yield "keys out of order", json.dumps(backwards, separators=(",", ":")).encode()
    yield "spaces", text.replace(b",", b", ", 1)
    yield "a byte order mark", b"\xef\xbb\xbf" + text
    yield "escapes that need not be", text.replace(b'"game"', b'"\\u0067ame"', 1)
    yield "half a surrogate", text.replace(b'"kwartet"', b'"\\ud800"', 1)
    yield "no UTF-8", text.replace(b'"kwartet"', b'"\xff"', 1)
    yield "nested too deep", b'{"a":' + DEEP + b"," + text[1:]
    yield "nothing", b""
    yield "a list", b"[]"
    yield "null", b"null"
    for value in (b"NaN", b"Infinity", b"-Infinity", b"1e400", b"1e2", b"12.0", b"-0", b"0x10", b"9" * 5000, *_huge()):
        yield f"first {value[:12].decode()}", _first(value)
    for value in (b"0", b"-1", b"-9223372036854775808", b"true", b"null", b'"7"', b"[7]"):
        yield f"first {value.decode()}", _first(value)
    for name in ("previous", "head"):
        for other in ('"' + "AB" * 32 + '"', '"' + "ab" * 31 + '"', '"zz"', "7", "null"):
            yield f"{name} {other[:12]}", text.replace(json.dumps(manifest()[name]).encode(), other.encode(), 1)


def _huge() -> list[bytes]:
    return [str(number).encode() for number in HUGE]


def _first(value: bytes) -> bytes:
    one = f'"first":{manifest()["first"]}'.encode()
    return verifier.canonical(manifest()).replace(one, b'"first":' + value, 1)


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in manifests()])
def test_a_manifest_that_is_not_canonical_or_not_one_is_refused(text: bytes) -> None:
    assert refused(with_manifest(text)) in ("bundle", "version", "manifest", "award")


@pytest.mark.parametrize("file", [verifier.SEAL, verifier.MARGINS, verifier.KEYS])
@pytest.mark.parametrize("text", [b"", b"null", b"7", b'"x"', b"{}", b"[null]", b"[[]]", b"NaN", b"[1e999]", DEEP])
def test_any_other_file_that_is_not_what_it_must_be_is_refused(file: str, text: bytes) -> None:
    assert refused(repacked(honest(), file, text)) in ("bundle", "seal", "races")


def records() -> Iterator[tuple[str, bytes]]:
    """The round's fifth record, changed in its bytes; all else fits."""
    body = ROWS[4].body
    yield "a key twice", body.replace(b'"at":', b'"at":1,"at":', 1)
    yield "spaces", body.replace(b":", b": ", 1)
    yield "escapes", body.replace(b'"table"', b'"\\u0074able"', 1)
    yield "half a surrogate", body.replace(b'"salt":"', b'"salt":"\\ud800', 1)
    yield "no UTF-8", body.replace(b'"salt":"', b'"salt":"\xff', 1)
    yield "nested too deep", b'{"a":' + DEEP + b"," + body[1:]
    yield "nothing", b""
    yield "a list", b"[]"
    yield "a number", b"7"
    yield "a zero byte", body + b"\0"
    yield "a carriage return", body + b"\r"
    for name in (b"at", b"epoch", b"n", b"round", b"v"):
        for value in (b"NaN", b"Infinity", b"1e3", b"-0", b"1.0", b"true", b"null", b'"1"', b"9" * 5000):
            yield f"{name.decode()} {value[:12].decode()}", _with(body, name, value)
    for name in (b"at", b"n", b"round", b"v"):
        yield from ((f"{name.decode()} {value.decode()}", _with(body, name, value)) for value in _huge())


def _with(body: bytes, name: bytes, value: bytes) -> bytes:
    old = verifier.canonical(json.loads(body)[name.decode()])
    return body.replace(b'"' + name + b'":' + old, b'"' + name + b'":' + value, 1)


def chained_anew(changed: bytes) -> bytes:
    """The bundle with that fifth record; chained, sealed and signed as if it were right."""
    bodies = [row.body for row in ROWS]
    bodies[4] = changed
    head = PREVIOUS
    for version, body in enumerate(bodies, ROWS[0].version):
        head = link(head, version, body)
    leaf = verifier.canonical({**_about(), "head": head.hex(), "version": ROWS[-1].version})
    files = {
        **{name: verifier.unzip(honest())[name] for name in (verifier.KEYS, verifier.MARGINS)},
        verifier.RECORDS: b"".join(body + b"\n" for body in bodies),
        verifier.CHECKPOINT: note_of(SIGNER, leaf).encode(),
        verifier.SEAL: verifier.canonical({"index": 0, "leaf": leaf.decode(), "proof": [], "size": 1}),
    }
    return packed(files, manifest() | {"head": head.hex()})


def _about() -> Json:
    return {"table": ROWS[0].table_id, "round": ROWS[0].round}


def test_the_chain_that_these_tests_forge_is_proven_when_nothing_is_changed() -> None:
    ours, theirs = both(chained_anew(ROWS[4].body))
    assert (ours.verdict, theirs["verdict"]) == ("proven", "proven")


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in records()])
def test_a_record_that_is_not_canonical_or_not_one_is_named(body: bytes) -> None:
    bundle = chained_anew(body)
    refused(bundle)
    assert check(bundle).version == ROWS[4].version
