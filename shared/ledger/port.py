"""The ledger as its users see it: leaves at consecutive places, each batch with the checkpoint that first holds it.

It knows no key and no tree: what is appended was checked and signed by the sequencer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from shared.proof.seal import Leaf


@dataclass(frozen=True, slots=True)
class Signed:
    """A checkpoint as kept: its size and root, the note, the public key that signed it, and when (µs)."""

    size: int
    root: bytes
    note: str
    key: str
    at: int


class Ledger(Protocol):
    """Every method may raise Unreachable."""

    async def newest(self) -> Signed | None:
        """The newest checkpoint; None: nothing was ever sealed."""

    async def first_with(self, index: int) -> Signed | None:
        """The first checkpoint that contains this leaf."""

    async def leaves(self, first: int, most: int) -> Sequence[bytes]:
        """Leaves from a place on, in order, as they were signed for."""

    async def place(self, table_id: str, round: int) -> tuple[int, Leaf] | None:
        """Where a round's leaf stands, and the leaf; None: it is not sealed."""

    async def sealed(self, table_id: str, first: int, last: int) -> Mapping[int, Leaf]:
        """The leaves of a table's sealed rounds from one to another, both included, by round."""

    async def unsealed(self, most: int) -> Sequence[Leaf]:
        """Awarded rounds that wait for their place, in order of their Awards."""

    async def append(self, first: int, leaves: Sequence[Leaf], signed: Signed) -> bool:
        """Put leaves at `first` and on, with the checkpoint over all there are then, in one transaction.

        False, and nothing done: the places are taken, or a round has one already. Who lost looks anew.
        """
