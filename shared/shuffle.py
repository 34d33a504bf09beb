"""Chance, to the byte (T-CHANCE-1): commitments, the round's key, and the stream every draw and shuffle comes from.

Nothing here is random: the same bytes give the same cards. Test vectors: tests/vectors/shuffle.json.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

HOUSE_BYTES = 32
PLAYER_BYTES_MIN = 16
PLAYER_BYTES_MAX = 32
_WORD = 2**32


def commitment(house: bytes, table: str, round: int) -> bytes:
    """What the house publishes when a preparation begins: SHA-256 over its 32 bytes, bound to table and round."""
    return hashlib.sha256(b"quartet/commit/1\0" + _place(table, round) + house).digest()


def entropy_hash(table: str, round: int, seat: int, entropy: bytes) -> bytes:
    """What a player's client commits to in CommitEntropy: SHA-256 over its 16 to 32 bytes, bound to the seat."""
    return hashlib.sha256(b"quartet/entropy/1\0" + _place(table, round) + bytes((seat,)) + entropy).digest()


def round_key(house: bytes, table: str, round: int, entropy: Sequence[bytes | None]) -> bytes:
    """The 32-byte key of a round: HMAC by the house's bytes over what each seat revealed (None: nothing), ascending."""
    shown = b"".join(bytes((seat, len(e))) + e for seat, e in enumerate(entropy) if e is not None)
    return hmac.digest(house, b"quartet/key/1\0" + _place(table, round) + shown, "sha256")


def _place(table: str, round: int) -> bytes:
    return table.encode("ascii") + round.to_bytes(8, "big")


class Stream:
    """The numbers of one label, one after another: HMAC-SHA256 blocks cut into u32. It moves on with every draw."""

    __slots__ = ("_block", "_key", "_left", "_prefix")

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._prefix = label.encode("ascii") + b"\0"
        self._block = 0
        self._left = b""

    def draw(self, n: int) -> int:
        """An unbiased number from 0 to n - 1; words at or above the last full multiple of n are passed over."""
        limit = _WORD - _WORD % n
        while (word := self._word()) >= limit:
            pass
        return word % n

    def shuffle(self, things: Sequence[T]) -> list[T]:
        """A new list in Fisher-Yates order, from the last place down."""
        order = list(things)
        for i in range(len(order) - 1, 0, -1):
            j = self.draw(i + 1)
            order[i], order[j] = order[j], order[i]
        return order

    def _word(self) -> int:
        if not self._left:
            counter = self._block.to_bytes(8, "big")
            self._left = hmac.digest(self._key, self._prefix + counter, "sha256")
            self._block += 1
        word, self._left = self._left[:4], self._left[4:]
        return int.from_bytes(word, "big")
