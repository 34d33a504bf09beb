"""Sealed rounds for tests: games of bots at a desk, and their bundles."""

from functools import cache

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.eventlog.chain import genesis
from shared.eventlog.port import Commit, Row
from shared.games.registry import GAMES
from shared.proof import bundle, merkle
from shared.proof.checkpoint import Checkpoint
from shared.proof.note import Signer
from shared.proof.seal import Leaf, seal
from tests.table.desk import TABLE
from tests.table.test_every_game import played

SIGNER = Signer("quartet.test/log", Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


@cache
def game_rows(game: str, seats: int, seed: int) -> tuple[Row, ...]:
    """A whole game's rows."""
    return tuple(played(GAMES[game], seats, seed).rows)


def round_rows(rows: tuple[Row, ...], round: int) -> tuple[tuple[Row, ...], bytes]:
    """One round's rows, and the hash before them."""
    found = tuple(row for row in rows if row.round == round)
    before = found[0].version - 2
    return found, rows[before].hash if before >= 0 else genesis(TABLE)


def bundled(rows: tuple[Row, ...], previous: bytes, signer: Signer = SIGNER, size: int = 5, index: int = 3) -> bytes:
    """The bundle of these rows, sealed in a log with other leaves."""
    leaf = Leaf(rows[0].table_id, rows[0].round, rows[-1].version, rows[-1].hash.hex())
    hashes = [merkle.leaf_hash(b"other %d" % n) for n in range(size)]
    hashes[index] = merkle.leaf_hash(leaf.bytes)
    note = Checkpoint(signer.name, size, merkle.root(hashes)).signed(signer)
    commits = [(rows[-1].version, Commit(0, 7, 1, "table-1", 0, len(rows), rows[-1].at + 900))]
    return bundle.write(rows, previous, commits, seal(leaf, hashes, index), note, [signer.verifier])
