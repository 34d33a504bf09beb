"""The JSON messages of the socket as bytes, spliced and never decoded, in WebSocket frames (RFC 6455)."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, Struct

from services.gateway.messages import Beat, Closing, Error, Token, Unknown

PROTOCOL = "quartet.v1"


class Hello(Struct, tag="hello", forbid_unknown_fields=True, frozen=True):
    """The first frame: who this is (no token: a spectator), and the code of a private table."""

    token: str | None = None
    code: str | None = None
    receipts: Literal["signed", "hash"] | None = None


Integer = Annotated[int, Meta(ge=0, le=2**53)]
"""What a record can hold (protocol.md)."""


class CommandFrame(Struct, tag="command", forbid_unknown_fields=True, frozen=True):
    """A command with an id of the client's making; `round` is the one it is meant for, `sent` a claim in µs."""

    id: str
    command: Raw
    round: Integer | None = None
    sent: Integer | None = None


class Ping(Struct, tag="ping", forbid_unknown_fields=True, frozen=True):
    """Answered with a beat that has the same `t`."""

    t: int | float | None = None


class Resync(Struct, tag="resync", forbid_unknown_fields=True, frozen=True):
    """Answered with the newest whole view."""


ClientFrame = Hello | CommandFrame | Ping | Resync
client_frame = msgspec.json.Decoder(ClientFrame)


def text(*pieces: bytes) -> bytes:
    """One unfragmented, unmasked text frame (RFC 6455, 5.2) of these pieces."""
    size = sum(map(len, pieces))
    if size < 126:
        head = b"\x81%c" % size
    elif size < 65_536:
        head = b"\x81\x7e" + size.to_bytes(2)
    else:
        head = b"\x81\x7f" + size.to_bytes(8)
    return b"".join((head, *pieces))


def view(epoch: int, n: int, now: int, public: bytes, own: bytes, news: bytes) -> tuple[bytes, ...]:
    """A view in pieces; a part that is empty is left out."""
    return (
        b'{"type":"view","epoch":%d,"n":%d,"now":%d' % (epoch, n, now),
        b',"public":' if public else b"", public,
        b',"own":' if own else b"", own,
        b',"news":' if news else b"", news,
        b"}",
    )  # fmt: skip


def beat(epoch: int, n: int, now: int, t: int | float | None = None) -> bytes:
    """The newest (epoch, n) there is; `t` is the ping's."""
    return _encode(Beat(epoch, n, now, UNSET if t is None else t))


def unknown(id: str) -> bytes:
    """No verdict came in time."""
    return _encode(Unknown(id))


def error(code: str, detail: str, id: str | None = None) -> bytes:
    """What no client of ours could send was sent."""
    return _encode(Error(code, detail, UNSET if id is None else id))


def closing(reason: str, retry_ms: int | None) -> bytes:
    """The server is about to close on purpose."""
    return _encode(Closing(reason, UNSET if retry_ms is None else retry_ms))


def token(token: str) -> bytes:
    """A newer token for the same player."""
    return _encode(Token(token))


_encode = msgspec.json.Encoder().encode
