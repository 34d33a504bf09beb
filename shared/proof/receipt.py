"""A signed receipt: the table service's word, at the commit, that a record is in it. Missing later, it proves a cut.

Signed is `quartet/receipt/1`, a newline, and canonical JSON of instance, n, partition and root: the RFC 6962 root over
the record hashes of that commit, in order. One signature serves all records of a commit.
"""

import base64
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from shared.proof import merkle
from shared.proof.note import Signer, Verifier, unbase64

DOMAIN = b"quartet/receipt/1\n"
_canonical = msgspec.json.Encoder(order="sorted")


class Statement(Struct, frozen=True):
    """What is signed of a commit; `root` in hex."""

    instance: str
    partition: int
    n: int
    root: str


class Receipt(Struct, frozen=True):
    """The proof for one record: its place in the commit, the path to the root, key and signature. Hashes in hex."""

    instance: str
    partition: int
    n: int
    root: str
    index: int
    size: int
    path: tuple[str, ...]
    key: str
    signature: str


def receipts(
    signer: Signer, instance: str, partition: int, n: int, hashes: Sequence[bytes], wanted: Iterable[int]
) -> dict[int, Receipt]:
    """Index in the commit -> receipt, for those wanted, under one signature over the whole commit."""
    leaves = [merkle.leaf_hash(hash) for hash in hashes]
    root = merkle.root(leaves).hex()
    signature = signer.private.sign(_message(Statement(instance, partition, n, root)))
    encoded, key = base64.b64encode(signature).decode(), str(signer.verifier)
    return {
        index: Receipt(
            instance, partition, n, root, index, len(leaves),
            tuple(step.hex() for step in merkle.inclusion(leaves, index)), key, encoded,
        )
        for index in wanted
    }  # fmt: skip


def verified(receipt: Receipt, hash: bytes, known: Iterable[Verifier]) -> Verifier | None:
    """Which of the known keys vouches for a record with this hash; None: none does."""
    try:
        path = [bytes.fromhex(step) for step in receipt.path]
        root, signature = bytes.fromhex(receipt.root), unbase64(receipt.signature)
    except ValueError:
        return None
    if [root.hex(), *(step.hex() for step in path)] != [receipt.root, *receipt.path]:
        return None
    if not merkle.included(merkle.leaf_hash(hash), receipt.index, receipt.size, path, root):
        return None
    message = _message(Statement(receipt.instance, receipt.partition, receipt.n, receipt.root))
    return next((key for key in known if str(key) == receipt.key and key.verifies(message, signature)), None)


def _message(statement: Statement) -> bytes:
    return DOMAIN + _canonical.encode(statement)
