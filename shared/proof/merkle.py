"""Merkle trees as RFC 6962 (section 2.1) and RFC 9162 have them: roots, inclusion proofs, consistency proofs.

Trees are given as their leaves' hashes; a proof is a sequence of 32-byte hashes, in the order of the RFC.
"""

from collections.abc import Sequence
from hashlib import sha256

EMPTY = sha256(b"").digest()


def leaf_hash(leaf: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


def root(hashes: Sequence[bytes]) -> bytes:
    """The root over leaves with these hashes."""
    if not hashes:
        return EMPTY
    level = list(hashes)
    while len(level) > 1:
        paired = [node_hash(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        level = paired + level[len(level) - 1 :] if len(level) % 2 else paired
    return level[0]


def inclusion(hashes: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """The proof that leaf `index` is in the tree over `hashes`. Raises ValueError if there is no such leaf."""
    if not 0 <= index < len(hashes):
        raise ValueError(f"no leaf {index} in a tree of {len(hashes)}")
    if len(hashes) == 1:
        return ()
    middle = split(len(hashes))
    if index < middle:
        return (*inclusion(hashes[:middle], index), root(hashes[middle:]))
    return (*inclusion(hashes[middle:], index - middle), root(hashes[:middle]))


def included(hash: bytes, index: int, size: int, proof: Sequence[bytes], expected: bytes) -> bool:
    """Whether the proof shows a leaf with this hash at `index` of the tree of `size` leaves with that root.

    The algorithm of RFC 9162, section 2.1.3.2.
    """
    if not 0 <= index < size:
        return False
    fn, sn, found = index, size - 1, hash
    for step in proof:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            found = node_hash(step, found)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            found = node_hash(found, step)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and found == expected


def consistency(hashes: Sequence[bytes], old: int) -> tuple[bytes, ...]:
    """The proof that this tree begins with that over its first `old` leaves. Raises ValueError for a larger old."""
    if not 0 < old <= len(hashes):
        raise ValueError(f"no tree of {old} in one of {len(hashes)}")
    return _consistency(hashes, old, True)


def consistent(old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that the tree of `new` leaves begins with that of `old`; RFC 9162, section 2.1.4.2."""
    if old == new:
        return not proof and old_root == new_root
    if not 0 < old < new or not proof:
        return False
    path = list(proof) if old & (old - 1) else [old_root, *proof]
    fn, sn = old - 1, new - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    first = second = path[0]
    for step in path[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            first, second = node_hash(step, first), node_hash(step, second)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            second = node_hash(second, step)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and first == old_root and second == new_root


def split(size: int) -> int:
    """The largest power of two below size."""
    return 1 << (size - 1).bit_length() - 1


def _consistency(hashes: Sequence[bytes], old: int, whole: bool) -> tuple[bytes, ...]:
    if old == len(hashes):
        return () if whole else (root(hashes),)
    middle = split(len(hashes))
    if old <= middle:
        return (*_consistency(hashes[:middle], old, whole), root(hashes[middle:]))
    return (*_consistency(hashes[middle:], old - middle, False), root(hashes[:middle]))
