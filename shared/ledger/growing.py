"""A tree brought up to the size of a checkpoint from the leaves that are stored."""

import asyncio

from shared.ledger.port import Ledger
from shared.proof import merkle
from shared.proof.tree import Tree

LEAVES_BATCH = 1_000


async def grow(tree: Tree, ledger: Ledger, size: int) -> bool:
    """Append stored leaves until the tree has `size`; False: there are not so many. Raises Unreachable."""
    while len(tree) < size:
        batch = await ledger.leaves(len(tree), min(LEAVES_BATCH, size - len(tree)))
        if not batch:
            return False
        for leaf in batch:
            tree.append(merkle.leaf_hash(leaf))
    return True


class Mirror:
    """The ledger's tree in memory, for whoever reads it: it grows when more of it is asked for."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._tree = Tree()
        self._lock = asyncio.Lock()

    async def tree(self, size: int) -> Tree | None:
        """The tree with at least so many leaves; None: there are not so many. Raises Unreachable."""
        async with self._lock:
            return self._tree if await grow(self._tree, self.ledger, size) else None
