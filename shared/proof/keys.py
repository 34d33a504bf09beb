"""The site's signing keys: from a file or the environment, never from the database. The first signs, all are known."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from re import DOTALL, findall

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from shared.proof.note import Signer, Verifier

_PEM = r"-----BEGIN PRIVATE KEY-----.*?-----END PRIVATE KEY-----\s*"


class BadKeys(ValueError):
    """The keys can't be read; says why and what is expected."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Who signs now, and every key whose signatures are ours. To rotate, put a new key first and keep the old."""

    signers: Sequence[Signer]

    @property
    def signer(self) -> Signer:
        """The key that signs."""
        return self.signers[0]

    @property
    def verifiers(self) -> tuple[Verifier, ...]:
        """All known public keys."""
        return tuple(signer.verifier for signer in self.signers)


def new_key() -> str:
    """A new Ed25519 private key as PEM (PKCS #8)."""
    key = Ed25519PrivateKey.generate()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def load(source: str, name: str) -> Keys:
    """Keys under a name, from PEM text or the path of a file with one or more PEM blocks. Raises BadKeys."""
    signers = []
    for block in findall(_PEM, pem(source), DOTALL):
        try:
            key = load_pem_private_key(block.encode(), None)
        except ValueError as problem:
            raise BadKeys("a signing key is not a PEM private key without password") from problem
        if not isinstance(key, Ed25519PrivateKey):
            raise BadKeys("a signing key must be Ed25519")
        signers.append(Signer(name, key))
    if not signers:
        raise BadKeys("no signing key found: `quartet keys new FILE` makes one")
    return Keys(tuple(signers))


def pem(source: str) -> str:
    """The PEM text that a source is, or the path of. Raises BadKeys."""
    try:
        return source if "BEGIN PRIVATE KEY" in source else Path(source).read_text()
    except (OSError, UnicodeDecodeError) as problem:
        raise BadKeys(f"signing keys: {problem}") from problem
