#!/usr/bin/env python3
# ruff: noqa: N802 - what decides a command is named as the command is
"""Verifies a sealed round of Quartet, offline: one file, Python 3.9 or newer, nothing but the standard library.

    python3 verify_bundle.py ROUND.zip [NEXT.zip ...] [--trust KEY] [--receipts FILE] [--json]

It takes nothing from the service but the bundle. From the rule books it decides every recorded command again: who was
first, what was refused and what it lost to, the deal from the committed bytes, every deadline, the points. The format
is docs/bundle.md, in which "What is proven, what is trusted" says what no verifier of such a file can know.
Bundles of successive rounds, given together, also prove what each of them but the first began with.

Exit status: 0 everything follows, 1 something does not (the first wrong record is named), 2 it can't tell.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import hmac
import json
import re
import struct
import sys
import uuid
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Union

Json = dict[str, Any]
Decision = Union[list[Json], Json]  # noqa: UP007 - Python 3.9 reads this
"""What the rules give: the events (a list), or one refusal (an object)."""

SECOND = 1_000_000
MINUTE = 60 * SECOND
INTEGER_MAX = 2**53


class Wrong(Exception):
    """Something does not follow: of what kind, in words, and at which record if it is one's."""

    def __init__(self, kind: str, detail: str, version: int | None = None) -> None:
        super().__init__(detail)
        self.kind, self.detail, self.version = kind, detail, version


class CannotTell(Exception):
    """Not for this program to judge: another format, game or revision of the rules."""


# --- 1. JSON in its one canonical form -------------------------------------------------------------


def canonical(value: object) -> bytes:
    """UTF-8, keys sorted, no spaces."""
    return _ENCODER.encode(value).encode()


def parse(text: bytes) -> Any:
    """JSON without floats that is in its canonical form. Raises ValueError."""
    value = _DECODER.decode(text.decode())
    if canonical(value) != text:
        raise ValueError("not in canonical form")
    return value


def _no_float(text: str) -> Any:
    raise ValueError(f"{text} is no integer")


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
_DECODER = json.JSONDecoder(parse_float=_no_float, parse_constant=_no_float)


# --- 2. The archive --------------------------------------------------------------------------------

CHECKPOINT, KEYS, MANIFEST = "checkpoint.txt", "keys.json", "manifest.json"
MARGINS, RECORDS, SEAL = "margins.json", "records.ndjson", "seal.json"
NAMES = (CHECKPOINT, KEYS, MANIFEST, MARGINS, RECORDS, SEAL)
FORMAT = "quartet/bundle/1"
BUNDLE_BYTES_MAX = 64 * 1024 * 1024
MANIFEST_KEYS = frozenset(
    ("commits", "files", "first", "format", "game", "head", "last", "previous", "revision", "round", "table")
)
_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_ZIP_VERSION, _MADE_ON_UNIX, _DATE_1980, _MODE_644 = 20, 3 << 8, 0x21, 0o644 << 16


def unzip(data: bytes) -> dict[str, bytes]:
    """The six stored entries; that there is nothing else shows when they are put together again."""
    if len(data) > BUNDLE_BYTES_MAX:
        raise Wrong("bundle", f"larger than {BUNDLE_BYTES_MAX} bytes")
    files, offset = {}, 0
    for name in NAMES:
        if len(data) < offset + _LOCAL.size:
            raise Wrong("bundle", f"not a bundle, or cut off before {name}")
        size = _LOCAL.unpack_from(data, offset)[7]
        offset += _LOCAL.size + len(name)
        files[name] = data[offset : offset + size]
        offset += size
    if zipped(files) != data:
        raise Wrong("bundle", "the archive is not in its one canonical form")
    return files


def zipped(files: dict[str, bytes]) -> bytes:
    """The archive of these files: stored, sorted by name, dated 1980, nothing extra."""
    body, directory = b"", b""
    for name in sorted(files):
        content, place = files[name], len(body)
        common = (_ZIP_VERSION, 0, 0, 0, _DATE_1980, zlib.crc32(content), len(content), len(content), len(name), 0)
        body += _LOCAL.pack(b"PK\3\4", *common) + name.encode() + content
        made = _ZIP_VERSION | _MADE_ON_UNIX
        directory += _CENTRAL.pack(b"PK\1\2", made, *common, 0, 0, 0, _MODE_644, place) + name.encode()
    end = _END.pack(b"PK\5\6", 0, 0, len(files), len(files), len(directory), len(body), 0)
    return body + directory + end


class Bundle(NamedTuple):
    """A bundle taken apart; nothing of it is verified but that it is one."""

    manifest: Json
    lines: list[bytes]
    margins: list[Json]
    seal: Json
    note: str
    keys: list[Key]


def read_bundle(data: bytes) -> Bundle:
    """Raises Wrong("bundle") for what is none, CannotTell for one of a later format."""
    files = unzip(data)
    try:
        manifest, margins, seal = parse(files[MANIFEST]), parse(files[MARGINS]), parse(files[SEAL])
        texts = parse(files[KEYS])
        keys = [Key.parse(text) for text in texts]
        if [str(key) for key in keys] != texts:
            raise ValueError("a key is not written as keys are")
        _check_manifest(manifest, files)
        _check_seal_form(seal)
        return Bundle(manifest, _lines(files[RECORDS]), margins, seal, files[CHECKPOINT].decode(), keys)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as problem:
        raise Wrong("bundle", f"not a bundle: {problem}") from problem


def _lines(records: bytes) -> list[bytes]:
    lines = records.split(b"\n")
    if lines.pop() != b"" or not lines:
        raise ValueError("the last record does not end in a newline")
    return lines


def _check_manifest(manifest: Json, files: dict[str, bytes]) -> None:
    if str(manifest["format"]) != FORMAT and str(manifest["format"]).startswith("quartet/bundle/"):
        raise CannotTell(f"this program reads {FORMAT}, not {manifest['format']}")
    if manifest["format"] != FORMAT or set(manifest) != MANIFEST_KEYS:
        raise ValueError("the manifest does not have the fields of its format")
    sizes = {
        name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in files.items()
        if name != MANIFEST
    }
    if manifest["files"] != sizes:
        raise ValueError("a file is not what the manifest says")
    if manifest["game"] not in GAMES or manifest["revision"] != REVISION:
        known = f"{' and '.join(GAMES)} by revision {REVISION} of the rules"
        raise CannotTell(f"this program knows {known}, not {manifest['game']!r} by {manifest['revision']!r}")
    unhex(manifest["previous"], 32)
    unhex(manifest["head"], 32)
    for commit in manifest["commits"]:
        if set(commit) != {"at", "epoch", "last", "n"} or not all(is_number(each) for each in commit.values()):
            raise ValueError("a commit is not one")


def _check_seal_form(seal: Json) -> None:
    numbers = is_number(seal["index"]) and is_number(seal["size"])
    if set(seal) != {"index", "leaf", "proof", "size"} or not numbers or type(seal["leaf"]) is not str:
        raise ValueError("the seal is not one")
    for step in seal["proof"]:
        unhex(step, 32)


def unhex(text: str, length: int) -> bytes:
    """Bytes of that length from lower-case hex. Raises ValueError."""
    if not re.fullmatch(f"[0-9a-f]{{{2 * length}}}", text):
        raise ValueError(f"{text!r} is not {length} bytes in hex")
    return bytes.fromhex(text)


def unbase64(text: str) -> bytes:
    """The bytes; a text that is not exactly their base64 is refused. Raises ValueError."""
    found = base64.b64decode(text, validate=True)
    if base64.b64encode(found).decode() != text:
        raise ValueError("not in canonical base64")
    return found


def is_number(value: object) -> bool:
    """An integer that every reader of JSON keeps exactly."""
    return type(value) is int and -INTEGER_MAX <= value <= INTEGER_MAX


# --- 3. Ed25519 (RFC 8032), verification only ------------------------------------------------------

_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_ROOT_OF_MINUS_1 = pow(2, (_P - 1) // 4, _P)
Point = tuple[int, int, int, int]
"""Extended coordinates: x = X/Z, y = Y/Z, T = XY/Z."""
_ZERO: Point = (0, 1, 1, 0)


def ed25519_verifies(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the holder of this public key signed: [S]B = R + [h]A."""
    key = _decompress(public)
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or len(signature) != 64 or scalar >= _L:
        return False
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    hashed = int.from_bytes(digest, "little") % _L
    x, y, z, t = key
    return _compress(_two_products(scalar, _BASE, hashed, (_P - x, y, z, _P - t))) == signature[:32]


def _two_products(a: int, p: Point, b: int, q: Point) -> Point:
    """[a]p + [b]q, bit by bit together."""
    total, both = _ZERO, _add(p, q)
    for bit in range(252, -1, -1):
        total = _add(total, total)
        one, other = a >> bit & 1, b >> bit & 1
        if one or other:
            total = _add(total, both if one and other else p if one else q)
    return total


def _add(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % _P, (p[1] + p[0]) * (q[1] + q[0]) % _P
    c, d = 2 * p[3] * q[3] * _D % _P, 2 * p[2] * q[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _compress(p: Point) -> bytes:
    inverse = pow(p[2], _P - 2, _P)
    x, y = p[0] * inverse % _P, p[1] * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _decompress(encoded: bytes) -> Point | None:
    if len(encoded) != 32:
        return None
    y, sign = int.from_bytes(encoded, "little") & (1 << 255) - 1, encoded[31] >> 7
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT_OF_MINUS_1 % _P
    if y >= _P or (x * x - square) % _P or (x == 0 and sign):
        return None
    x = _P - x if x & 1 != sign else x
    return x, y, 1, x * y % _P


_BASE_Y = 4 * pow(5, _P - 2, _P) % _P
_BASE = _decompress(_BASE_Y.to_bytes(32, "little")) or _ZERO


# --- 4. Keys, signed notes, checkpoints, Merkle proofs (C2SP, RFC 9162), receipts ------------------


_NAME_OF_KEY = re.compile(r"[^\s+\x00-\x1f\x7f]+")
_DIGITS_MAX = 16


@dataclass(frozen=True)
class Key:
    """A public key and its name; as text `<name>+<8 hex digits>+<base64 of 0x01 and the key>`."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """The four bytes by which signatures name it."""
        return hashlib.sha256(self.name.encode() + b"\n\x01" + self.public).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(bytes([1]) + self.public).decode()}"

    @classmethod
    def parse(cls, text: str) -> Key:
        """Raises ValueError for what is no Ed25519 key or has another id."""
        parts = text.strip().split("+", 2)
        raw = unbase64(parts[2]) if len(parts) == 3 else b""
        key = cls(parts[0], raw[1:])
        if len(raw) != 33 or raw[0] != 1 or str(key) != text.strip() or not _NAME_OF_KEY.fullmatch(key.name):
            raise ValueError(f"{text!r} is not a key: <name>+<8 hex digits>+<base64>")
        return key


class Checkpoint(NamedTuple):
    """The log `origin` had `size` leaves and this root, says `key`."""

    origin: str
    size: int
    root: bytes
    key: Key


def read_checkpoint(note: str, known: Sequence[Key]) -> Checkpoint:
    """The checkpoint in a signed note. Raises Wrong when none of the known keys signed it."""
    try:
        text, key = _open_note(note, known)
        origin, size, root = text.split("\n")[:3]
        if len(size) > _DIGITS_MAX:
            raise ValueError("no log is that large")
        found = Checkpoint(origin, int(size), unbase64(root), key)
    except (ValueError, UnicodeError) as problem:
        raise Wrong("seal", f"checkpoint: {problem}") from problem
    if not origin or str(found.size) != size or found.size < 0 or len(found.root) != 32:
        raise Wrong("seal", "a checkpoint is an origin, a size and a root of 32 bytes")
    if origin != key.name:
        raise Wrong("seal", "the checkpoint is of another log than the key's")
    return found


def _open_note(note: str, known: Sequence[Key]) -> tuple[str, Key]:
    text, gap, lines = note.rpartition("\n\n")
    if not gap or not lines.endswith("\n"):
        raise ValueError("no signature")
    text, signer = text + "\n", None
    for line in lines[:-1].split("\n"):
        name, _, encoded = line[2:].rpartition(" ")
        signature = unbase64(encoded)
        if not line.startswith("\u2014 ") or not name or len(signature) < 5:
            raise ValueError("a signature's line is malformed")
        key = next((key for key in known if (key.name, key.id) == (name, signature[:4])), None)
        if key is not None and not ed25519_verifies(key.public, text.encode(), signature[4:]):
            raise ValueError(f"the signature of {name} does not fit")
        signer = signer or key
    if signer is None:
        raise ValueError("signed by no known key")
    return text, signer


def included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof leads from the leaf at `index` to the root over `size` leaves (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    place, last, found = index, size - 1, hashlib.sha256(b"\x00" + leaf).digest()
    for step in proof:
        if last == 0:
            return False
        if place % 2 or place == last:
            found = hashlib.sha256(b"\x01" + step + found).digest()
            while place and place % 2 == 0:
                place, last = place // 2, last // 2
        else:
            found = hashlib.sha256(b"\x01" + found + step).digest()
        place, last = place // 2, last // 2
    return last == 0 and found == root


def check_seal(bundle: Bundle, head: bytes, version: int, trust: Sequence[Key] = ()) -> Checkpoint:
    """The head of the round's chain is in the log that the checkpoint describes; who of those to trust signs it."""
    manifest, seal = bundle.manifest, bundle.seal
    leaf = canonical({"head": head.hex(), "round": manifest["round"], "table": manifest["table"], "version": version})
    checkpoint = read_checkpoint(bundle.note, [key for key in bundle.keys if key in trust] or bundle.keys)
    if str(seal["leaf"]).encode() != leaf:
        raise Wrong("seal", "the sealed leaf is another round's, or names another head")
    if seal["size"] != checkpoint.size:
        raise Wrong("seal", "the proof is for a tree of another size than the checkpoint's")
    proof = [unhex(step, 32) for step in seal["proof"]]
    if not included(leaf, seal["index"], seal["size"], proof, checkpoint.root):
        raise Wrong("seal", "the inclusion proof does not lead to the checkpoint's root")
    return checkpoint


def receipt_key(receipt: str, signed: Any, known: Sequence[Key]) -> Key | None:
    """Which known key vouches that a record with this hash was committed; None: nobody does."""
    try:
        hashed, root = unhex(receipt, 32), unhex(signed["root"], 32)
        path = [unhex(step, 32) for step in signed["path"]]
        statement = canonical({name: signed[name] for name in ("instance", "n", "partition", "root")})
        places = is_number(signed["index"]) and is_number(signed["size"])
        if not places or not included(hashed, signed["index"], signed["size"], path, root):
            return None
        key = next((key for key in known if str(key) == signed["key"]), None)
        message = b"quartet/receipt/1\n" + statement
        fits = key is not None and ed25519_verifies(key.public, message, unbase64(signed["signature"]))
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return key if fits else None


# --- 5. Chance (T-CHANCE-1) ------------------------------------------------------------------------


def _place(table: str, round: int) -> bytes:
    return table.encode("ascii") + round.to_bytes(8, "big")


def commitment(house: bytes, table: str, round: int) -> str:
    """What is public from the first moment of the preparation."""
    return hashlib.sha256(b"quartet/commit/1\x00" + _place(table, round) + house).hexdigest()


def entropy_hash(entropy: bytes, table: str, round: int, seat: int) -> str:
    """What a seat's client commits to."""
    return hashlib.sha256(b"quartet/entropy/1\x00" + _place(table, round) + bytes([seat]) + entropy).hexdigest()


def round_key(house: bytes, table: str, round: int, entropy: Sequence[bytes | None]) -> bytes:
    """From the house's bytes and those of every seat that revealed some."""
    message = b"quartet/key/1\x00" + _place(table, round)
    for seat, brought in enumerate(entropy):
        if brought is not None:
            message += bytes([seat, len(brought)]) + brought
    return hmac.new(house, message, hashlib.sha256).digest()


class Stream:
    """The numbers of one label under a key."""

    def __init__(self, key: bytes, label: str) -> None:
        self._words = self._generate(key, label.encode("ascii") + b"\x00")

    @staticmethod
    def _generate(key: bytes, prefix: bytes) -> Iterable[int]:
        block = 0
        while True:
            yield from struct.unpack(">8I", hmac.new(key, prefix + block.to_bytes(8, "big"), hashlib.sha256).digest())
            block += 1

    def draw(self, n: int) -> int:
        """A number below n; words from the last, incomplete multiple of n are thrown away."""
        return next(word for word in self._words if word < 2**32 // n * n) % n

    def shuffle(self, cards: Sequence[Any]) -> list[Any]:
        """Fisher-Yates, from the last place down."""
        order = list(cards)
        for last in range(len(order) - 1, 0, -1):
            other = self.draw(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


# --- 6. Decisions as they are recorded -------------------------------------------------------------


def event(kind: str, **fields: object) -> Json:
    """An event as it stands in a record."""
    return {"type": kind, **fields}


def refuse(code: str, lost_to: Json | None = None, wait_until: int | None = None) -> Json:
    """A refusal as it stands in a record; what says nothing is left out."""
    said = {"code": code, "lost_to": lost_to, "wait_until": wait_until}
    return {name: value for name, value in said.items() if value is not None}


def lost_to(version: int, by: int | str, margin: int, why: str | None) -> Json:
    """The record that won a race, and by how many µs."""
    found: Json = {"version": version, "by": by, "margin_us": margin}
    return found if why is None else {**found, "why": why}


@dataclass
class Past:
    """A record that others can lose to."""

    version: int
    at: int
    by: int | str
    why: str | None = None

    def beats(self, at: int) -> Json:
        """What a command at this time lost to."""
        return lost_to(self.version, self.by, at - self.at, self.why)


class Due(NamedTuple):
    """What the house has to do, and when. `order` is T-LATE-2's; `own`: at its own time even when found late."""

    at: int
    order: int
    seat: int
    command: Json
    own: bool = False


END_OF_ROUND, END_OF_VOTE, BEAT, END_OF_TURN, HOST, FREED, OPENING, END_OF_BREAK, CLOSING, OTHER = range(10)


# --- 7. Quatro -------------------------------------------------------------------------------------

RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6")
SUITS = ("S", "H", "D", "C")
SIGNS = tuple("🍍⚡🔔🚀🍇⛵🐢🚲🦊⚽👻🎲🦋🌈☔🎩🎸🧦🌵🎁🥨🍄🥕🔑")


@dataclass
class Channel:
    """A seat's channel: `shown` went out, `chosen` goes out at the next beat; `changed`: last taken or given back."""

    held: bool = False
    shown: str | None = None
    chosen: str | None = None
    beat: int | None = None
    changed: int | None = None


@dataclass
class Vote:
    """An open vote on a reshuffle."""

    asker: int
    deadline: int
    agreed: set[int] = field(default_factory=set)


class Quatro:
    """One round of Quatro; numbers in comments are the rule book's."""

    playing = frozenset(
        ("SwapCard", "TakeChannel", "GiveChannel", "ShowEmoji", "CallQuatro", "CallCounter", "AskReshuffle",
         "AnswerReshuffle")
    )  # fmt: skip
    preparing = frozenset(("PickSign",))
    hosts: frozenset[str] = frozenset()
    house = frozenset(("TimeUp", "EndVote", "Beat"))
    seat_counts = (4, 6, 8)
    levels = ("easy", "normal", "sharp")
    races = {"card_gone": "Q-SWAP-3", "round_over": "Q-STOP-1"}  # noqa: RUF012
    may_sleep = False

    def __init__(self, table: Table) -> None:
        self.table, self.rules, self.seats = table, table.rules, len(table.seats)
        self.teams = self.seats // 2  # Q-SEAT-2
        carried = table.game_carry or {}
        self.last_signs: list[str | None] = list(carried.get("signs") or [None] * self.teams)
        self.signs: list[str | None] = [None] * self.teams
        self.hands: list[list[str]] = []
        self.centre: list[str] = []
        self.taken: list[dict[str, Past]] = [{}, {}, {}, {}]
        self.may_swap: list[int | None] = [None] * self.seats
        self.channels = [Channel() for _ in range(self.seats)]
        self.ends = 0
        self.vote: Vote | None = None
        self.may_vote: int | None = None
        self.reshuffled = False
        self.stop: Past | None = None
        self.called: tuple[int, bool] | None = None

    @staticmethod
    def carries(carry: Json) -> bool:
        """Whether this can be what the round before left: each team's last sign."""
        return set(carry) == {"signs"} and _list_of(_text(16))(carry["signs"]) is True

    @staticmethod
    def check_rules(rules: Json, seats: int) -> None:
        """Raises ValueError for house rules out of their ranges (times in ms)."""
        ranges = {
            "target_points": (1, 50), "prepare_ms": (1_000, 600_000), "break_ms": (1_000, 600_000),
            "round_ms": (5_000, 3_600_000), "swap_wait_ms": (0, 60_000), "channel_wait_ms": (0, 60_000),
            "vote_gap_ms": (0, 60_000), "beat_ms": (1_000, 60_000), "vote_ms": (5_000, 60_000),
        }  # fmt: skip
        if set(rules) != set(ranges):
            raise ValueError("other house rules than Quatro has")
        for name, (low, high) in ranges.items():
            if not is_number(rules[name]) or not low <= rules[name] <= high:
                raise ValueError(f"{name} is not from {low} to {high}")

    def _us(self, name: str) -> int:
        return int(self.rules[name]) * 1000

    def _team(self, seat: int) -> int:
        return seat % self.teams

    def carry(self) -> Json:
        """What stays for the next round."""
        return {"signs": list(self.signs)}

    # The opening (Q-OPEN-3, Q-SIGN-4, Q-DEAL-1)

    def open(self, key: bytes) -> list[Json]:
        events = []
        for team, sign in enumerate(self.signs):
            if sign is None:
                free = [each for each in SIGNS if each != self.last_signs[team]]  # Q-SIGN-5
                self.signs[team] = free[Stream(key, f"sign/{team}").draw(len(free))]
                events.append(event("SignDrawn", team=team, sign=self.signs[team]))
        self.ends = self.table.now + self._us("round_ms")
        return [*events, self._deal("HandsDealt", Stream(key, "deal/0"))]

    def _deal(self, kind: str, stream: Stream) -> Json:
        """Q-DEAL-2: a hand with three or four of a rank goes back, and what is undealt is shuffled again."""
        undealt = stream.shuffle([rank + suit for rank in RANKS[: self.seats + 1] for suit in SUITS])
        self.hands, replaced = [], []
        for seat in range(self.seats):
            times = 0
            while most_of_a_rank(undealt[:4]) >= 3:
                undealt, times = stream.shuffle(undealt[4:] + undealt[:4]), times + 1
            if times:
                replaced.append({"seat": seat, "times": times})
            self.hands.append(undealt[:4])
            undealt = undealt[4:]
        self.centre = undealt
        return event(kind, hands=[list(hand) for hand in self.hands], centre=list(undealt), replaced=replaced)

    # What is due

    def due(self) -> list[Due]:
        found = [Due(self.ends, END_OF_ROUND, 0, event("TimeUp"), own=True)]
        if self.vote is not None:
            passed = self._passes(self.vote)  # Q-VOTE-3: at once, and nothing is dealt in the past (T-LATE-1)
            at = self.table.at if passed else self.vote.deadline
            found.append(Due(at, END_OF_VOTE, 0, event("EndVote"), own=not passed))
        for seat, channel in enumerate(self.channels):
            if channel.beat is not None:
                found.append(Due(channel.beat, BEAT, seat, event("Beat", seat=seat)))
        return found

    def resumed(self, after_time_out: bool) -> None:
        """Missed beats are not made up: one goes out now, and that follows from `due` (T-LATE-1)."""

    def woken(self) -> None:
        """A table of Quatro sleeps in breaks only."""

    def house_does(self, command: Json) -> Decision:
        if command["type"] == "TimeUp":  # Q-TIME-1
            self._stop("house", "time")
            return [event("RoundDrawn")]
        if command["type"] == "EndVote":
            return self._end_vote()
        channel = self.channels[command["seat"]]
        channel.shown, channel.chosen = channel.chosen or channel.shown, None
        channel.beat = self.table.now + self._us("beat_ms")
        return [event("EmojiRepeated", seat=command["seat"], emoji=channel.shown)]

    # What seats do

    def seat_does(self, seat: int, command: Json) -> Decision:
        act = getattr(self, "_" + str(command["type"]))
        found: Decision = act(seat, **{name: value for name, value in command.items() if name != "type"})
        return found

    def _PickSign(self, seat: int, sign: str) -> Decision:
        team = self._team(seat)
        if sign not in SIGNS:
            return refuse("no_such_sign")
        if self.signs[team] is not None:  # Q-SIGN-2
            return refuse("sign_already_set")
        if self.last_signs[team] == sign:  # Q-SIGN-5
            return refuse("sign_used_last_round")
        self.signs[team] = sign
        return [event("SignPicked", seat=seat, team=team, sign=sign)]

    def _SwapCard(self, seat: int, card: str, place: int, aimed_at: str) -> Decision:
        now, hand = self.table.now, self.hands[seat]
        if not 0 <= place <= 3:  # Q-SWAP-8: in this order
            return refuse("no_such_place")
        if card not in hand:
            return refuse("not_in_hand")
        ready = self.may_swap[seat]
        if ready is not None and now < ready:  # Q-SWAP-4
            return refuse("too_soon", wait_until=ready)
        if self.centre[place] != aimed_at:  # Q-SWAP-3
            winner = self.taken[place].get(aimed_at)
            return refuse("card_gone", None if winner is None else winner.beats(now))
        hand[hand.index(card)], self.centre[place] = aimed_at, card  # Q-SWAP-2
        self.taken[place][aimed_at] = Past(self.table.n, now, seat)
        self.may_swap[seat] = now + self._us("swap_wait_ms")
        return [event("CardSwapped", seat=seat, place=place, given=card, taken=aimed_at)]

    def _TakeChannel(self, seat: int) -> Decision:
        return self._change_channel(seat, held=True)

    def _GiveChannel(self, seat: int) -> Decision:
        return self._change_channel(seat, held=False)

    def _change_channel(self, seat: int, held: bool) -> Decision:
        channel, now = self.channels[seat], self.table.now
        if channel.held == held:
            return refuse("already_in_control" if held else "not_in_control")
        if channel.changed is not None and now < channel.changed + self._us("channel_wait_ms"):  # Q-CHAN-5
            return refuse("too_soon", wait_until=channel.changed + self._us("channel_wait_ms"))
        self.channels[seat] = Channel(held=held, changed=now)
        return [event("ChannelTaken" if held else "ChannelGiven", seat=seat)]

    def _ShowEmoji(self, seat: int, emoji: str) -> Decision:
        channel = self.channels[seat]
        if not channel.held:  # Q-CHAN-6
            return refuse("not_in_control")
        if emoji not in SIGNS:
            return refuse("no_such_sign")
        if channel.shown is not None:  # Q-CHAN-2: what goes out at the next beat
            channel.chosen = emoji
            return [event("EmojiChosen", seat=seat, emoji=emoji)]
        channel.shown, channel.beat = emoji, self.table.now + self._us("beat_ms")
        return [event("EmojiShown", seat=seat, emoji=emoji)]

    def _CallQuatro(self, seat: int, anyway: bool) -> Decision:
        if most_of_a_rank(self.hands[seat]) == 4 and not anyway:  # Q-CALL-3
            return refuse("own_four")
        right = most_of_a_rank(self.hands[(seat + self.teams) % self.seats]) == 4  # Q-CALL-1
        self._stop(seat, "call", self._team(seat), right)
        return [event("QuatroCalled", seat=seat, team=self._team(seat), right=right)]

    def _CallCounter(self, seat: int, team: int | None) -> Decision:
        own = self._team(seat)
        if team is None and self.teams > 2:  # Q-COUNTER-1
            return refuse("name_a_team")
        accused = 1 - own if team is None else team
        if not 0 <= accused < self.teams:
            return refuse("no_such_team")
        if accused == own:
            return refuse("own_team")
        right = 4 in (most_of_a_rank(self.hands[accused]), most_of_a_rank(self.hands[accused + self.teams]))
        self._stop(seat, "counter", accused, right)
        return [event("CounterCalled", seat=seat, team=accused, right=right)]

    def _AskReshuffle(self, seat: int) -> Decision:
        now = self.table.now
        if not self.table.seats[seat].present:  # Q-VOTE-1
            return refuse("not_connected")
        if self.reshuffled:  # Q-VOTE-4
            return refuse("already_reshuffled")
        if self.vote is not None:  # Q-VOTE-5
            return refuse("vote_open")
        if self.may_vote is not None and now < self.may_vote:
            return refuse("too_soon", wait_until=self.may_vote)
        self.vote = Vote(seat, now + self._us("vote_ms"))
        return [event("ReshuffleAsked", seat=seat, deadline=self.vote.deadline)]

    def _AnswerReshuffle(self, seat: int, agree: bool) -> Decision:
        if not self.table.seats[seat].present:
            return refuse("not_connected")
        if self.vote is None:
            return refuse("no_vote")
        if seat == self.vote.asker:  # Q-VOTE-2
            return refuse("own_vote")
        if seat in self.vote.agreed:
            return refuse("already_answered")
        answered = event("ReshuffleAnswered", seat=seat, agree=agree)
        if agree:
            self.vote.agreed.add(seat)
            return [answered]
        return [answered, self._vote_failed("no", seat)]

    def _passes(self, vote: Vote) -> bool:
        """Q-VOTE-3: every human connected now, the asker aside, has agreed."""
        humans = {number for number, seat in enumerate(self.table.seats) if seat.present}
        return humans <= vote.agreed | {vote.asker}

    def _end_vote(self) -> Decision:
        assert self.vote is not None, "only what is due is done"
        if not self._passes(self.vote):
            return [self._vote_failed("silence", None)]
        self.taken = [{card: Past(self.table.n, self.table.now, "house", "reshuffle")} for card in self.centre]
        self.vote, self.reshuffled = None, True  # Q-VOTE-4, Q-VOTE-6
        self.may_vote = self.table.now + self._us("vote_gap_ms")
        return [self._deal("CardsReshuffled", Stream(self.table.key, "deal/1"))]

    def _vote_failed(self, why: str, seat: int | None) -> Json:
        self.vote, self.may_vote = None, self.table.now + self._us("vote_gap_ms")  # Q-VOTE-5
        return event("VoteFailed", why=why, seat=seat)

    def _stop(self, by: int | str, how: str, team: int | None = None, right: bool = False) -> None:
        self.stop, self.vote = Past(self.table.n, self.table.now, by, how), None  # Q-STOP-1, Q-VOTE-7
        self.called = None if team is None else (team, right)

    # Points

    def points(self) -> list[int]:
        assert self.stop is not None, "only a stopped round has points"
        if self.called is None:  # Q-TIME-1
            return [0] * self.teams
        team, right = self.called
        if self.stop.why == "call":  # Q-CALL-1, Q-CALL-2
            return [int((each == team) == right) for each in range(self.teams)]
        assert isinstance(self.stop.by, int), "a counter is a seat's"
        scorer = self._team(self.stop.by) if right else team  # Q-COUNTER-2, Q-COUNTER-3
        return [int(each == scorer) for each in range(self.teams)]

    def winners(self, totals: list[int]) -> list[int] | None:
        """Q-WIN-1, Q-WIN-3."""
        top = max(totals)
        return [team for team, each in enumerate(totals) if each == top] if top >= self.rules["target_points"] else None


def most_of_a_rank(cards: Sequence[str]) -> int:
    """How many of these cards share their rank: what stands before the suit."""
    ranks = [card[:-1] for card in cards]
    return max(map(ranks.count, ranks), default=0)


# --- 8. Kwartet ------------------------------------------------------------------------------------

Card = tuple[str, str]
"""Family and member."""
ASKS_SHOWN = 20


class Kwartet:
    """One game of Kwartet."""

    playing = frozenset(("Ask", "PassAbsent"))
    preparing: frozenset[str] = frozenset()
    hosts = frozenset(("PassAbsent",))
    house = frozenset(("EndTurn",))
    seat_counts = (2, 3, 4, 5, 6)
    levels = ("forgetful", "careful", "perfect")
    races = {"not_your_turn": "K-ASK-7", "round_over": "K-ASK-8"}  # noqa: RUF012
    may_sleep = True

    def __init__(self, table: Table) -> None:
        self.table, self.rules, self.seats = table, table.rules, len(table.seats)
        self.families: dict[str, list[Card]] = {
            family["name"]: [(family["name"], member["name"]) for member in family["members"]]
            for family in self.rules["pack"]["families"]
        }
        self.pack = [card for cards in self.families.values() for card in cards]
        self.hands: list[list[Card]] = [[] for _ in range(self.seats)]
        self.stock: list[Card] = []
        self.turn: int | None = None
        self.since = 0
        self.exposed: dict[str, int] = {}
        self.dealer: int | None = None
        self.asks: list[Json] = []
        self.barren = 0
        self.last: Past | None = None
        self.stop: Past | None = None

    @staticmethod
    def carries(carry: Json) -> bool:
        """Whether this can be what the game before left, for all to see: dealer, families, the last requests."""
        asked = _object(by=_N, to=_N, card=_card, given=_flag)
        exposed = _object(family=_text(256), seat=_N)
        found = _object(dealer=_or_null(_N), exposed=_list_of(exposed), asks=_list_of(asked))
        return found(carry) is True

    @staticmethod
    def check_rules(rules: Json, seats: int) -> None:
        """Raises ValueError for house rules out of their ranges, or a pack that is none."""
        if set(rules) != {"after_miss", "pack", "pack_hash", "prepare_ms", "turn_ms"}:
            raise ValueError("other house rules than Kwartet has")
        if rules["after_miss"] not in ("asked", "clockwise"):
            raise ValueError("after_miss is neither asked nor clockwise")
        turn, prepare = rules["turn_ms"], rules["prepare_ms"]
        if not is_number(turn) or not is_number(prepare) or not (turn == 0 or 5_000 <= turn <= 3_600_000):
            raise ValueError("turn_ms is neither 0 nor from 5000 to 3600000")
        if not 1_000 <= prepare <= 600_000:
            raise ValueError("prepare_ms is not from 1000 to 600000")
        check_pack(rules["pack"], rules["pack_hash"], seats)

    def carry(self) -> Json:
        """What stays on the table: who dealt, the families, the last requests."""
        exposed = [{"family": family, "seat": seat} for family, seat in self.exposed.items()]
        return {"dealer": self.dealer, "exposed": exposed, "asks": self.asks[-ASKS_SHOWN:]}

    # The opening (K-DEAL-1 to 3)

    def open(self, key: bytes) -> list[Json]:
        stream = Stream(key, "deal/0")
        dealer = self.dealer = stream.draw(self.seats)
        cards = stream.shuffle(self.pack)
        dealt = len(cards) // 4 * 2 if self.seats == 2 else len(cards)  # K-VAR-2
        for place, card in enumerate(cards[:dealt]):
            self.hands[(dealer + 1 + place) % self.seats].append(card)
        self.stock = cards[dealt:]
        self.last = Past(self.table.n, self.table.now, "house", "dealt")
        hands = [shown(hand) for hand in self.hands]
        events = [event("CardsDealt", dealer=dealer, hands=hands, stock=shown(self.stock))]
        first, holding = (dealer + 1) % self.seats, self._holding()
        for seat in self._clockwise(first):
            events += self._lay_down(seat)
        return events + self._fill(first, holding) + self._go_on("house", "dealt", first)

    def due(self) -> list[Due]:
        limit = self.rules["turn_ms"] * 1000
        return [Due(self.since + limit, END_OF_TURN, 0, event("EndTurn"), own=True)] if limit else []

    def resumed(self, after_time_out: bool) -> None:
        """A turn that came by a time-out of the time without an owner begins now (T-LATE-1)."""
        if after_time_out:
            self.since = self.table.now

    def woken(self) -> None:
        """The turn that was running begins anew (T-IDLE-1)."""
        self.since = self.table.now

    def house_does(self, command: Json) -> Decision:
        return self._next_turn("TurnTimedOut", "timeout")  # K-TIME-1

    def seat_does(self, seat: int, command: Json) -> Decision:
        if command["type"] == "PassAbsent":
            return self._pass()
        card = (command["card"]["family"], command["card"]["member"])
        code = self._against(seat, command["seat"], card)
        if code == "not_your_turn":  # K-ASK-7
            return refuse(code, None if self.last is None else self.last.beats(self.table.now))
        return refuse(code) if code else self._ask(seat, command["seat"], card)

    def _against(self, seat: int, to: int, card: Card) -> str | None:
        """The first reason against a request, in the order of K-ASK-8."""
        own = self.hands[seat]
        if seat != self.turn:
            return "not_your_turn"
        if not 0 <= to < self.seats:
            return "no_such_seat"
        if to == seat:
            return "yourself"
        if card not in self.pack:
            return "no_such_card"
        if card in own:
            return "own_card"
        if card[0] in self.exposed:
            return "family_exposed"
        if card[0] not in {family for family, _ in own}:
            return "family_not_held"
        return None if self.hands[to] else "no_cards"

    def _ask(self, seat: int, to: int, card: Card) -> list[Json]:
        holding, given = self._holding(), card in self.hands[to]
        asked = {"family": card[0], "member": card[1]}
        self.asks.append({"by": seat, "to": to, "card": asked, "given": given})
        events = [event("CardAsked", by=seat, to=to, card=asked, given=given)]
        self.since, self.last = self.table.now, Past(self.table.n, self.table.now, seat)
        self.barren += 1
        if given:  # K-ASK-3
            self.hands[to].remove(card)
            self.hands[seat].append(card)
        elif self.stock:  # K-VAR-2
            events.append(self._draw(seat))
        events += self._lay_down(seat) + self._fill(seat, holding)
        following = seat if given else to if self.rules["after_miss"] == "asked" else seat + 1  # K-ASK-4, 5, K-VAR-1
        return events + self._go_on(seat, "ask", following)

    def _pass(self) -> Decision:
        """K-DISC-1."""
        if self.rules["turn_ms"]:
            return refuse("turn_has_limit")
        assert self.turn is not None, "somebody is on turn in an open game"
        away, now = self.table.seats[self.turn], self.table.now
        gone = away.bot is None and not away.connected and now - away.since >= MINUTE
        if not gone and now - self.since < MINUTE:
            return refuse("not_absent")
        return self._next_turn("TurnPassed", "pass")

    def _next_turn(self, kind: str, why: str) -> list[Json]:
        assert self.turn is not None, "somebody is on turn in an open game"
        seat = self.turn
        self.barren += 1
        self.last = Past(self.table.n, self.table.now, "house", why)
        return [event(kind, seat=seat), *self._go_on("house", why, seat + 1)]

    # What follows from a request, in this order

    def _draw(self, seat: int) -> Json:
        self.hands[seat].append(self.stock.pop(0))
        return event("CardDrawn", seat=seat, card=shown(self.hands[seat][-1:])[0])

    def _lay_down(self, seat: int) -> list[Json]:
        """K-SET-1: complete families of a hand, in the pack's order."""
        events = []
        for family, cards in self.families.items():
            if all(card in self.hands[seat] for card in cards):
                self.hands[seat] = [card for card in self.hands[seat] if card[0] != family]
                self.exposed[family], self.barren = seat, 0
                events.append(event("FamilyExposed", seat=seat, family=family))
        return events

    def _fill(self, first: int, holding: set[int]) -> list[Json]:
        """K-VAR-2: an empty hand draws while there is a stock; without one who held cards is out (K-EMPTY-1)."""
        events = []
        for seat in self._clockwise(first):
            if not self.hands[seat] and self.stock:
                events.append(self._draw(seat))
            elif not self.hands[seat] and seat in holding:
                events.append(event("HandEmptied", seat=seat))
        return events

    def _go_on(self, by: int | str, how: str, following: int) -> list[Json]:
        """The end (K-END-1, K-END-4), or the next turn: that seat's, or the next clockwise with cards (K-EMPTY-2)."""
        complete = len(self.exposed) == len(self.families)
        if complete or self.barren >= 16 * len(self.pack):
            self.stop = Past(self.table.n, self.table.now, by, how)
            return [event("GameEnded", by=by, how=how, complete=complete)]
        turn = next(seat for seat in self._clockwise(following) if self.hands[seat])
        if turn == self.turn:
            return []
        self.turn, self.since = turn, self.table.now
        return [event("TurnCame", seat=turn)]

    def _clockwise(self, first: int) -> list[int]:
        return [(first + step) % self.seats for step in range(self.seats)]

    def _holding(self) -> set[int]:
        return {seat for seat, hand in enumerate(self.hands) if hand}

    def points(self) -> list[int]:
        """K-END-2: one a family."""
        return [list(self.exposed.values()).count(seat) for seat in range(self.seats)]

    def winners(self, totals: list[int]) -> list[int] | None:
        """K-END-2, K-END-4."""
        top = max(totals)
        return [seat for seat, each in enumerate(totals) if each == top] if top else []


def shown(cards: Iterable[Card]) -> list[Json]:
    """Cards as they stand in a record."""
    return [{"family": family, "member": member} for family, member in cards]


def check_pack(pack: Json, pack_hash: str, seats: int) -> None:
    """K-PACK-1 to 3, and that the text is the one whose hash the log names. Raises ValueError."""
    if hashlib.sha256(canonical(pack)).hexdigest() != pack_hash:
        raise ValueError("the pack's text does not have the pack's hash")
    families = pack["families"]
    names = {family["name"] for family in families}
    if not seats <= len(families) <= 64 or len(names) != len(families):
        raise ValueError("a pack has families of different names, at least one a player, at most 64")
    for family in families:
        if len(family["members"]) != 4 or len({member["name"] for member in family["members"]}) != 4:
            raise ValueError(f"the family {family['name']!r} does not have four members")


# --- 9. The table ----------------------------------------------------------------------------------

GAMES: dict[str, type[Quatro] | type[Kwartet]] = {"quatro": Quatro, "kwartet": Kwartet}
REVISION = 1
HOST_AWAY, ALONE, BOTS_OVER, LATE = 20 * SECOND, 30 * MINUTE, 10 * MINUTE, 2 * SECOND
KWARTET_BREAK = 30 * SECOND
REFUSALS_MAX, LOST_RACES_MAX = 400, 50
SEATS_OPEN = frozenset(("break", "over"))
"""T-SEAT-1; the seating itself lies in round 0, of which there is no bundle."""
HOST_COMMANDS = frozenset(("AddBot", "RemoveBot", "FreeSeat", "StartGame", "NewGame", "EndBreak"))
SEAT_COMMANDS = frozenset(("Leave", "CommitEntropy", "Ready"))
Play = Union[Quatro, Kwartet]  # noqa: UP007


@dataclass
class Seat:
    """A place: `since` is when `connected` last changed or they sat down; `left`: freed at the Award (T-SEAT-2)."""

    player: str | None = None
    bot: str | None = None
    connected: bool = False
    since: int = 0
    left: bool = False

    @property
    def human(self) -> bool:
        """Whether a person sits here."""
        return self.player is not None and self.bot is None and not self.left

    @property
    def present(self) -> bool:
        """Whether a connected person sits here."""
        return self.human and self.connected


@dataclass
class Host:
    """Who has the host's rights."""

    player: str
    connected: bool
    since: int
    left: bool


class Table:
    """A table in one round, as of its last record; `n` and `now` are those of the record that is being decided.

    A decision that is made happens at once: the first that is not as recorded ends the verification.
    """

    def __init__(self, id: str, carry: Json) -> None:
        self.id, self.carry = id, carry
        self.kind = GAMES[carry["game"]]
        self.rules: Json = carry["rules"]
        self.seats = [Seat(**seat) for seat in carry["seats"]]
        self.host = Host(**carry["host"])
        self.round, self.points = int(carry["round"]), [int(each) for each in carry["points"]]
        self.n, self.now = int(carry["version"]), int(carry["at"])
        self.at = self.now
        self.phase = str(carry["phase"])
        self.takings = [None if each is None else (each["version"], each["at"]) for each in carry["takings"]]
        self.lost_races = carry.get("lost_races", 0)
        self.had_human = carry.get("had_human", False)
        self.alone_since = carry.get("alone_since")
        self.deadline: int | None = carry.get("deadline")
        self.game_carry: Json | None = carry.get("carry")
        self.awarded_at = carry.get("awarded_at")
        self.winners = carry.get("winners")
        self.over_by = _past(carry.get("stop"))
        self.sleeping = False
        self.play: Play | None = None
        self.refusals = [0] * len(self.seats)
        self.key = b""
        self.house = b""
        self._nothing_said()

    def _nothing_said(self) -> None:
        self.ready = [False] * len(self.seats)
        self.hashes: list[str | None] = [None] * len(self.seats)
        self.entropy: list[bytes | None] = [None] * len(self.seats)
        self.commitments_closed = False

    @property
    def stopped_by(self) -> Past | None:
        """What stopped this round, or the last until the next is prepared."""
        return self.over_by if self.play is None else self.play.stop

    @property
    def prepared(self) -> bool:
        """Whether a preparation has begun and the round is not open."""
        return self.phase == "preparing" and self.play is not None

    def seat_of(self, player: str) -> int | None:
        """The seat of a player; who left a running round has none (T-SEAT-2)."""
        found = next((number for number, seat in enumerate(self.seats) if seat.player == player), None)
        return None if found is None or self.seats[found].left else found

    # Deadlines

    def due(self) -> list[Due]:
        """What is due, first things first; what was due before the last record is due at its time (T-LATE-2)."""
        found = [] if self.phase == "scoring" else [*self._due_in_phase(), *self._due_always()]
        return sorted((each._replace(at=max(each.at, self.at)) for each in found), key=lambda each: each[:3])

    def _due_in_phase(self) -> Iterable[Due]:
        if self.phase == "playing":
            assert self.play is not None, "an open round has its cards"
            yield from () if self.sleeping else self.play.due()
        elif self.phase == "preparing":
            yield self._due_preparing()
        elif self.phase == "break" and self.deadline is not None:
            yield Due(self.deadline, END_OF_BREAK, 0, event("EndBreak"))
        elif self.phase == "over" and not self.had_human:  # T-IDLE-1
            yield Due((self.awarded_at or 0) + BOTS_OVER, CLOSING, 0, event("Close", reason="finished"))

    def _due_preparing(self) -> Due:
        if self.play is None or self.deadline is None:
            return Due(0, OTHER, 0, event("Prepare"))
        waited_for = any(
            seat.player is not None and seat.bot is None and not said
            for seat, said in zip(self.seats, self.ready)  # noqa: B905 - as many of one as of the other
        )
        return Due(self.deadline if waited_for else 0, OPENING, 0, event("Open"))  # T-PREP-1

    def _due_always(self) -> Iterable[Due]:
        others = [seat.since for seat in self.seats if seat.present and seat.player != self.host.player]
        if not self.host.connected and others:  # T-HOST-2
            gone = self.host.since + (0 if self.host.left else HOST_AWAY)
            yield Due(max(gone, min(others)), HOST, 0, event("PassHost"))
        if self.alone_since is not None:  # T-IDLE-1
            yield Due(self.alone_since + ALONE, CLOSING, 0, event("Close", reason="alone"))

    # Decisions

    def player_does(self, player: str, seat: int | None, command: Json, meant: int | None) -> Decision:
        """In the order of the rulings: round, seat, host, phase, then the command's own reasons."""
        kind = str(command["type"])
        playing = kind in self.kind.playing
        if meant is not None and meant != self.round and not (playing and self._just_over(meant)):  # T-ID-1
            return refuse("wrong_round")
        if kind in HOST_COMMANDS or kind in self.kind.hosts:
            if player != self.host.player:
                return refuse("not_seated" if seat is None else "not_host")
        elif seat is None and kind != "Sit":
            return refuse("not_seated")
        if playing or kind in self.kind.preparing:
            return self._in_the_game(-1 if seat is None else seat, command, playing)
        act = getattr(self, "_" + kind, None)
        if act is None or kind not in PLAYERS:
            raise Wrong("sender", f"no player can send {kind}")
        found: Decision = act(player, seat, command)
        return found

    def _just_over(self, meant: int) -> bool:
        return self.play is None and self.over_by is not None and meant == self.round - 1

    def _in_the_game(self, seat: int, command: Json, playing: bool) -> Decision:
        if not playing and not self.prepared:
            return refuse("not_preparing")
        if playing and self.phase != "playing":
            stop = self.stopped_by
            if stop is None:
                return refuse("round_not_open")
            why = stop.why if stop.by == "house" else None
            return refuse("round_over", lost_to(stop.version, stop.by, self.now - stop.at, why))
        assert self.play is not None, "prepared or open"
        return self._played(self.play.seat_does(seat, command))

    def _played(self, found: Decision) -> Decision:
        assert self.play is not None, "something was played"
        if self.play.stop is not None:
            self.phase, self.sleeping = "scoring", False
        return found

    # Seats (T-SEAT, T-START, T-HOST)

    def _Sit(self, player: str, seat: int | None, command: Json) -> Decision:
        if self.phase not in SEATS_OPEN:
            return refuse("seats_closed")
        if seat is not None and command["seat"] in (None, seat):
            return refuse("already_seated")
        wanted = self._free_seat(command["seat"])
        if isinstance(wanted, dict):
            return wanted
        said = False if seat is None else self.ready[seat]
        if seat is not None:
            self._put(seat, Seat())
        self._put(wanted, Seat(player, connected=True, since=self.now), said)
        if self.host.player == player:
            self._host_is(True, left=False)
        self._seats_changed()
        return [event("SeatTaken", seat=wanted, player=player, moved_from=seat), *self._wake()]

    def _free_seat(self, wanted: int | None) -> int | Json:
        if wanted is None:
            free = [number for number, seat in enumerate(self.seats) if seat.player is None]
            last = max(range(len(self.seats)), key=lambda number: self.takings[number] or (0, 0))
            return free[0] if free else refuse("table_full", self._taken(last))
        if not 0 <= wanted < len(self.seats):
            return refuse("no_such_seat")
        return wanted if self.seats[wanted].player is None else refuse("seat_taken", self._taken(wanted))

    def _taken(self, seat: int) -> Json | None:
        taken = self.takings[seat]
        return None if taken is None else lost_to(taken[0], seat, self.now - taken[1], None)

    def _put(self, number: int, seat: Seat, said: bool = False) -> None:
        self.seats[number], self.ready[number] = seat, said
        self.takings[number] = None if seat.player is None else (self.n, self.now)

    def _seats_changed(self) -> None:
        self.had_human = self.had_human or any(seat.human for seat in self.seats)
        if any(seat.present for seat in self.seats):
            self.alone_since = None
        elif self.had_human and self.alone_since is None:
            self.alone_since = self.now

    def _host_is(self, connected: bool, left: bool) -> None:
        since = self.host.since if self.host.connected == connected else self.now
        self.host = Host(self.host.player, connected, since, left)

    def _free(self, number: int, kind: str = "SeatFreed") -> Json:
        """The seat is empty from now on; or its player counts as gone until it is (T-SEAT-2)."""
        player = self.seats[number].player
        if player == self.host.player:
            self._host_is(False, left=True)
        if kind == "SeatFreed":
            self._put(number, Seat())
        else:
            self.seats[number] = Seat(player, self.seats[number].bot, since=self.now, left=True)
        self._seats_changed()
        return event(kind, seat=number, player=player)

    def _Leave(self, player: str, seat: int, command: Json) -> Decision:
        return [self._free(seat, "SeatFreed" if self.phase in SEATS_OPEN else "SeatLeft")]

    def _AddBot(self, player: str, seat: int | None, command: Json) -> Decision:
        level = self.kind.levels[1] if command["level"] is None else command["level"]
        if self.phase not in SEATS_OPEN:
            return refuse("seats_closed")
        if level not in self.kind.levels:
            return refuse("no_such_level")
        wanted = self._free_seat(command["seat"])
        if isinstance(wanted, dict):
            return wanted
        bot = bot_id(self.id, self.n)
        self._put(wanted, Seat(bot, level, since=self.now))
        self._seats_changed()
        return [event("BotAdded", seat=wanted, player=bot, level=level)]

    def _RemoveBot(self, player: str, seat: int | None, command: Json) -> Decision:
        if self.phase not in SEATS_OPEN:
            return refuse("seats_closed")
        if not 0 <= command["seat"] < len(self.seats) or self.seats[command["seat"]].player is None:
            return refuse("no_such_seat")
        return refuse("not_a_bot") if self.seats[command["seat"]].bot is None else [self._free(command["seat"])]

    def _FreeSeat(self, player: str, seat: int | None, command: Json) -> Decision:
        if self.phase not in SEATS_OPEN:
            return refuse("seats_closed")
        if not 0 <= command["seat"] < len(self.seats) or self.seats[command["seat"]].player in (None, player):
            return refuse("no_such_seat")
        return [self._free(command["seat"])]

    def _StartGame(self, player: str, seat: int | None, command: Json) -> Decision:
        return refuse("already_started")

    def _NewGame(self, player: str, seat: int | None, command: Json) -> Decision:
        if self.phase != "over":
            return refuse("not_over")
        if not self.had_human:  # T-IDLE-1
            return refuse("seats_closed")
        if any(each.player is None for each in self.seats):  # T-START-1
            return refuse("seats_empty")
        self.phase, self.points = "preparing", [0] * len(self.points)  # Q-WIN-4
        return [event("GameStarted")]

    def _EndBreak(self, player: str, seat: int | None, command: Json) -> Decision:
        return [self._end_break()] if self.phase == "break" else refuse("not_in_break")

    def _end_break(self) -> Json:
        self.phase, self.deadline, self.sleeping = "preparing", None, False
        self._nothing_said()
        return event("BreakEnded")

    # The preparation (T-PREP-1, T-CHANCE-1)

    def _CommitEntropy(self, player: str, seat: int, command: Json) -> Decision:
        if not self.prepared:
            return refuse("not_preparing")
        if self.commitments_closed or self.hashes[seat] is not None or self.seats[seat].bot is not None:
            return refuse("commitments_closed")
        self.hashes[seat] = command["hash"]
        return [event("EntropyCommitted", seat=seat, hash=command["hash"])]

    def _Ready(self, player: str, seat: int, command: Json) -> Decision:
        if self.phase != "break" and not self.prepared:
            return refuse("not_preparing")
        if self.ready[seat] or self.seats[seat].bot is not None:
            return refuse("already_ready")
        return self._ready_in_break(seat) if self.phase == "break" else self._ready_for_round(seat, command["entropy"])

    def _ready_in_break(self, seat: int) -> Decision:
        """Q-TIME-2: the last connected human who says so ends it."""
        self.ready[seat] = True
        said = event("ReadySaid", seat=seat, entropy=None)
        waiting = any(each.present and not self.ready[number] for number, each in enumerate(self.seats))
        return [said] if waiting else [said, self._end_break()]

    def _ready_for_round(self, seat: int, entropy: str | None) -> Decision:
        brought = None if entropy is None or self.hashes[seat] is None else bytes.fromhex(entropy)
        if brought is not None and entropy_hash(brought, self.id, self.round, seat) != self.hashes[seat]:
            return refuse("entropy_unfit")
        self.ready[seat], self.entropy[seat], self.commitments_closed = True, brought, True
        return [event("ReadySaid", seat=seat, entropy=None if brought is None else brought.hex())]

    # The house; what is due was established before

    def house_does(self, command: Json) -> Decision:
        kind = str(command["type"])
        if kind in self.kind.house:
            assert self.play is not None, "only what is due is done"
            asleep = self.kind.may_sleep and self._nobody()
            return [self._sleep()] if asleep else self._played(self.play.house_does(command))
        if kind == "EndBreak":
            return [self._sleep() if self._nobody() else self._end_break()]
        found: Decision = getattr(self, "_house_" + kind)(command)
        return found

    def _nobody(self) -> bool:
        """T-IDLE-1: no human is connected, at a table that had one."""
        return self.had_human and not any(seat.present for seat in self.seats)

    def _sleep(self) -> Json:
        self.sleeping, self.deadline = True, None
        return event("TableSlept")

    def _wake(self) -> list[Json]:
        if not self.sleeping:
            return []
        self.sleeping = False
        if self.phase == "playing" and self.play is not None:
            self.play.woken()
        else:
            self.deadline = self.now + self._break()
        return [event("TableWoke")]

    def _break(self) -> int:
        return int(self.rules["break_ms"]) * 1000 if "break_ms" in self.rules else KWARTET_BREAK

    def _house_Connect(self, command: Json) -> Decision:
        return self._presence(command, True)

    def _house_Disconnect(self, command: Json) -> Decision:
        return self._presence(command, False)

    def _presence(self, command: Json, connected: bool) -> Decision:
        player = command["player"]
        seat = self.seat_of(player)
        if seat is None and player != self.host.player:
            return refuse("not_seated")
        if connected == (self.host.connected if seat is None else self.seats[seat].connected):
            return []
        if player == self.host.player:
            self._host_is(connected, left=False)
        if seat is not None:
            self.seats[seat].connected, self.seats[seat].since = connected, self.now
            self._seats_changed()
        kind = "PlayerConnected" if connected else "PlayerDisconnected"
        woken = self._wake() if connected and seat is not None else []
        return [event(kind, player=player, seat=seat, cause=command["cause"]), *woken]

    def _house_Prepare(self, command: Json) -> Decision:
        self.house = unhex(command["house"], 32)
        self.play, self.over_by = self.kind(self), None
        self.deadline = self.now + self.rules["prepare_ms"] * 1000
        self._nothing_said()
        public = commitment(self.house, self.id, self.round)
        return [event("RoundPrepared", house=command["house"], commitment=public, deadline=self.deadline)]

    def _house_Open(self, command: Json) -> Decision:
        assert self.play is not None, "only what is due is done"
        self.key = round_key(self.house, self.id, self.round, self.entropy)
        self.phase, self.deadline = "playing", None
        return self._played([event("RoundOpened", key=self.key.hex()), *self.play.open(self.key)])

    def _house_PassHost(self, command: Json) -> Decision:
        present = (n for n, seat in enumerate(self.seats) if seat.present and seat.player != self.host.player)
        number = next(present)
        seat = self.seats[number]
        self.host = Host(str(seat.player), True, seat.since, False)
        return [event("HostPassed", player=seat.player, seat=number)]

    def _house_Resumed(self, command: Json, after_time_out: bool = False) -> Decision:
        if self.phase == "playing" and not self.sleeping and self.play is not None:
            self.play.resumed(after_time_out)
        return [event("TableResumed", **{"from": command["from"], "to": command["to"]})]

    def _house_Close(self, command: Json) -> Decision:
        self.phase = "closed"
        return [event("TableClosed", reason=command["reason"])]

    # Scoring (T-AWARD-1)

    def award(self, command: Json) -> Decision:
        """The points must be what the rules give; the round ends with this record."""
        stop = self.stopped_by
        if self.phase != "scoring" or self.play is None or stop is None:
            raise Wrong("award", "no round waits for its points")
        if not stop.version <= command["version"] <= self.n - 1:
            raise Wrong("award", "awarded for a record that is not the stop or after it")
        points = self.play.points()
        if command["points"] != points:
            raise Wrong("award", f"the rules give the points {points}")
        self.points = [before + now for before, now in zip(self.points, points)]  # noqa: B905 - equally long
        self.awarded_at = self.now
        winners = self.winners = self.play.winners(self.points)
        self.phase = "break" if winners is None else "over"
        self.deadline = self.now + self._break() if winners is None else None
        freed = [self._free(number) for number, seat in enumerate(self.seats) if seat.left]
        return [event("RoundAwarded", points=points, winners=winners, deadline=self.deadline), *freed]

    def left(self) -> Json:
        """What the round after this one begins with, but for `last_round`, which shows this one again."""
        stop, play = self.stopped_by, self.play
        assert stop is not None, "awarded"
        assert play is not None, "awarded"
        kept = {name: self.carry[name] for name in ("created_at", "game", "private", "revision", "rules")}
        seats = [{name: getattr(seat, name) for name in _SEAT} for seat in self.seats]
        found: Json = {
            **kept, "at": self.now, "version": self.n, "round": self.round + 1, "phase": self.phase,
            "points": self.points, "last_first_version": self.carry["version"] + 1, "host": vars(self.host),
            "takings": [None if each is None else {"version": each[0], "at": each[1]} for each in self.takings],
            "seats": [{name: value for name, value in seat.items() if value != _SEAT[name][1]} for seat in seats],
        }  # fmt: skip
        says = {
            "alone_since": self.alone_since, "awarded_at": self.awarded_at, "deadline": self.deadline,
            "had_human": self.had_human, "lost_races": self.lost_races, "winners": self.winners,
            "stop": {"version": stop.version, "at": stop.at, "by": stop.by, "how": stop.why}, "carry": play.carry(),
        }  # fmt: skip
        return {**found, **{name: value for name, value in says.items() if value != _MAY_CARRY[name][1]}}


def _past(stop: Json | None) -> Past | None:
    return None if stop is None else Past(stop["version"], stop["at"], stop["by"], stop["how"])


def bot_id(table: str, version: int) -> str:
    """A bot's player id: it follows from table and record."""
    digest = hashlib.sha256(b"quartet/bot/1\x00" + table.encode() + version.to_bytes(8, "big")).digest()
    return str(uuid.UUID(bytes=digest[:16], version=4))


# --- 10. The form of a record ----------------------------------------------------------------------


def _text(longest: int) -> Any:
    return lambda value: type(value) is str and len(value) <= longest


def _hex(pattern: str) -> Any:
    return lambda value: type(value) is str and re.fullmatch(pattern, value) is not None


def _or_null(check: Any) -> Any:
    return lambda value: value is None or check(value)


def _whole(value: object) -> bool:
    return type(value) is int


def _flag(value: object) -> bool:
    return type(value) is bool


def _card(value: object) -> bool:
    return isinstance(value, dict) and set(value) == {"family", "member"} and all(map(_text(256), value.values()))


def _numbers(value: object) -> bool:
    return type(value) is list and all(is_number(each) for each in value)


_N, _DIGEST, _NAME, _SHORT = is_number, _hex("[0-9a-f]{64}"), _text(64), _text(16)
PLAYERS: dict[str, dict[str, Any]] = {
    "Sit": {"seat": _or_null(_N)},
    "Leave": {},
    "AddBot": {"seat": _or_null(_N), "level": _or_null(_NAME)},
    "RemoveBot": {"seat": _N},
    "FreeSeat": {"seat": _N},
    "StartGame": {},
    "NewGame": {},
    "EndBreak": {},
    "CommitEntropy": {"hash": _DIGEST},
    "Ready": {"entropy": _or_null(_hex("([0-9a-fA-F]{2}){16,32}"))},
    "PickSign": {"sign": _SHORT},
    "SwapCard": {"card": _SHORT, "place": _N, "aimed_at": _SHORT},
    "TakeChannel": {},
    "GiveChannel": {},
    "ShowEmoji": {"emoji": _SHORT},
    "CallQuatro": {"anyway": _flag},
    "CallCounter": {"team": _or_null(_N)},
    "AskReshuffle": {},
    "AnswerReshuffle": {"agree": _flag},
    "Ask": {"seat": _N, "card": _card},
    "PassAbsent": {},
}
SERVICES: dict[str, dict[str, Any]] = {
    "Connect": {"player": _NAME, "cause": _NAME},
    "Disconnect": {"player": _NAME, "cause": _NAME},
    "Prepare": {"house": _DIGEST},
    "Open": {},
    "PassHost": {},
    "Resumed": {"from": _N, "to": _N},
    "EndBreak": {},
    "Close": {"reason": _NAME},
    "TimeUp": {},
    "EndVote": {},
    "Beat": {"seat": _N},
    "EndTurn": {},
    "Award": {"points": _numbers, "head": _DIGEST, "version": _N},
}
_COMMANDS = {**SERVICES, **PLAYERS}
_NEEDED = frozenset(("at", "by", "command", "epoch", "n", "round", "salt", "table", "v"))
_OPTIONAL = frozenset(("carry", "events", "id", "meant", "refused", "slowed", "via"))
_VIA = {"gateway": _text(10_000), "received": _whole, "arrived": _whole, "sent": _or_null(_whole)}


def read_record(line: bytes, version: int) -> Json:
    """A record of the right form. Raises Wrong."""
    try:
        record: Json = parse(line)
        fault = _form(record)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as problem:
        raise Wrong("bytes", f"not a record: {problem}", version) from problem
    if fault:
        raise Wrong("form", fault, version)
    return record


def _form(record: Json) -> str | None:
    if not _NEEDED <= set(record) <= _NEEDED | _OPTIONAL or record["v"] != 1:
        return "not the fields of a record of version 1"
    if ("events" in record) == ("refused" in record):
        return "either something happened or it was refused"
    if not all(_whole(record[name]) for name in ("at", "epoch", "n", "round", "v")) or not _hex("[0-9a-f]{32}")(
        record["salt"]
    ):
        return "numbers or salt are none"
    if not _is_sender(record["by"]) or record.get("id", "-") == "" or not _text(10_000)(record.get("id", "")):
        return "no such sender, or no id"
    if "via" in record and not _fits(record["via"], _VIA):
        return "via is not what it must be"
    if "slowed" in record and not _list_of(_whole)(record["slowed"]):
        return "slowed is not numbers"
    command = dict(record["command"])
    fields = _COMMANDS.get(command.pop("type"))
    known = fields is not None and _fits(command, fields)
    return None if known and _whole(record.get("meant", 0)) else "not a command that there is"


def _is_sender(by: object) -> bool:
    if isinstance(by, dict):
        return set(by) == {"player", "seat"} and type(by["player"]) is str and _or_null(_N)(by["seat"])
    return by in ("house", "scoring") or (type(by) is str and by.startswith("ops:"))


def _fits(found: Json, fields: dict[str, Any]) -> bool:
    return set(found) == set(fields) and all(check(found[name]) for name, check in fields.items())


def read_carry(record: Json) -> Table:
    """The table as the round found it: taken at its word, but it must be one (docs/bundle.md)."""
    carry = record["carry"]
    try:
        fault = _carry_form(carry)
        table = Table(record["table"], carry)
        table.kind.check_rules(carry["rules"], len(table.seats))
        fault = fault or _carry_fault(table, carry)
    except (ValueError, TypeError, KeyError, AttributeError) as problem:
        raise Wrong("carry", f"what the round begins with is not a table: {problem}", record["n"]) from problem
    if fault:
        raise Wrong("carry", fault, record["n"])
    return table


def _list_of(check: Any) -> Any:
    return lambda value: type(value) is list and all(check(each) for each in value)


def _object_of_any(value: object) -> bool:
    return type(value) is dict


def _object(**fields: Any) -> Any:
    return lambda value: isinstance(value, dict) and _fits(value, fields)


def _by_game(value: object) -> bool:
    return value == "house" or _whole(value)


_INT, _DICT = _whole, _object_of_any
_STRING, _SEATED = _text(INTEGER_MAX), _or_null(_text(INTEGER_MAX))
_SEAT: dict[str, tuple[Any, object]] = {
    "player": (_SEATED, None), "bot": (_SEATED, None), "connected": (_flag, False), "since": (_INT, 0),
    "left": (_flag, False),
}  # fmt: skip
_CARRIED: dict[str, Any] = {
    "at": _INT, "created_at": _INT, "game": _STRING, "last_first_version": _INT, "phase": _STRING, "private": _flag,
    "points": _list_of(_INT), "revision": _INT, "round": _INT, "rules": _DICT,
    "version": _INT,
    "host": _object(player=_STRING, connected=_flag, since=_INT, left=_flag),
    "seats": _list_of(lambda seat: _fits_or_says_nothing(seat, _SEAT)),
    "takings": _list_of(_or_null(_object(version=_INT, at=_INT))),
}  # fmt: skip
_MAY_CARRY: dict[str, tuple[Any, object]] = {
    "alone_since": (_INT, None), "awarded_at": (_INT, None), "deadline": (_INT, None), "had_human": (_flag, False),
    "lost_races": (_INT, 0), "stop": (_object(version=_INT, at=_INT, by=_by_game, how=_STRING), None),
    "winners": (_list_of(_INT), None), "last_round": (_DICT, None),
    "carry": (_DICT, None),
}  # fmt: skip


def _fits_or_says_nothing(found: Json, fields: dict[str, tuple[Any, object]]) -> bool:
    """What has a value that says nothing (the second) is left out."""
    known = set(found) <= set(fields)
    return known and all(fields[name][0](value) and value != fields[name][1] for name, value in found.items())


def _carry_form(carry: Json) -> str | None:
    needed = {name: carry[name] for name in _CARRIED}
    rest = {name: value for name, value in carry.items() if name not in _CARRIED}
    fits = _fits(needed, _CARRIED) and _fits_or_says_nothing(rest, _MAY_CARRY)
    return None if fits else "not the fields that a round begins with"


def _carry_fault(table: Table, carry: Json) -> str | None:
    sides = len(table.seats) // 2 if table.kind is Quatro else len(table.seats)
    if len(table.seats) not in table.kind.seat_counts or len(table.takings) != len(table.seats):
        return "no such number of seats"
    if len(table.points) != sides or carry["phase"] not in ("preparing", "break", "over"):
        return "points or phase are none that a round begins with"
    if table.game_carry is not None and not table.kind.carries(table.game_carry):
        return "the game carries something else"
    return None


# --- 11. One round, record by record ---------------------------------------------------------------


class Round:
    """Follows the records of one round and decides each again, as the sequel of the round `before` if that is there."""

    def __init__(self, manifest: Json, before: Round | None = None) -> None:
        self.manifest, self.before = manifest, before
        self._named = manifest["game"], manifest["revision"]
        self.table: Table | None = None
        self.head = unhex(manifest["previous"], 32)
        self.hashes: dict[int, bytes] = {}
        self.margins: list[Json] = []
        self.ids: set[tuple[str, str]] = set()
        self.epoch: int = 0 if before is None else before.epoch
        self.awarded = False
        self.accepted: dict[int, bool] = {}
        self._late = Lateness()

    def take(self, line: bytes, version: int) -> None:
        """One more record. Raises Wrong, which names it."""
        record = read_record(line, version)
        try:
            self._place(record, version)
            self._decide(record)
        except Wrong as wrong:
            raise Wrong(wrong.kind, wrong.detail, version) from wrong
        except CannotTell:
            raise
        except Exception as problem:  # whatever a forger makes of a record
            raise Wrong("impossible", f"{type(problem).__name__}: {problem}", version) from problem
        self._link(record, line)

    def _place(self, record: Json, version: int) -> None:
        """The next of this table and round, no earlier than the last."""
        if self.table is None and "carry" in record:
            self.table = read_carry(record)
            self._check_left(record["carry"])
        elif self.table is not None and "carry" in record:
            raise Wrong("carry", "only the first record of a round says what there was before")
        if self.table is None:
            raise Wrong("version", "the first record of the round is missing")
        if (self.table.carry["game"], self.table.carry["revision"]) != self._named:
            raise Wrong("carry", "of another game or revision than the manifest says")
        if record["n"] != version or self.table.n != version - 1:
            raise Wrong("version", f"version {version} expected")
        if (record["table"], record["round"]) != (self.manifest["table"], self.manifest["round"]):
            raise Wrong("round", "of another table or round than the manifest says")
        if record["round"] != self.table.round or self.awarded:
            raise Wrong("round", "of another round than the one that runs")
        if record["at"] < self.table.at or record["epoch"] < self.epoch:
            raise Wrong("time", "time or epoch runs backwards")

    def _check_left(self, carry: Json) -> None:
        """The round begins with what the round before left, if that is there to tell."""
        if self.before is None:
            return
        left = {**self.before._table().left(), "last_round": carry.get("last_round")}
        if canonical({**carry, "last_round": carry.get("last_round")}) != canonical(left):
            raise Wrong("carry", "not what the round before left")

    def _decide(self, record: Json) -> None:
        table, by, command = self._table(), record["by"], record["command"]
        after_time_out = self._late.check(table, by, command, record["at"])
        table.n, table.now = record["n"], record["at"]
        self._check_sender(record)
        found = self._outcome(table, record, after_time_out)
        recorded = record["events"] if "events" in record else record["refused"]
        if canonical(found) != canonical(recorded):
            raise Wrong("decision", f"the rules give {said(found)}, not {said(recorded)}")
        self._check_recordable(table, by, found)
        table.at = record["at"]
        self._check_slowed(record)

    def _table(self) -> Table:
        assert self.table is not None, "the first record gave it"
        return self.table

    def _check_sender(self, record: Json) -> None:
        by = record["by"]
        if not isinstance(by, dict):
            return
        if by["seat"] != self._table().seat_of(by["player"]):
            raise Wrong("sender", "the seat is not the sender's")
        key = by["player"], record.get("id", "")
        if key in self.ids or (self.before is not None and key in self.before.ids):  # T-ID-1
            raise Wrong("id", "the same command id a second time")
        self.ids.add(key)

    def _outcome(self, table: Table, record: Json, after_time_out: bool) -> Decision:
        by, command = record["by"], record["command"]
        kind = command["type"]
        if isinstance(by, dict):
            return table.player_does(by["player"], by["seat"], command, record.get("meant"))
        if by == "scoring" and kind == "Award":
            if self.hashes.get(command["version"], b"").hex() != command["head"]:
                raise Wrong("award", "the head is not that record's hash")
            self.awarded = True
            return table.award(command)
        if by.startswith("ops:") and kind == "Close":
            return table.house_does(command)
        if by != "house" or kind not in SERVICES or kind == "Award":
            raise Wrong("decision", f"{by} can't send {kind}")
        return table._house_Resumed(command, after_time_out) if kind == "Resumed" else table.house_does(command)

    def _check_recordable(self, table: Table, by: Any, found: Decision) -> None:
        """T-LIMIT-1: what is right is always recorded; of refusals so many."""
        if isinstance(found, list):
            if not found:
                raise Wrong("limit", "a record of nothing that happened")
            return
        if not isinstance(by, dict):
            raise Wrong("limit", "the house's and scoring's refusals are not recorded")
        if by["seat"] is not None:
            table.refusals[by["seat"]] += 1
            if table.refusals[by["seat"]] > REFUSALS_MAX:
                raise Wrong("limit", f"more than {REFUSALS_MAX} refusals of a seat")
        else:
            table.lost_races += 1
            if "lost_to" not in found or table.lost_races > LOST_RACES_MAX:
                raise Wrong("limit", "no record is made of this")

    def _check_slowed(self, record: Json) -> None:
        if "slowed" not in record:
            return
        if not self.awarded or len(record["slowed"]) != len(self._table().seats):
            raise Wrong("slowed", "only a round's last record counts what was not recorded")

    def _link(self, record: Json, line: bytes) -> None:
        version = record["n"]
        covered = version.to_bytes(8, "big") + len(line).to_bytes(4, "big") + line
        self.head = self.hashes[version] = hashlib.sha256(b"\x03" + self.head + covered).digest()
        self.epoch = record["epoch"]
        self.accepted[version] = "events" in record
        lost = record.get("refused", {}).get("lost_to")
        if lost is not None:
            self.margins.append(self._margin(record, lost))

    def _margin(self, record: Json, lost: Json) -> Json:
        code = record["refused"]["code"]
        rules = {"seat_taken": "T-SEAT-1", "table_full": "T-SEAT-1", **self._table().kind.races}
        return {
            "version": record["n"], "seat": record["by"]["seat"], "code": code, "lost_to": lost["version"],
            "winner": lost["by"], "margin_us": lost["margin_us"], "rule": rules.get(code),
        }  # fmt: skip


def said(found: Decision) -> str:
    """A decision in short."""
    if isinstance(found, dict):
        return f"a refusal {canonical(found).decode()}"
    return " and ".join(str(each.get("type")) for each in found) or "nothing"


class Lateness:
    """Deadlines first, each at its own time; and what T-LATE-1 makes of those found over two seconds late.

    `run` are the records just before that kept their own time, with the earliest time at which anything was due before
    each: if the table had no owner then, Resumed follows and tells. `owing`: from which of them on it must.
    """

    def __init__(self) -> None:
        self.run: list[tuple[str, int]] = []
        self.owing: int | None = None

    def check(self, table: Table, by: Any, command: Json, at: int) -> bool:
        """Whether the house was punctual; true if the record is a Resumed right after a time-out. Raises Wrong."""
        due, kind = table.due(), command["type"]
        if by != "house" or kind in ("Connect", "Disconnect"):
            if due and due[0].at <= at:
                raise Wrong("missing_house", _was_due(due[0]))
        elif kind != "Resumed":
            own = self._deadline(due, command, at)
            if own:
                return False
        else:
            self._resumed(table, due, command, at)
            after_time_out = bool(self.run) and self.run[-1][0] == "EndTurn"
            self.run, self.owing = [], None
            return after_time_out
        if self.owing is not None:
            raise Wrong("missing_house", "a deadline was passed over, which only Resumed explains")
        self.run = []
        return False

    def _deadline(self, due: list[Due], command: Json, at: int) -> bool:
        """Whether this deadline keeps its own time however late it is found."""
        kind = command["type"]
        meant = event("Prepare") if kind == "Prepare" else command
        place = next((place for place, each in enumerate(due) if each.command == meant), None)
        if place is None:
            if due and due[0].at <= at:
                raise Wrong("missing_house", _was_due(due[0]))
            raise Wrong("extra_house", f"no {kind} was due")
        if due[place].at != at:
            raise Wrong("late_house" if at > due[place].at else "early_house", f"{kind} was due at {due[place].at}")
        if place:
            self._passes_over(due, place)
        if due[place].own:
            self.run.append((kind, due[0].at))
        return due[place].own

    def _passes_over(self, due: list[Due], place: int) -> None:
        """Others were due before: right only if this one keeps its time, they don't, and all was found late."""
        done = {kind for kind, _ in self.run}
        for each in due[:place]:
            if not due[place].own or (each.own and each.command["type"] not in done):
                raise Wrong("missing_house", _was_due(each))
        if self.owing is None:
            self.owing = len(self.run)

    def _resumed(self, table: Table, due: list[Due], command: Json, at: int) -> None:
        """From the last record until now, something over 2 s late, each that keeps its own time decided, once."""
        left = {each.command["type"] for each in due if each.own and each.at <= at}
        if (command["from"], command["to"]) != (table.at, at):
            raise Wrong("missing_house" if left else "extra_house", "not from the last record until now")
        latest = len(self.run) if self.owing is None else self.owing
        if not any(self._found_late(start, left, due, at) for start in range(latest + 1)):
            overdue = bool(due) and due[0].at <= at
            raise Wrong("missing_house", _was_due(due[0])) if overdue else Wrong("extra_house", "nothing was late")

    def _found_late(self, start: int, left: set[str], due: list[Due], at: int) -> bool:
        kinds = [kind for kind, _ in self.run[start:]]
        first = self.run[start][1] if kinds else due[0].at if due else at
        return len(set(kinds)) == len(kinds) and left <= set(kinds) and first < at - LATE


def _was_due(due: Due) -> str:
    return f"{due.command['type']} was due at {due.at}"


# --- 12. The whole bundle, and what to say of it ---------------------------------------------------


def check(data: bytes, trust: Sequence[Key] = (), receipts: Sequence[Json] = ()) -> Json:
    """Everything that a bundle can show, as a report (docs/bundle.md). Never raises for what is in the file."""
    return _reported(data, trust, receipts, None)[0]


def check_all(files: Sequence[bytes], trust: Sequence[Key] = (), receipts: Sequence[Any] = ()) -> list[Json]:
    """A report on each bundle. Each but the first must be of the next round of the same table, and is checked as the
    sequel of the one before; `follows` says of which round, null if that one is not proven itself. Receipts that do
    not say where they belong are passed over: each would be missing in all rounds but its own."""
    reports: list[Json] = []
    before: Round | None = None
    placed = [held if _says_where(held) else None for held in receipts]
    for data in files:
        report, played = _reported(data, trust, placed, before)
        reports.append({**report, "follows": None if before is None else before.manifest["round"]})
        before = played if report["verdict"] == "proven" else None
    return reports


def _reported(
    data: bytes, trust: Sequence[Key], receipts: Sequence[Any], before: Round | None
) -> tuple[Json, Round | None]:
    report: Json = {
        "verdict": "unknown", "detail": "", "table": None, "round": None, "game": None, "records": 0, "points": [],
        "totals": [], "winners": None, "races": [], "signed_by": None, "trusted": False, "checkpoint": None,
        "stopped": None, "version": None, "kind": None, "receipts": [], "other_receipts": 0,
    }  # fmt: skip
    played = None
    try:
        played = _check(data, trust, receipts, report, before)
    except Wrong as wrong:
        report.update(verdict="wrong", detail=wrong.detail, kind=wrong.kind, version=wrong.version, points=[], races=[])
    except CannotTell as doubt:
        report.update(verdict="unknown", detail=str(doubt), kind="unknown")
    return report, played


def _check(data: bytes, trust: Sequence[Key], receipts: Sequence[Any], report: Json, before: Round | None) -> Round:
    bundle = read_bundle(data)
    manifest = bundle.manifest
    report.update({name: manifest[name] for name in ("table", "round", "game")}, records=len(bundle.lines))
    played = _play(bundle, before)
    _check_frame(bundle, played)
    checkpoint = check_seal(bundle, played.head, max(played.hashes), trust)
    report.update(signed_by=str(checkpoint.key), checkpoint={"origin": checkpoint.origin, "size": checkpoint.size})
    own = [held for held in receipts if _is_of(held, manifest)]
    report["other_receipts"] = len(receipts) - len(own)
    report["receipts"] = [_vouched(held, played, trust or bundle.keys) for held in own]
    lost = [each for each in report["receipts"] if each["version"] is None and each["key"] is not None]
    if lost:
        raise Wrong("receipt", f"{len(lost)} signed receipts are for records that are not in this round")
    if trust and checkpoint.key not in trust:
        raise Wrong("key", f"signed by {checkpoint.key}, which is not the key to be trusted")
    report.update(_result(played), verdict="proven", trusted=bool(trust), races=played.margins)
    report["detail"] = "every record follows from the rules"
    return played


def _play(bundle: Bundle, before: Round | None) -> Round:
    """The records themselves; the last is the Award."""
    played, first = Round(bundle.manifest, before), bundle.manifest["first"]
    if not is_number(first) or first < 2 or not is_number(bundle.manifest["round"]):
        raise Wrong("bundle", "a round's first record is not its table's first")
    if before is not None:
        _check_sequel(bundle.manifest, before)
    for version, line in enumerate(bundle.lines, first):
        played.take(line, version)
    if not played.awarded:
        raise Wrong("award", "the round does not end with its Award", first + len(bundle.lines) - 1)
    return played


def _check_sequel(manifest: Json, before: Round) -> None:
    """Of the next round of the same table, chained to that one's last record."""
    known, last = before.manifest, max(before.hashes)
    named = manifest["table"], manifest["round"], manifest["first"], manifest["previous"]
    if named != (known["table"], known["round"] + 1, last + 1, before.head.hex()):
        raise Wrong("sequel", f"not the round behind round {known['round']} of table {known['table']}")


def _check_frame(bundle: Bundle, played: Round) -> None:
    """What the manifest and the list of races say follows from the records."""
    manifest, last = bundle.manifest, max(played.hashes)
    if (manifest["last"], manifest["head"]) != (last, played.head.hex()):
        raise Wrong("manifest", "the chain of these records does not end in the manifest's head")
    if canonical(bundle.margins) != canonical(played.margins):
        raise Wrong("races", "the list of races is not that of the records")
    ends = [commit["last"] for commit in manifest["commits"]]
    if ends != sorted(set(ends)) or (ends and ends[-1] < last):
        raise Wrong("manifest", "the commits do not cover the records")


def _says_where(held: Any) -> bool:
    signed = held.get("signed") if isinstance(held, dict) else None
    return isinstance(signed, dict) and signed.get("table") is not None and signed.get("round") is not None


def _is_of(held: Any, manifest: Json) -> bool:
    """Whether a kept verdict is signed, and for this round, as its note says; without a note it is taken to be."""
    signed = held.get("signed") if isinstance(held, dict) else None
    if not isinstance(signed, dict):
        return False
    return all(signed.get(name) in (None, manifest[name]) for name in ("table", "round"))


def _vouched(held: Json, played: Round, known: Sequence[Key]) -> Json:
    receipt = held.get("receipt")
    version = next((version for version, found in played.hashes.items() if found.hex() == receipt), None)
    key = receipt_key(str(receipt), held["signed"], known)
    accepted = None if version is None else played.accepted[version]
    return {"receipt": receipt, "version": version, "key": None if key is None else str(key), "accepted": accepted}


def _result(played: Round) -> Json:
    table = played._table()
    assert table.play is not None, "awarded"
    stop = table.stopped_by
    assert stop is not None, "awarded"
    totals = list(table.points)
    how = {"version": stop.version, "at": stop.at, "by": stop.by, "how": stop.why}
    return {"points": table.play.points(), "totals": totals, "winners": table.play.winners(totals), "stopped": how}


NOT_PROVEN = """not proven by this or any file of its kind:
  - that commands arrived in this order: the table's clock says so (gateway times and signed receipts bound it);
  - that a command came from the player's own hand: the gateway vouches for that;
  - that nobody chose the deal: an operator together with every seat that brought bytes of its own could have;
  - what the round began with (points, seats, last signs): the bundle of the round before shows it;
  - commit times in the manifest: the database's clock, for comparison only."""


def words(report: Json) -> str:
    """The report for people."""
    if report["verdict"] != "proven":
        where = "" if report["version"] is None else f" at record {report['version']}"
        title = "NOT PROVEN" if report["verdict"] == "wrong" else "CAN'T TELL"
        return _text_of([f"{title} ({report['kind']}){where}: {report['detail']}", *_receipt_lines(report)])
    stop, sealed = report["stopped"], report["checkpoint"]
    trusted = "a key you trust" if report["trusted"] else "anyone can make a key: compare it with the site's own"
    lines = [
        f"PROVEN: round {report['round']} of {report['game']} at table {report['table']}",
        f"  {report['records']} records, each decided again by the rules",
        f"  stopped by {_who(stop['by'])} ({stop['how']}) with record {stop['version']}",
        f"  points of the round {report['points']}, of the game {report['totals']}, winners {report['winners']}",
        f"  sealed in {sealed['origin']}, checkpoint of {sealed['size']} rounds",
        f"  signed by {report['signed_by']}",
        f"    ({trusted})",
        f"  races: {len(report['races'])}",
        *(_race_line(race) for race in report["races"]),
    ]
    if report.get("follows") is not None:
        lines.insert(2, f"  begun with what round {report['follows']} left")
    unproven = [line for line in NOT_PROVEN.split("\n") if report.get("follows") is None or "began with" not in line]
    return _text_of([*lines, *_receipt_lines(report), *unproven])


def _text_of(lines: Iterable[str]) -> str:
    """Lines for a terminal, whatever a forger has put into names: nothing in them moves the cursor or hides a word."""
    return "\n".join("".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in line) for line in lines)


def _who(by: int | str | None) -> str:
    return f"seat {by}" if type(by) is int else "somebody without a seat" if by is None else f"the {by}"


def _race_line(race: Json) -> str:
    loser = f"record {race['version']} of {_who(race['seat'])} ({race['code']})"
    winner = f"record {race['lost_to']} of {_who(race['winner'])}"
    return f"    {loser} lost to {winner} by {race['margin_us']} µs ({race['rule']})"


def _receipt_lines(report: Json) -> list[str]:
    lines = []
    for each in report["receipts"]:
        signed = "signed" if each["key"] else "not signed by a known key"
        if each["version"] is None:
            found = "not in this round" + (", which proves a cut if it was given for this round" if each["key"] else "")
        else:
            found = f"record {each['version']}, {'accepted' if each['accepted'] else 'refused'}"
        lines.append(f"  receipt {str(each['receipt'])[:16]}… ({signed}): {found}")
    others = report.get("other_receipts", 0)
    return [*lines, f"  {others} receipts are of other rounds, or not signed"] if others else lines


def _read_keys(text: str) -> list[Key]:
    lines = [text] if "+" in text else Path(text).read_text("utf-8").split()
    return [Key.parse(line) for line in lines]


def _read_file(name: str) -> bytes:
    """As much as a bundle can have, and one byte more, by which it is known to be none."""
    with Path(name).open("rb") as file:
        return file.read(BUNDLE_BYTES_MAX + 1)


def _read_receipts(text: str) -> list[Any]:
    """One JSON array, or one verdict a line."""
    if text.lstrip().startswith("["):
        return list(json.loads(text))
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; gives the exit status."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    asked.add_argument("bundle", nargs="+", help="what `quartet export` or the service gave; more: the rounds after it")
    asked.add_argument("--trust", action="append", default=[], metavar="KEY", help="a public key, or a file of them")
    asked.add_argument("--receipts", metavar="FILE", help="kept verdicts with signed receipts: JSON, one a line")
    asked.add_argument("--json", action="store_true", help="the report as JSON")
    given = asked.parse_args(arguments)
    try:
        files = [_read_file(name) for name in given.bundle]
        trust = [key for text in given.trust for key in _read_keys(text)]
        receipts = _read_receipts(Path(given.receipts).read_text("utf-8")) if given.receipts else []
    except (OSError, ValueError, RecursionError) as problem:
        detail = str(problem)
        reports: list[Json] = [
            {"verdict": "unknown", "kind": "input", "detail": detail, "version": None, "receipts": []}
        ]
    else:
        reports = check_all(files, trust, receipts) if len(files) > 1 else [check(files[0], trust, receipts)]
    whole: Any = reports if len(reports) > 1 else reports[0]
    out = json.dumps(whole, indent=2) if given.json else "\n\n".join(map(words, reports))
    sys.stdout.buffer.write(out.encode() + b"\n")
    verdicts = {report["verdict"] for report in reports}
    return 1 if "wrong" in verdicts else 0 if verdicts == {"proven"} else 2


if __name__ == "__main__":
    sys.exit(main())
