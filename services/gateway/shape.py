"""Whether a command has the shape of one: its type, its fields, its id. What it means, the table judges."""

import re
from dataclasses import dataclass
from functools import reduce
from operator import or_

import msgspec
from msgspec import Raw

from shared.kernel import Command

INTEGER_MAX = 2**53

Shapes = msgspec.json.Decoder[Command]
"""Decodes what players may send at tables of one game."""

_ID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")

encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Unfit:
    """No client of ours could have sent this; it never reaches a table."""

    code: str
    detail: str


def shapes(commands: tuple[type[Command], ...]) -> Shapes:
    """A decoder for these commands and no other."""
    return msgspec.json.Decoder(reduce(or_, commands))


def checked(shapes: Shapes, id: str, command: Raw, sent: int | None) -> Command | Unfit:
    """The command itself, or why it is none."""
    if not _ID.fullmatch(id):
        return Unfit("bad_id", "An id is a UUID in its 36 characters.")
    if sent is not None and not 0 <= sent < INTEGER_MAX:
        return Unfit("bad_frame", "`sent` is a time in microseconds.")
    try:
        return shapes.decode(command)
    except msgspec.DecodeError as fault:
        return Unfit("bad_command", str(fault))
    except (UnicodeDecodeError, RecursionError):
        return Unfit("bad_command", "A command is a flat object, its text UTF-8.")


def is_id(text: str) -> bool:
    """Whether this is a UUID in its 36 characters."""
    return _ID.fullmatch(text) is not None
