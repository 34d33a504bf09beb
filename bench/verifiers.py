"""`python -m bench.verifiers`: thousands of mischievous rounds, honest and tampered, before both verifiers.

The service's check and verify_bundle.py must agree on every one: the verdict, and the first record that is wrong.
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from itertools import islice
from random import Random

from msgspec import Struct, field

from services.gateway.web import verify_bundle as verifier
from shared.eventlog.port import Row
from shared.proof.check import Report, check
from tests.proof.forge import Json, decoded, forged, repacked
from tests.proof.mischief import rounds_of
from tests.proof.mischief_games import GAMES_OF_MISCHIEF, SEATS
from tests.proof.mutations import mutate
from tests.proof.rounds import SIGNER, bundled
from tests.proof.tamperings import ALL, tampered

TABLES: Sequence[tuple[str, int]] = [(game, seats) for game in SEATS for seats in SEATS[game]]
BATCH = 1
FLIPPED = 3
"""In every third round one byte is flipped."""
KEY = verifier.Key.parse(str(SIGNER.verifier))


class Counted(Struct):
    """What a batch of tables came to; `differ` says in words where the two did not agree, or missed something."""

    rounds: int = 0
    records: int = 0
    tampered: int = 0
    mutated: int = 0
    flipped: int = 0
    differ: list[str] = []
    ways: Counter[str] = field(default_factory=Counter)


def main() -> int:
    """Plays and checks until enough rounds; exit status 1 if the two ever differed."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--rounds", type=int, default=10_000, help="0: only flip every byte")
    asked.add_argument("--seed", type=int, default=0, help="where the seeds begin")
    asked.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked.add_argument("--every-byte", type=int, default=2, help="bundles of which every single byte is flipped")
    given = asked.parse_args()
    total, began = Counted(), time.monotonic()
    with ProcessPoolExecutor(given.jobs) as pool:
        for counted in _batches(pool, given.rounds, given.seed, given.jobs):
            _add(total, counted)
            _say(total, began)
        for words in pool.map(every_byte, range(given.every_byte)):
            print(f"\n{words}", end="", flush=True)
            total.differ += [words] if "missed" in words else []
    print()
    for way, times in sorted(total.ways.items()):
        print(f"  {way} {times}")
    print("\n".join(total.differ) or "the two agree on all of them")
    return 1 if total.differ else 0


def _batches(pool: ProcessPoolExecutor, rounds: int, seed: int, jobs: int) -> Iterator[Counted]:
    waiting = {pool.submit(batch, seed + n * BATCH) for n in range(jobs + 1) if rounds}
    following, found = seed + (jobs + 1) * BATCH, 0
    while waiting:
        done = next(as_completed(waiting))
        waiting.remove(done)
        counted = done.result()
        found += counted.rounds
        if found < rounds:
            waiting.add(pool.submit(batch, following))
            following += BATCH
        yield counted


def _add(total: Counted, counted: Counted) -> None:
    total.rounds += counted.rounds
    total.records += counted.records
    total.tampered += counted.tampered
    total.mutated += counted.mutated
    total.flipped += counted.flipped
    total.differ += counted.differ
    total.ways.update(counted.ways)


def _say(total: Counted, began: float) -> None:
    words = f"{total.rounds} rounds, {total.records} records, {total.tampered} tampered"
    words += f", {total.mutated} mutated, {total.flipped} bytes flipped"
    print(f"\r{words}, {len(total.differ)} differ, {time.monotonic() - began:.0f} s", end="", flush=True)


def batch(seed: int) -> Counted:
    """Some seeds of every game and number of seats."""
    counted = Counted()
    for each in range(seed, seed + BATCH):
        for game, seats in TABLES:
            for rows, previous in rounds_of(GAMES_OF_MISCHIEF[game](seats, each).play()):
                counted.rounds += 1
                counted.records += len(rows)
                compare(f"{game}/{seats} seed {each} round {rows[0].round}", rows, previous, counted)
    return counted


def compare(name: str, rows: tuple[Row, ...], previous: bytes, counted: Counted) -> None:
    """The round as it is, tampered with, changed anywhere, and now and then with a byte flipped, its sums mended."""
    chance, honest = Random(name), bundled(rows, previous)
    ours, theirs = both(honest)
    if ours.verdict != "proven" or theirs["verdict"] != "proven":
        counted.differ.append(f"{name}: honest, {_words(ours, theirs)}")
    _tampered(name, rows, previous, chance, counted)
    _mutated(name, rows, previous, chance, counted)
    if counted.rounds % FLIPPED == 0:
        counted.flipped += 1
        file, place, flipped = flip(honest, chance)
        found = both(flipped)
        if not _agree(*found):
            counted.differ.append(f"{name}: byte {place} of {file}, {_words(*found)}")


def _tampered(name: str, rows: tuple[Row, ...], previous: bytes, chance: Random, counted: Counted) -> None:
    """One way of tampering, which both must find where it shows."""
    for way, changed in islice(tampered(decoded(rows), chance, chance.sample(ALL, 4)), 1):
        counted.tampered += 1
        counted.ways[way] += 1
        found = both(forged(changed.records, previous, rows[0].version))
        if not _agree(*found) or not changed.shows(found[1]["version"], found[1]["kind"]):
            counted.differ.append(f"{name}: {way} at {changed.version}, {_words(*found)}")


def _mutated(name: str, rows: tuple[Row, ...], previous: bytes, chance: Random, counted: Counted) -> None:
    """Any change; it may even be harmless, but both must say the same of it."""
    records = decoded(rows)
    where = mutate(records, chance)
    with suppress(AttributeError, TypeError, KeyError):  # what even a forger can't put into a bundle
        bundle = forged(records, previous, rows[0].version)
        counted.mutated += 1
        ours, theirs = both(bundle)
        same = (ours.verdict, ours.version) == (theirs["verdict"], theirs["version"])
        if not same and ours.kind != "bundle":  # the forger copied what is no number into the manifest
            counted.differ.append(f"{name}: {where} changed, {_words(ours, theirs)}")


def flip(bundle: bytes, chance: Random) -> tuple[str, int, bytes]:
    """One bit of one file, all sums mended. The manifest's own claims are left out: of them nothing is proven."""
    files = verifier.unzip(bundle)
    file = chance.choice([verifier.RECORDS] * 4 + [name for name in files if name != verifier.MANIFEST])
    content = bytearray(files[file])
    place = chance.randrange(len(content))
    content[place] ^= 1 << chance.randrange(8)
    return file, place, repacked(bundle, file, bytes(content))


def both(bundle: bytes) -> tuple[Report, Json]:
    """What the service's check says, and what the other does."""
    return check(bundle, [SIGNER.verifier]), verifier.check(bundle, [KEY])


def _agree(ours: Report, theirs: Json) -> bool:
    same = ours.version == theirs["version"]
    return same and ours.verdict == "wrong" and theirs["verdict"] == "wrong"


def _words(ours: Report, theirs: Json) -> str:
    one = f"{ours.verdict} {ours.version} {ours.kind} {ours.detail}"
    return f"{one} | {theirs['verdict']} {theirs['version']} {theirs['kind']} {theirs['detail']}"


def every_byte(number: int) -> str:
    """Every byte of one bundle flipped in turn, as a fault of storage would, before both."""
    game, seats = TABLES[number * 3 % len(TABLES)]
    bundle, missed = bundled(*rounds_of(GAMES_OF_MISCHIEF[game](seats, number).play())[0]), 0
    for place in range(len(bundle)):
        changed = bytearray(bundle)
        changed[place] ^= 1 << place % 8
        ours, theirs = both(bytes(changed))
        missed += ours.verdict != "wrong" or theirs["verdict"] != "wrong"
    return f"{game}/{seats}: {len(bundle)} bytes flipped, each in turn" + (f", {missed} missed" if missed else "")


if __name__ == "__main__":
    sys.exit(main())
