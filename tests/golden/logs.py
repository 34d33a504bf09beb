"""The golden logs: a table a file, a body a line, exactly as they were hashed; `heads.json` says what they end in."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from shared.eventlog.chain import genesis, link
from shared.eventlog.port import Row

FOLDER = Path(__file__).parent
HEADS = FOLDER / "heads.json"


class Golden(Struct, frozen=True):
    """What a log must come to for ever: its table, the head (hex) after every round, and its bundles' SHA-256."""

    game: str
    table: str
    records: int
    heads: tuple[str, ...]
    bundles: dict[str, str]


class _Placed(Struct):
    """The part of a body that is also a column."""

    round: int
    at: int


def golden() -> dict[str, Golden]:
    """Every golden log by its name."""
    return msgspec.json.decode(HEADS.read_bytes(), type=dict[str, Golden])


def rows(name: str, table: str) -> Iterator[Row]:
    """The rows of a log, chained anew."""
    head = genesis(table)
    for version, body in enumerate((FOLDER / f"{name}.ndjson").read_bytes().split(b"\n")[:-1], 1):
        placed = msgspec.json.decode(body, type=_Placed)
        head = link(head, version, body)
        yield Row(table, version, placed.round, placed.at, body, head)
