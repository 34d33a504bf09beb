"""A lying operator's workbench: a sealed round to be changed at will, and both verifiers to show it to."""

import json
from functools import cache

from bench.verifiers import both
from services.gateway.web import verify_bundle as verifier
from shared.proof import merkle
from shared.proof.checkpoint import Checkpoint
from shared.proof.note import Signer
from tests.proof.forge import Json
from tests.proof.mischief import rounds_of
from tests.proof.mischief_games import mischief
from tests.proof.rounds import bundled

ROWS, PREVIOUS = rounds_of(mischief("kwartet", 3, 1))[0]


@cache
def honest() -> bytes:
    """The round's bundle."""
    return bundled(ROWS, PREVIOUS)


def manifest() -> Json:
    """Its manifest."""
    found: Json = json.loads(verifier.unzip(honest())[verifier.MANIFEST])
    return found


def note_of(signer: Signer, leaf: bytes, origin: str | None = None) -> str:
    """The checkpoint of a log with this one leaf."""
    return Checkpoint(origin or signer.name, 1, merkle.root([merkle.leaf_hash(leaf)])).signed(signer)


def refused(bundle: bytes) -> str:
    """Both refuse it, and name the same record if any; theirs is the kind that is told."""
    ours, theirs = both(bundle)
    assert (ours.verdict, theirs["verdict"]) == ("wrong", "wrong"), (ours, theirs)
    assert ours.version == theirs["version"], (ours, theirs)
    for words in (ours.detail, theirs["detail"]):
        assert words
        assert "Traceback" not in words
    return str(theirs["kind"])
