"""Checkpoints of the site's log as C2SP has them (https://c2sp.org/tlog-checkpoint): origin, size, root, signed."""

import base64
from collections.abc import Iterable
from dataclasses import dataclass

from shared.proof.note import BadNote, Signer, Verifier, open_note, unbase64

_DIGITS_MAX = 16


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The log `origin` has `size` leaves and this 32-byte root."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """What is signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"

    def signed(self, signer: Signer) -> str:
        """The note."""
        return signer.sign(self.text)


def read(note: str, known: Iterable[Verifier]) -> tuple[Checkpoint, Verifier]:
    """The checkpoint in a note and who signed it. Raises BadNote."""
    text, verifier = open_note(note, known)
    return parse(text), verifier


def parse(text: str) -> Checkpoint:
    """From its text. Raises BadNote."""
    try:
        origin, size, root, *_ = text.split("\n")
        if len(size) > _DIGITS_MAX:
            raise BadNote("no log is that large")
        found = Checkpoint(origin, int(size), unbase64(root))
    except BadNote:
        raise
    except ValueError as problem:
        raise BadNote("a checkpoint is origin, size and root, a line each") from problem
    if not origin or str(found.size) != size or found.size < 0 or len(found.root) != 32:
        raise BadNote("a checkpoint's size is a number and its root 32 bytes")
    return found
