"""`python -m tests.golden.make`: a first log of each game that has none. What is golden once is never made again.

A change of rules is a new revision: add logs of it under new names, and leave the old ones as they are.
"""

import hashlib
from collections.abc import Mapping

import msgspec

from shared.eventlog.port import Row
from tests.golden.logs import FOLDER, HEADS, Golden, golden
from tests.proof.mischief import rounds_of
from tests.proof.mischief_games import GAMES_OF_MISCHIEF
from tests.proof.rounds import bundled
from tests.table.desk import Desk

WANTED: Mapping[str, tuple[str, int, int]] = {
    "quatro-4": ("quatro", 4, 2),
    "quatro-8": ("quatro", 8, 2),
    "kwartet-2": ("kwartet", 2, 3),
    "kwartet-5": ("kwartet", 5, 1),
}
"""Name -> game, seats, and the seed of a table whose games end, with races, a late house and a reshuffle among them."""


def main() -> None:
    """Writes what is missing."""
    found = golden() if HEADS.exists() else {}
    for name, (game, seats, seed) in WANTED.items():
        if name not in found:
            found[name] = _made(name, game, GAMES_OF_MISCHIEF[game](seats, seed).play())
            print(f"made {name}: {found[name].records} records")
    HEADS.write_bytes(msgspec.json.format(msgspec.json.encode(found, order="sorted"), indent=1) + b"\n")


def _made(name: str, game: str, desk: Desk) -> Golden:
    rounds = rounds_of(desk)
    (FOLDER / f"{name}.ndjson").write_bytes(b"".join(row.body + b"\n" for row in _whole(desk)))
    rows, previous = max(rounds, key=lambda each: sum(b'"lost_to"' in row.body for row in each[0]))
    bundle, file = bundled(rows, previous), f"{name}-{rows[0].round}.zip"
    (FOLDER / file).write_bytes(bundle)
    heads = tuple(rows[-1].hash.hex() for rows, _ in rounds)
    sums = {file: hashlib.sha256(bundle).hexdigest()}
    return Golden(game, desk.table, len(_whole(desk)), heads, sums)


def _whole(desk: Desk) -> list[Row]:
    """Up to the last Award: what comes after it belongs to no finished round."""
    return [row for row in desk.rows if row.round < desk.s.table.round]


if __name__ == "__main__":
    main()
