"""The messages between gateways (bots and scoring are kinds of gateway) and tables, in MessagePack arrays.

Bytes fields named `command`, `public`, `own`, `news`, `verdict` hold JSON that whoever passes it on need not decode.
"""

from typing import TypeVar

import msgspec
from msgspec import Struct


class Envelope(Struct, array_like=True, frozen=True, gc=False):
    """A command on its way to a table (cmd.…). Times in µs; `received` and `sent` are claims that decide nothing."""

    table: str
    player: str
    id: str
    command: bytes
    gateway: str
    received: int
    sent: int | None = None
    meant: int | None = None
    http: bool = False
    name: str | None = None
    signed: bool = False
    """The client asked for a signed receipt with its verdict."""


class Want(Struct, array_like=True, frozen=True, gc=False):
    """A view is wanted (want.…): for a player's seat, or as a watcher (`player` empty).

    With `request` 0 it is for a socket: the gateway is noted as holding that player and gets a frame with everything.
    Otherwise it is an HTTP request, answered with a View of that number.
    """

    gateway: str
    table: str
    player: str
    request: int = 0


class HeldTable(Struct, array_like=True, frozen=True, gc=False):
    """Whom a gateway holds at one table: players with open sockets, and how many watchers."""

    table: str
    players: tuple[str, ...]
    watching: int = 0


class Held(Struct, array_like=True, frozen=True, gc=False):
    """Everything a gateway holds of one partition, every second; an empty one once when nothing is left."""

    gateway: str
    tables: tuple[HeldTable, ...]


class Here(Struct, array_like=True, frozen=True, gc=False):
    """A listener lives and takes messages at gw.<instance>.…; for bots `load` is the number of seats they play."""

    instance: str
    load: int = 0


class Who(Struct, array_like=True, frozen=True, gc=False):
    """Who owns this partition? The answer goes to gw.<instance>.owner."""

    instance: str


class Owner(Struct, array_like=True, frozen=True, gc=False):
    """An owner names its partitions with their epochs: at takeover, every second, and when asked."""

    instance: str
    partitions: tuple[tuple[int, int], ...]


class Part(Struct, array_like=True, frozen=True, gc=False):
    """One audience's part of a change: its player (empty: watchers), its frame number, and its own bytes.

    Empty `own`: unchanged. `news` is a JSON array, empty when there is none.
    """

    player: str
    n: int
    own: bytes = b""
    news: bytes = b""


class Answer(Struct, array_like=True, frozen=True, gc=False):
    """The verdict on a command: the whole JSON frame as it goes to the player's sockets, or the HTTP body."""

    player: str
    id: str
    verdict: bytes


class Frames(Struct, array_like=True, frozen=True, gc=False):
    """What a committed change of a table means for those a gateway holds there: the views, then the verdicts.

    `public` is empty when unchanged. `whole`: nothing is left out; it also goes to those who have the same `n`.
    """

    table: str
    epoch: int
    now: int
    public: bytes = b""
    parts: tuple[Part, ...] = ()
    answers: tuple[Answer, ...] = ()
    whole: bool = False


class View(Struct, array_like=True, frozen=True, gc=False):
    """The answer to a Want with a request number. `found` False: no such table here."""

    request: int
    table: str
    found: bool
    epoch: int = 0
    n: int = 0
    now: int = 0
    public: bytes = b""
    own: bytes = b""
    private: bool = False


class Seats(Struct, array_like=True, frozen=True, gc=False):
    """A table gives a bot seat to a bots service, or takes it back (`play` False)."""

    table: str
    game: str
    seat: int
    player: str
    level: str
    play: bool = True


M = TypeVar("M", bound=Struct)

_encoder = msgspec.msgpack.Encoder()


def encode(message: Struct) -> bytes:
    """The bytes of a message; which type it is, its subject says."""
    return _encoder.encode(message)


def decoder(kind: type[M]) -> msgspec.msgpack.Decoder[M]:
    """A decoder for messages of one type; raises msgspec.ValidationError or DecodeError on anything else."""
    return msgspec.msgpack.Decoder(kind)
