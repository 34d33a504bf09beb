"""Auditors' questions to scoring (ask.scoring) and its answers, in pages that fit the bus. MessagePack arrays."""

from typing import Literal

from msgspec import Struct

PAGE_BYTES_MAX = 256 * 1024
RECORDS_MAX = 500

Status = Literal["ok", "round_open", "not_sealed", "no_such_round", "no_such_table", "not_ready"]


class Question(Struct, array_like=True, frozen=True):
    """What is asked of an awarded round.

    `records`: from version `start` (0: the round's first) at most `limit` records, as one JSON array of
    {"hash": hex, "record": the exact record}. `bundle`: the offline bundle from byte `start`, at most `limit` bytes.
    `replay`: what a dispute room shows of it, from version `start` on (docs/disputes.md).
    """

    kind: Literal["records", "bundle", "replay"]
    table: str
    round: int
    start: int = 0
    limit: int = RECORDS_MAX


class Search(Struct, array_like=True, frozen=True):
    """What is looked for among the refused commands and lost calls of awarded rounds; None: anything. Times in µs.

    `player` is an id or a name. `viewer`: only rounds that this player played (None: an auditor asks, who sees all).
    `after` is where the page before ended, (at, table, version). The answer is a JSON array of
    hits, the newest first (docs/disputes.md).
    """

    viewer: str | None = None
    table: str | None = None
    code: str | None = None
    player: str | None = None
    since: int | None = None
    until: int | None = None
    kind: Literal["refused", "race", "swap", "call", "lost_call"] | None = None
    within_us: int | None = None
    after: tuple[int, str, int] | None = None
    limit: int = 100


class Page(Struct, array_like=True, frozen=True):
    """One page, PAGE_BYTES_MAX at most. `next` is the `start` of the page behind it, None after the last."""

    status: Status
    body: bytes = b""
    next: int | None = None
