"""A growing Merkle tree that keeps the hash of every complete subtree: roots and proofs of any size it had cost a few
hashes, and its levels are what C2SP's tlog-tiles cut into tiles (https://c2sp.org/tlog-tiles)."""

from collections.abc import Iterable, Sequence

from shared.proof import merkle

TILE_HEIGHT = 8
TILE_WIDTH = 1 << TILE_HEIGHT
_HASH = 32


class Tree:
    """About 64 bytes a leaf. Nothing in it ever changes but by `append`, and `cut`, which takes the newest back."""

    def __init__(self, hashes: Iterable[bytes] = ()) -> None:
        self._levels: list[bytearray] = [bytearray()]
        for hash in hashes:
            self.append(hash)

    def __len__(self) -> int:
        return len(self._levels[0]) // _HASH

    def append(self, hash: bytes) -> None:
        """One more leaf, by its hash."""
        for level in self._levels:
            level += hash
            if len(level) // _HASH & 1:
                return
            hash = merkle.node_hash(bytes(level[-2 * _HASH : -_HASH]), hash)
        self._levels.append(bytearray(hash))

    def cut(self, size: int) -> None:
        """Back to its first `size` leaves."""
        for height, level in enumerate(self._levels):
            del level[(size >> height) * _HASH :]
        while len(self._levels) > 1 and not self._levels[-1]:
            self._levels.pop()

    def root(self, size: int | None = None) -> bytes:
        """The root over the first `size` leaves, all by default."""
        return self._span(0, len(self) if size is None else size)

    def inclusion(self, index: int, size: int | None = None) -> tuple[bytes, ...]:
        """The proof that leaf `index` is in the tree of `size`. Raises ValueError."""
        size = len(self) if size is None else size
        if not 0 <= index < size <= len(self):
            raise ValueError(f"no leaf {index} in a tree of {size}")
        return self._inclusion(index, 0, size)

    def consistency(self, old: int, new: int | None = None) -> tuple[bytes, ...]:
        """The proof that the tree of `new` leaves begins with that of `old`. Raises ValueError."""
        new = len(self) if new is None else new
        if not 0 < old <= new <= len(self):
            raise ValueError(f"no trees of {old} and {new} in one of {len(self)}")
        return self._consistency(old, 0, new, True)

    def tile(self, level: int, index: int, width: int = TILE_WIDTH) -> bytes | None:
        """The tile's hashes in order; None: there is no such tile, or not yet so wide a one."""
        height, first = level * TILE_HEIGHT, index * TILE_WIDTH * _HASH
        found = bytes(self._levels[height][first : first + width * _HASH]) if height < len(self._levels) else b""
        return found if len(found) == width * _HASH else None

    def _span(self, first: int, end: int) -> bytes:
        """The root over leaves from `first`, which stands at a multiple of the span's power of two, to `end`."""
        size = end - first
        if size == 0:
            return merkle.EMPTY
        if size & (size - 1) == 0:
            height = size.bit_length() - 1
            place = (first >> height) * _HASH
            return bytes(self._levels[height][place : place + _HASH])
        middle = first + merkle.split(size)
        return merkle.node_hash(self._span(first, middle), self._span(middle, end))

    def _inclusion(self, index: int, first: int, end: int) -> tuple[bytes, ...]:
        if end - first == 1:
            return ()
        middle = first + merkle.split(end - first)
        if index < middle:
            return (*self._inclusion(index, first, middle), self._span(middle, end))
        return (*self._inclusion(index, middle, end), self._span(first, middle))

    def _consistency(self, old: int, first: int, end: int, whole: bool) -> tuple[bytes, ...]:
        if old == end:
            return () if whole else (self._span(first, end),)
        middle = first + merkle.split(end - first)
        if old <= middle:
            return (*self._consistency(old, first, middle, whole), self._span(middle, end))
        return (*self._consistency(old, middle, end, False), self._span(first, middle))


def entries(leaves: Sequence[bytes]) -> bytes:
    """An entries tile: each leaf behind its length in two bytes, big-endian."""
    return b"".join(len(leaf).to_bytes(2) + leaf for leaf in leaves)


def tile_number(path: str) -> int | None:
    """The number in a tile's path (`x001/x234/067` is 1234067); None: it is not in that form."""
    *groups, last = path.split("/")
    if not (len(last) == 3 and last.isdecimal() and last.isascii()):
        return None
    if any(not (len(group) == 4 and group[0] == "x" and group[1:].isdecimal() and group.isascii()) for group in groups):
        return None
    number = int("".join([group[1:] for group in groups] + [last]))
    return number if tile_path(number) == path else None


def tile_path(number: int) -> str:
    """How a tile's number stands in its path."""
    digits = f"{number:0{-(-len(str(number)) // 3) * 3}d}"
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    return "/".join([f"x{group}" for group in groups[:-1]] + groups[-1:])
