"""Ids of tables: UUIDv7 (RFC 9562, 5.7), so that they sort by the time they were made."""

import secrets
import time
from uuid import UUID


def uuid7() -> str:
    """48 bits of milliseconds, then 74 of chance around version and variant."""
    millis = time.time_ns() // 1_000_000 & (1 << 48) - 1
    chance = secrets.randbits(74)
    value = millis << 80 | 0x7 << 76 | (chance >> 62) << 64 | 0b10 << 62 | chance & (1 << 62) - 1
    return str(UUID(int=value))
