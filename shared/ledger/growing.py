"""A tree brought up to the size of a checkpoint from the leaves that are stored."""

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
