"""Checks a bundle with nothing but its bytes: what is proven, by whose signature, and the first thing that is wrong."""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from shared.games.registry import GAMES
from shared.proof.bundle import BadBundle, Bundle, OtherFormat, read
from shared.proof.note import BadNote, Verifier
from shared.proof.races import Race, races
from shared.proof.receipt import Receipt, verified
from shared.proof.seal import Leaf, holds
from shared.replay import Fault, Verified, records, verify_round
from shared.table.state import State


class Verdict(StrEnum):
    """Proven; wrong; or not to be told, as when no key that we trust signed."""

    PROVEN = "proven"
    WRONG = "wrong"
    UNKNOWN = "unknown"


class Vouched(Struct, frozen=True):
    """What became of a receipt: the version of its record in this round, or missing; `key` signed it, null: nobody."""

    receipt: str
    version: int | None
    key: str | None
    accepted: bool | None = None


class Report(Struct, frozen=True):
    """The outcome. `version` and `kind` name the first record that is wrong and how; `points` are a side each.

    `follows` is the round whose bundle proves what this one began with, if that was at hand.
    """

    verdict: Verdict
    detail: str
    table: str | None = None
    round: int | None = None
    game: str | None = None
    records: int = 0
    points: tuple[int, ...] = ()
    races: tuple[Race, ...] = ()
    signed_by: str | None = None
    trusted: bool = False
    version: int | None = None
    kind: str | None = None
    receipts: tuple[Vouched, ...] = ()
    follows: int | None = None


class Held(Struct, frozen=True):
    """A receipt that a client kept: the record's hash as its verdict had it, and the signed part."""

    receipt: str
    signed: Receipt


def check(
    data: bytes, trust: Sequence[Verifier] = (), held: Sequence[Held] = (), before: bytes | None = None
) -> Report:
    """Everything that a bundle can show. Without `trust` the answer names the signer, to be compared by a person.

    `before` is the bundle of the round before, which was proven: then what this round began with is, too.
    """
    try:
        bundle = read(data)
        known = None if before is None else read(before)
    except BadBundle as problem:
        return Report(Verdict.WRONG, str(problem), kind="bundle")
    except OtherFormat as problem:
        return Report(Verdict.UNKNOWN, str(problem), kind="unknown")
    game, revision = bundle.manifest.game, bundle.manifest.revision
    if game not in GAMES or revision != GAMES[game].revision:
        detail = f"this program does not know {game!r} by revision {revision} of its rules"
        return _report(bundle, Verdict.UNKNOWN, detail, Fault(0, "unknown", detail))
    report = _check(bundle, trust, held, known)
    return report if known is None else replace(report, follows=known.manifest.round)


def _check(bundle: Bundle, trust: Sequence[Verifier], held: Sequence[Held], before: Bundle | None) -> Report:
    checked = _round(bundle) if before is None else _sequel(before, bundle)
    fault = checked if isinstance(checked, Fault) else _frame(bundle, checked.state)
    if fault is not None:
        return _report(bundle, Verdict.WRONG, fault.detail, fault)
    leaf = Leaf(bundle.manifest.table, bundle.manifest.round, bundle.rows[-1].version, bundle.rows[-1].hash.hex())
    try:
        trusted = [key for key in bundle.keys if key in trust]
        signer = holds(bundle.seal, leaf, bundle.note, trusted or bundle.keys)
    except BadNote as problem:
        return _report(bundle, Verdict.WRONG, str(problem), Fault(0, "seal", str(problem)))
    vouched = tuple(_vouched(bundle, one, trust or bundle.keys) for one in held)
    cut = [one for one in vouched if one.version is None and one.key is not None]
    if cut:
        detail = f"{len(cut)} signed receipts are for records that are not in this round"
        return _report(bundle, Verdict.WRONG, detail, Fault(0, "receipt", detail), signer, vouched)
    if trust and signer not in trust:
        detail = f"signed by {signer}, which is not the key to be trusted"
        return _report(bundle, Verdict.WRONG, detail, Fault(0, "key", detail), signer, vouched)
    return _report(bundle, Verdict.PROVEN, "every record follows from the rules", None, signer, vouched, bool(trust))


def _round(bundle: Bundle) -> Verified | Fault:
    """The records themselves; the round must begin with its first record and end with its Award."""
    first = bundle.manifest.first
    previous = bytes.fromhex(bundle.manifest.previous)
    return _ended(bundle, verify_round(bundle.rows, previous=previous if first > 1 else None))


def _sequel(before: Bundle, bundle: Bundle) -> Verified | Fault:
    """The records behind those of the round before: what that one left is what this one must begin with."""
    known, here, last = before.manifest, bundle.manifest, before.rows[-1]
    named = here.table, here.round, here.first, here.previous
    if named != (known.table, known.round + 1, last.version + 1, last.hash.hex()):
        return Fault(0, "sequel", f"not the round behind round {known.round} of table {known.table}")
    rows = (*before.rows, *bundle.rows)
    return _ended(bundle, verify_round(rows, previous=bytes.fromhex(known.previous)))


def _ended(bundle: Bundle, checked: Verified | Fault) -> Verified | Fault:
    if isinstance(checked, Fault):
        return checked
    if checked.state.table.round != bundle.manifest.round + 1 or checked.state.awarded_at != checked.state.at:
        return Fault(checked.state.version, "award", "the round does not end with its Award")
    return checked


def _frame(bundle: Bundle, state: State) -> Fault | None:
    """What the manifest and the list of races say follows from the records."""
    manifest, last = bundle.manifest, bundle.rows[-1]
    decoded = list(records(bundle.rows))
    facts = (state.game, GAMES[state.game].revision, last.version, last.hash.hex())
    if facts != (manifest.game, manifest.revision, manifest.last, manifest.head):
        return Fault(0, "manifest", "the manifest does not describe these records")
    if any(record.table != manifest.table or record.round != manifest.round for record in decoded):
        return Fault(0, "manifest", "a record is of another table or round")
    if tuple(races(decoded, manifest.game)) != bundle.races:
        return Fault(0, "races", "the list of races is not that of the records")
    commits = [commit.last for commit in manifest.commits]
    if commits != sorted(set(commits)) or (commits and commits[-1] < last.version):
        return Fault(0, "manifest", "the commits do not cover the records")
    return None


def _vouched(bundle: Bundle, held: Held, known: Sequence[Verifier]) -> Vouched:
    try:
        hash = bytes.fromhex(held.receipt)
    except ValueError:
        return Vouched(held.receipt, None, None)
    if hash.hex() != held.receipt:
        return Vouched(held.receipt, None, None)
    key = verified(held.signed, hash, known)
    row = next((row for row in bundle.rows if row.hash == hash), None)
    accepted = None if row is None else _accepted(bundle, row.version)
    return Vouched(held.receipt, None if row is None else row.version, None if key is None else str(key), accepted)


def _accepted(bundle: Bundle, version: int) -> bool:
    return next(record.refused is None for record in records(bundle.rows) if record.n == version)


def _report(
    bundle: Bundle,
    verdict: Verdict,
    detail: str,
    fault: Fault | None,
    signer: Verifier | None = None,
    vouched: tuple[Vouched, ...] = (),
    trusted: bool = False,
) -> Report:
    manifest = bundle.manifest
    return Report(
        verdict=verdict,
        detail=detail,
        table=manifest.table,
        round=manifest.round,
        game=manifest.game,
        records=len(bundle.rows),
        points=_points(bundle) if fault is None else (),
        races=bundle.races if fault is None else (),
        signed_by=None if signer is None else str(signer),
        trusted=trusted,
        version=None if fault is None or not fault.version else fault.version,
        kind=None if fault is None else fault.kind,
        receipts=vouched,
    )


def _points(bundle: Bundle) -> tuple[int, ...]:
    award = list(records(bundle.rows))[-1].command
    return tuple(getattr(award, "points", ()))
