"""Ledgers for tests: leaves to be sealed, and what seals them."""

from collections.abc import Sequence

from services.scoring.sequencer import Sequencer
from shared.ledger.port import Ledger
from shared.proof.keys import Keys
from shared.proof.seal import Leaf
from tests.proof.rounds import SIGNER

KEYS = Keys((SIGNER,))


def leaf(number: int) -> Leaf:
    """The leaf of some round."""
    return Leaf(f"table-{number:06d}", 1, 7, f"{number:064x}")


class Waiting:
    """Awarded rounds, more of them as the test says."""

    def __init__(self, number: int = 0) -> None:
        self.leaves = [leaf(each) for each in range(number)]

    def __call__(self) -> Sequence[Leaf]:
        return self.leaves

    def more(self, number: int) -> None:
        """As many more wait."""
        self.leaves += [leaf(each) for each in range(len(self.leaves), len(self.leaves) + number)]


def sequencer(ledger: Ledger, keys: Keys = KEYS, told: list[str] | None = None) -> Sequencer:
    """One that seals into this ledger."""
    return Sequencer(ledger, keys, lambda: 1_700_000_000_000_000, (told if told is not None else []).append)
