"""The offline bundle of one sealed round: a zip whose bytes follow from the round alone (docs/bundle.md).

Entries are stored, sorted by name and dated 1980; the manifest names each with size and SHA-256.
"""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import msgspec
from msgspec import Struct

from shared.eventlog.chain import link
from shared.eventlog.port import Commit, Row
from shared.proof.note import Verifier
from shared.proof.races import Race, races
from shared.proof.seal import Seal
from shared.replay import records
from shared.table.boundary import restore
from shared.table.record import INTEGER_MAX

FAMILY = "quartet/bundle/"
FORMAT = f"{FAMILY}1"
MANIFEST, RECORDS, RACES = "manifest.json", "records.ndjson", "margins.json"
SEAL, CHECKPOINT, KEYS = "seal.json", "checkpoint.txt", "keys.json"
NAMES = (CHECKPOINT, KEYS, MANIFEST, RACES, RECORDS, SEAL)
BUNDLE_BYTES_MAX = 64 * 1024 * 1024
PREVIOUS_BYTES = 32
_EPOCH = (1980, 1, 1, 0, 0, 0)
_canonical = msgspec.json.Encoder(order="sorted")


class BadBundle(ValueError):
    """Not a bundle: says what is missing or does not fit."""


class OtherFormat(ValueError):
    """A bundle of a later format, which is not for this program to judge."""


class _Named(Struct):
    format: str = ""


class Size(Struct, frozen=True):
    """An entry's length and SHA-256 in hex."""

    bytes: int
    sha256: str


class Committed(Struct, frozen=True):
    """A commit that wrote records of the round, up to version `last`; `at` (µs) is the database's clock, not proven."""

    n: int
    epoch: int
    at: int
    last: int


class Manifest(Struct, frozen=True, kw_only=True):
    """What the bundle is of. `previous` and `head` (hex) are the chain before its first and after its last record."""

    format: str
    game: str
    revision: int
    table: str
    round: int
    first: int
    last: int
    previous: str
    head: str
    commits: tuple[Committed, ...]
    files: dict[str, Size]


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle as read: nothing of it is verified but that it is one."""

    manifest: Manifest
    rows: tuple[Row, ...]
    races: tuple[Race, ...]
    seal: Seal
    note: str
    keys: tuple[Verifier, ...]


def write(
    rows: Sequence[Row],
    previous: bytes,
    commits: Sequence[tuple[int, Commit]],
    sealed: Seal,
    note: str,
    keys: Sequence[Verifier],
) -> bytes:
    """The bundle of a round's rows. `commits` are (last version, commit), in order; `previous` the hash before."""
    decoded = list(records(rows))
    game, revision = _game(decoded[0].carry, decoded[0].command)
    files = {
        CHECKPOINT: note.encode(),
        KEYS: _canonical.encode([str(key) for key in keys]),
        RACES: _canonical.encode(races(decoded, game)),
        RECORDS: b"".join(row.body + b"\n" for row in rows),
        SEAL: _canonical.encode(sealed),
    }
    manifest = Manifest(
        format=FORMAT,
        game=game,
        revision=revision,
        table=rows[0].table_id,
        round=rows[0].round,
        first=rows[0].version,
        last=rows[-1].version,
        previous=previous.hex(),
        head=rows[-1].hash.hex(),
        commits=tuple(Committed(commit.n, commit.epoch, commit.at, last) for last, commit in commits),
        files={name: Size(len(content), sha256(content).hexdigest()) for name, content in files.items()},
    )
    return _zipped({**files, MANIFEST: _canonical.encode(manifest)})


def read(data: bytes) -> Bundle:
    """Take a bundle apart. Raises BadBundle for anything that `write` could not have made; OtherFormat."""
    if len(data) > BUNDLE_BYTES_MAX:
        raise BadBundle(f"larger than {BUNDLE_BYTES_MAX} bytes")
    files = _unzipped(data)
    try:
        named = msgspec.json.decode(files[MANIFEST], type=_Named).format
        if named != FORMAT and named.startswith(FAMILY):
            raise OtherFormat(f"this program reads {FORMAT}, not {named}")
        manifest = msgspec.json.decode(files[MANIFEST], type=Manifest)
        sealed = msgspec.json.decode(files[SEAL], type=Seal)
        keys = tuple(Verifier.parse(key) for key in msgspec.json.decode(files[KEYS], type=list[str]))
        found = msgspec.json.decode(files[RACES], type=tuple[Race, ...])
        note = files[CHECKPOINT].decode()
        rows = _rows(manifest, files[RECORDS])
    except OtherFormat:
        raise
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise BadBundle(str(problem)) from problem
    if manifest.format != FORMAT:
        raise BadBundle(f"of format {manifest.format}, not {FORMAT}")
    if manifest.files != {n: Size(len(c), sha256(c).hexdigest()) for n, c in files.items() if n != MANIFEST}:
        raise BadBundle("a file is not what the manifest says")
    parts = {MANIFEST: manifest, SEAL: sealed, KEYS: [str(key) for key in keys], RACES: found}
    if any(_canonical.encode(part) != files[name] for name, part in parts.items()):
        raise BadBundle("a file is not in canonical JSON")
    if _zipped(files) != data:
        raise BadBundle("the archive is not in its one canonical form")
    return Bundle(manifest, rows, found, sealed, note, keys)


def _game(carry: msgspec.Raw, command: object) -> tuple[str, int]:
    if carry:
        state = restore("", carry)
        return state.game, state.revision
    game, revision = getattr(command, "game", ""), getattr(command, "revision", 0)
    return str(game), int(revision)


def _rows(manifest: Manifest, body: bytes) -> tuple[Row, ...]:
    lines = body.split(b"\n")
    if lines.pop() != b"":
        raise BadBundle("the last record does not end in a newline")
    rows, previous = [], bytes.fromhex(manifest.previous)
    if previous.hex() != manifest.previous or len(previous) != PREVIOUS_BYTES:
        raise BadBundle("the previous hash is not 32 bytes in lower-case hex")
    if not 0 < manifest.first <= INTEGER_MAX - len(lines):
        raise BadBundle("no table has so many records")
    for version, line in enumerate(lines, manifest.first):
        previous = link(previous, version, line)
        rows.append(Row(manifest.table, version, manifest.round, _at(line), line, previous))
    return tuple(rows)


def _at(line: bytes) -> int:
    """The record's time. What can't be read has none: the audit names that record."""
    try:
        return msgspec.json.decode(line, type=_At).at
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return -1


class _At(Struct):
    at: int


def _zipped(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name])
    return out.getvalue()


def _unzipped(data: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if sorted(entry.filename for entry in entries) != sorted(NAMES):
                raise BadBundle(f"a bundle holds exactly {', '.join(NAMES)}")
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
                raise BadBundle("an entry is compressed")
            return {entry.filename: archive.read(entry) for entry in entries}
    except BadBundle:
        raise
    except Exception as problem:  # zipfile has many ways to say so of forged headers
        raise BadBundle(f"not a zip archive: {problem}") from problem
