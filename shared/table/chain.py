"""The hash chain of a table's records, to the byte: the same as the log writes, here without knowing the log."""

from hashlib import sha256


def genesis(table: str) -> bytes:
    """What the first record of a table is chained to."""
    return sha256(b"quartet/1" + table.encode()).digest()


def link(previous: bytes, version: int, body: bytes) -> bytes:
    """SHA-256(0x03, previous hash, version as u64, length of body as u32, body); integers big-endian."""
    return sha256(b"\x03" + previous + version.to_bytes(8, "big") + len(body).to_bytes(4, "big") + body).digest()
