"""The codes by which people find a table: five letters and digits that can't be taken for each other."""

import secrets

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
LENGTH = 5


def new() -> str:
    """A code at random; that it is free, the store decides."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def read(text: str) -> str | None:
    """A code as someone typed it; None if it can't be one."""
    code = text.strip().upper()
    return code if len(code) == LENGTH and all(letter in ALPHABET for letter in code) else None
