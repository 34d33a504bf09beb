"""The record: one decision as it is stored, in canonical JSON (protocol.md). Its bytes are what the chain hashes."""

from typing import Generic, TypeVar

import msgspec
from msgspec import Raw, Struct

from shared.kernel import Refused

C = TypeVar("C")
E = TypeVar("E")

INTEGER_MAX = 2**53

NO_CARRY = Raw()
"""This very object is left out of the JSON; another empty Raw would not be."""


class Sender(Struct, frozen=True, gc=False):
    """A player as the sender of a record; `seat` is null for one without a seat."""

    player: str
    seat: int | None = None


class Via(Struct, frozen=True, gc=False):
    """How a command came in. `received` and `sent` are the gateway's and client's claims; `arrived` is the table's.

    All in µs; none of them decides anything.
    """

    gateway: str
    received: int
    arrived: int
    sent: int | None = None


class Record(Struct, Generic[C, E], frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """One decision: who sent which command when, and what came of it: `events`, or `refused`; never both.

    `round` is the record's own, `meant` the round the client named; `carry` stands in the first record of a round;
    `slowed` (refusals not recorded, one a seat) in its last; empty elsewhere. `id` is empty for the house's own.
    """

    v: int
    table: str
    n: int
    round: int
    at: int
    epoch: int
    by: Sender | str
    command: C
    salt: str
    id: str = ""
    via: Via | None = None
    meant: int | None = None
    events: tuple[E, ...] | None = None
    refused: Refused | None = None
    carry: Raw = NO_CARRY
    slowed: tuple[int, ...] | None = None


_canonical = msgspec.json.Encoder(order="sorted")


def encode(record: Struct) -> bytes:
    """Canonical JSON: UTF-8, keys sorted, no spaces, no floats. `carry` must already be canonical."""
    return _canonical.encode(record)
