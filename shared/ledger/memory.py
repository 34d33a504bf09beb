"""A ledger in memory, for a service in one process."""

from collections.abc import Callable, Mapping, Sequence

from shared.ledger.port import Signed
from shared.proof.seal import Leaf

Awarded = Callable[[], Sequence[Leaf]]
"""Awarded rounds in order, sealed ones too."""


class MemoryLedger:
    """One event loop, so every method is one transaction."""

    def __init__(self, awarded: Awarded) -> None:
        self._awarded = awarded
        self._leaves: list[Leaf] = []
        self._places: dict[tuple[str, int], int] = {}
        self._checkpoints: list[Signed] = []

    async def newest(self) -> Signed | None:
        return self._checkpoints[-1] if self._checkpoints else None

    async def first_with(self, index: int) -> Signed | None:
        return next((signed for signed in self._checkpoints if signed.size > index), None)

    async def leaves(self, first: int, most: int) -> Sequence[bytes]:
        return [leaf.bytes for leaf in self._leaves[first : first + most]]

    async def place(self, table_id: str, round: int) -> tuple[int, Leaf] | None:
        index = self._places.get((table_id, round))
        return None if index is None else (index, self._leaves[index])

    async def sealed(self, table_id: str, first: int, last: int) -> Mapping[int, Leaf]:
        places = {round: self._places.get((table_id, round)) for round in range(first, last + 1)}
        return {round: self._leaves[index] for round, index in places.items() if index is not None}

    async def unsealed(self, most: int) -> Sequence[Leaf]:
        return [leaf for leaf in self._awarded() if (leaf.table, leaf.round) not in self._places][:most]

    async def append(self, first: int, leaves: Sequence[Leaf], signed: Signed) -> bool:
        if first != len(self._leaves) or any((leaf.table, leaf.round) in self._places for leaf in leaves):
            return False
        for index, leaf in enumerate(leaves, first):
            self._places[leaf.table, leaf.round] = index
        self._leaves.extend(leaves)
        self._checkpoints.append(signed)
        return True
