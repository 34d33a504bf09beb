"""Auditors' questions to scoring (ask.scoring) and its answers, in pages that fit the bus. MessagePack arrays."""

from typing import Literal

from msgspec import Struct

PAGE_BYTES_MAX = 256 * 1024
RECORDS_MAX = 500

Status = Literal["ok", "round_open", "no_such_round", "no_such_table", "not_ready"]


class Question(Struct, array_like=True, frozen=True):
    """What is asked of an awarded round.

    `records`: from version `start` (0: the round's first) at most `limit` records, as one JSON array of
    {"hash": hex, "record": the exact record}. `bundle`: the offline bundle from byte `start`, at most `limit` bytes.
    """

    kind: Literal["records", "bundle"]
    table: str
    round: int
    start: int = 0
    limit: int = RECORDS_MAX


class Page(Struct, array_like=True, frozen=True):
    """One page, PAGE_BYTES_MAX at most. `next` is the `start` of the page behind it, None after the last."""

    status: Status
    body: bytes = b""
    next: int | None = None
