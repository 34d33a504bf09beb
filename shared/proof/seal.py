"""The seal of a round: its leaf in the site's log, and the proof that the log's checkpoint contains it."""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from shared.proof import checkpoint, merkle
from shared.proof.note import BadNote, Verifier

_canonical = msgspec.json.Encoder(order="sorted")


class Leaf(Struct, frozen=True):
    """A sealed round: the version of its Award and that record's hash (hex), the head of the table's chain."""

    table: str
    round: int
    version: int
    head: str

    @property
    def bytes(self) -> bytes:
        """Canonical JSON: what the log holds."""
        return _canonical.encode(self)


class Seal(Struct, frozen=True):
    """Leaf `index` of the log, and the inclusion proof (hex) for the first checkpoint with it, of `size` leaves."""

    index: int
    size: int
    leaf: str
    proof: tuple[str, ...]


def seal(leaf: Leaf, hashes: Sequence[bytes], index: int) -> Seal:
    """The seal of leaf `index` in the tree over these leaf hashes."""
    proof = tuple(step.hex() for step in merkle.inclusion(hashes, index))
    return Seal(index, len(hashes), leaf.bytes.decode(), proof)


def holds(sealed: Seal, leaf: Leaf, note: str, known: Iterable[Verifier]) -> Verifier:
    """Who signed the checkpoint that contains this leaf. Raises BadNote that says what does not fit."""
    signed, verifier = checkpoint.read(note, known)
    if signed.origin != verifier.name:
        raise BadNote("the checkpoint is of another log than the key's")
    if sealed.leaf.encode() != leaf.bytes:
        raise BadNote("the sealed leaf is another round's, or names another head")
    if sealed.size != signed.size:
        raise BadNote("the proof is for a tree of another size than the checkpoint's")
    try:
        proof = [bytes.fromhex(step) for step in sealed.proof]
    except ValueError as problem:
        raise BadNote("the inclusion proof is not hex") from problem
    if any(step.hex() != text for step, text in zip(proof, sealed.proof, strict=True)):
        raise BadNote("the inclusion proof is not in lower-case hex")
    if not merkle.included(merkle.leaf_hash(leaf.bytes), sealed.index, sealed.size, proof, signed.root):
        raise BadNote("the inclusion proof does not lead to the checkpoint's root")
    return verifier
