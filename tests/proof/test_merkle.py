"""Merkle trees: every proof holds for what it proves, and for nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.proof import merkle

LEAVES = [merkle.leaf_hash(bytes([n])) for n in range(40)]


@pytest.mark.parametrize(
    ("leaves", "root"),
    [
        ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ([b""], "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
        ([b"", b"\x00"], "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"),
        ([b"", b"\x00", b"\x10"], "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"),
    ],
)
def test_roots_are_those_that_certificate_transparency_publishes(leaves: list[bytes], root: str) -> None:
    assert merkle.root([merkle.leaf_hash(leaf) for leaf in leaves]).hex() == root


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 9, 31, 40])
def test_every_leaf_is_proven_and_no_other_in_its_place(size: int) -> None:
    leaves = LEAVES[:size]
    root = merkle.root(leaves)
    for index in range(size):
        proof = merkle.inclusion(leaves, index)
        assert merkle.included(leaves[index], index, size, proof, root)
        assert not merkle.included(merkle.leaf_hash(b"other"), index, size, proof, root)
        assert not merkle.included(leaves[index], index, size, (*proof, root), root)
        for other in range(size):
            assert merkle.included(leaves[index], other, size, proof, root) == (other == index)


@given(st.integers(1, 40), st.data())
def test_a_tree_is_proven_to_begin_with_an_older_one_and_with_no_rewritten_one(new: int, data: st.DataObject) -> None:
    old = data.draw(st.integers(1, new))
    proof = merkle.consistency(LEAVES[:new], old)
    before, after = merkle.root(LEAVES[:old]), merkle.root(LEAVES[:new])
    assert merkle.consistent(old, new, before, after, proof)
    rewritten = merkle.root([merkle.leaf_hash(b"x"), *LEAVES[1:old]])
    assert not merkle.consistent(old, new, rewritten, after, proof)
    if old < new:
        assert not merkle.consistent(old, new, before, rewritten, proof)
        assert not merkle.consistent(old, new, before, after, proof[:-1])


def test_proofs_that_can_t_be_are_refused() -> None:
    with pytest.raises(ValueError, match="no leaf 3"):
        merkle.inclusion(LEAVES[:3], 3)
    with pytest.raises(ValueError, match="no tree of 4"):
        merkle.consistency(LEAVES[:3], 4)
    assert not merkle.included(LEAVES[0], 1, 1, (), LEAVES[0])
