"""Signed notes as C2SP has them (https://c2sp.org/signed-note): a text, and under it who signed it with Ed25519.

A verifier key is `<name>+<8 hex digits>+<base64 of 0x01 and the public key>`, as that page gives it.
"""

import base64
import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519 = b"\x01"
_DASH = "\u2014 "
_NAME = re.compile(r"[^\s+\x00-\x1f\x7f]+")


def unbase64(text: str) -> bytes:
    """The bytes. Raises ValueError (binascii.Error) for a text that is not exactly their base64, to the last bit."""
    found = base64.b64decode(text, validate=True)
    if base64.b64encode(found).decode() != text:
        raise ValueError("not in canonical base64")
    return found


class BadNote(ValueError):
    """Not a signed note, or not a key; says what is wrong."""


@dataclass(frozen=True, slots=True)
class Verifier:
    """A public key under a name."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """The 4 bytes that name the key in signatures: SHA-256(name, newline, 0x01, key) cut off."""
        return sha256(self.name.encode() + b"\n" + ED25519 + self.public).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(ED25519 + self.public).decode()}"

    def verifies(self, message: bytes, signature: bytes) -> bool:
        """Whether this key made the signature."""
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except InvalidSignature:
            return False
        return True

    @classmethod
    def parse(cls, text: str) -> "Verifier":
        """From its text. Raises BadNote."""
        try:
            name, id, key = text.strip().split("+", 2)
            raw = unbase64(key)
        except ValueError as problem:
            raise BadNote("a key is <name>+<8 hex digits>+<base64>") from problem
        found = cls(name, raw[1:])
        if raw[:1] != ED25519 or len(raw) != 33 or found.id.hex() != id:
            raise BadNote(f"not an Ed25519 key, or not the key that {id} names")
        if not _NAME.fullmatch(name):
            raise BadNote("a key's name has no spaces")
        return found


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key under a name."""

    name: str
    private: Ed25519PrivateKey

    @property
    def verifier(self) -> Verifier:
        """The public half."""
        return Verifier(self.name, self.private.public_key().public_bytes_raw())

    def sign(self, text: str) -> str:
        """The note: the text, which must end in a newline, an empty line, and the signature's line."""
        if not text.endswith("\n"):
            raise BadNote("a note's text ends in a newline")
        signature = self.verifier.id + self.private.sign(text.encode())
        return f"{text}\n{_DASH}{self.name} {base64.b64encode(signature).decode()}\n"


def open_note(note: str, known: Iterable[Verifier]) -> tuple[str, Verifier]:
    """The text of a note and who of `known` signed it. Raises BadNote when none did, or one of theirs does not fit."""
    text, gap, lines = note.rpartition("\n\n")
    if not gap or not lines.endswith("\n"):
        raise BadNote("no signature")
    text += "\n"
    keys = {(verifier.name, verifier.id): verifier for verifier in known}
    signed_by = None
    for line in lines[:-1].split("\n"):
        name, _, encoded = line.removeprefix(_DASH).rpartition(" ")
        try:
            signature = unbase64(encoded)
        except ValueError as problem:
            raise BadNote("a signature is not base64") from problem
        if not line.startswith(_DASH) or not name or len(signature) < 5:
            raise BadNote("a signature's line is malformed")
        verifier = keys.get((name, signature[:4]))
        if verifier is not None:
            if not verifier.verifies(text.encode(), signature[4:]):
                raise BadNote(f"the signature of {name} does not fit the text")
            signed_by = signed_by or verifier
    if signed_by is None:
        raise BadNote("signed by no known key")
    return text, signed_by
