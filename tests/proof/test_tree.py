"""A growing tree says of every size it had what the plain definition says, and cuts itself into tiles."""

import pytest

from shared.proof import merkle
from shared.proof.tree import TILE_WIDTH, Tree, entries, tile_number, tile_path

HASHES = [merkle.leaf_hash(b"%d" % number) for number in range(70)]


def test_roots_and_proofs_of_every_size_are_those_of_the_definition() -> None:
    tree = Tree(HASHES)
    for size in range(1, 71):
        assert tree.root(size) == merkle.root(HASHES[:size])
        assert tree.inclusion(size // 2, size) == merkle.inclusion(HASHES[:size], size // 2)
        for old in range(1, size + 1):
            assert tree.consistency(old, size) == merkle.consistency(HASHES[:size], old)


def test_a_tree_cut_back_and_grown_again_is_the_same_tree() -> None:
    tree = Tree(HASHES)
    for size in (69, 64, 33, 32, 1, 0):
        tree.cut(size)
        assert (len(tree), tree.root()) == (size, merkle.root(HASHES[:size]))
    for hash in HASHES:
        tree.append(hash)
    assert tree.root() == merkle.root(HASHES)


def test_what_the_tree_never_was_is_refused() -> None:
    tree = Tree(HASHES[:5])
    for index, size in ((5, 5), (-1, 5), (0, 6)):
        with pytest.raises(ValueError, match="no leaf"):
            tree.inclusion(index, size)
    for old, new in ((0, 5), (4, 3), (1, 6)):
        with pytest.raises(ValueError, match="no trees"):
            tree.consistency(old, new)


def test_a_root_follows_from_the_tiles_alone() -> None:
    tree = Tree(merkle.leaf_hash(b"%d" % number) for number in range(2 * TILE_WIDTH + 3))
    full = [tree.tile(0, number) for number in range(2)]
    assert all(tile is not None and len(tile) == 32 * TILE_WIDTH for tile in full)
    above = tree.tile(1, 0, 2)
    roots = [merkle.root([tile[at : at + 32] for at in range(0, len(tile), 32)]) for tile in full if tile is not None]
    assert above == b"".join(roots)
    rest = tree.tile(0, 2, 3)
    assert rest is not None
    tail = merkle.root([rest[at : at + 32] for at in range(0, len(rest), 32)])
    assert merkle.node_hash(merkle.node_hash(*roots), tail) == tree.root()
    for missing in ((0, 2, 4), (0, 3, 1), (1, 0, 3), (2, 0, 1)):
        assert tree.tile(*missing) is None


@pytest.mark.parametrize(("number", "path"), [(0, "000"), (5, "005"), (1234067, "x001/x234/067"), (1000, "x001/000")])
def test_a_tile_s_number_and_its_path_name_each_other(number: int, path: str) -> None:
    assert (tile_path(number), tile_number(path)) == (path, number)


@pytest.mark.parametrize("path", ["", "5", "0005", "x001", "001/002", "x000/001", "x001/00a", "x-01/001", "٠٠١"])
def test_any_other_path_names_no_tile(path: str) -> None:
    assert tile_number(path) is None


def test_an_entries_tile_has_each_leaf_behind_its_length() -> None:
    assert entries([b"ab", b"", b"c" * 300]) == b"\x00\x02ab\x00\x00\x01\x2c" + b"c" * 300
