"""The hash chain of a table's records: each hash covers the exact bytes of a record and, through the one before, all
that went before it."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from shared.eventlog.port import Row

_RECORD = b"\x03"


def genesis(table_id: str) -> bytes:
    """What the first record of a table is chained to: SHA-256("quartet/1" followed by the table id)."""
    return sha256(b"quartet/1" + table_id.encode()).digest()


def link(previous: bytes, version: int, body: bytes) -> bytes:
    """SHA-256(0x03, previous hash, version as u64, length of body as u32, body); integers big-endian."""
    return sha256(_RECORD + previous + version.to_bytes(8) + len(body).to_bytes(4) + body).digest()


@dataclass(frozen=True, slots=True)
class Break:
    """The first row at which a chain does not hold: a hash that differs, or a version that is missing or doubled."""

    version: int
    kind: Literal["hash", "version"]


def verify_chain(rows: Iterable[Row], previous: bytes, first_version: int = 1) -> Break | None:
    """Follow the rows from `previous` (`genesis`, or the hash before `first_version`); None if every link holds."""
    for version, row in enumerate(rows, first_version):
        if row.version != version:
            return Break(version, "version")
        previous = link(previous, version, row.body)
        if row.hash != previous:
            return Break(version, "hash")
    return None
