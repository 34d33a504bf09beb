"""`python -m tests.golden.replay`: what every golden log becomes, state by state, as one hash each. A test compares
processes by it (C-20)."""

import hashlib
import sys

import msgspec

from shared.games.registry import GAMES
from shared.table.boundary import boundary
from shared.table.codec import codec
from shared.table.evolve import fold
from shared.table.record import encode
from shared.table.state import State, is_boundary
from shared.table.view import own, public
from tests.golden.logs import golden, rows

_canonical = msgspec.json.Encoder(order="sorted")


def replayed(name: str) -> str:
    """SHA-256 over every record encoded again, what everyone sees after it, and each round's boundary."""
    log, seen = golden()[name], hashlib.sha256()
    read, state = codec(GAMES[log.game]), None
    for row in rows(name, log.table):
        record = read.decode_record(row.body)
        state = fold(state, record)
        seen.update(encode(record) + _shown(state))
    return seen.hexdigest()


def _shown(state: State) -> bytes:
    seats = [own(state, seat) for seat in range(len(state.table.seats))]
    between = boundary(state) if is_boundary(state) else b""
    return _canonical.encode([public(state, {}, 0), seats]) + between


if __name__ == "__main__":
    for each in sorted(golden()):
        sys.stdout.write(f"{each} {replayed(each)}\n")
