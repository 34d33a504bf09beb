"""What a forger can do who has everything, the key too: any records at all, chained and sealed as if they were so."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from services.gateway.web import verify_bundle as verifier
from shared.eventlog.chain import link
from shared.eventlog.port import Row
from shared.proof import merkle
from shared.proof.checkpoint import Checkpoint
from shared.proof.note import Signer
from shared.replay.scenes import TABLE_RULES
from tests.proof.rounds import SIGNER

Json = dict[str, Any]
RACES = {
    "quatro": {"card_gone": "Q-SWAP-3", "round_over": "Q-STOP-1"},
    "kwartet": {"not_your_turn": "K-ASK-7", "round_over": "K-ASK-8"},
}


def decoded(rows: Sequence[Row]) -> list[Json]:
    """The records as JSON, to be changed at will."""
    return [json.loads(row.body) for row in rows]


def chained(records: Sequence[Json], previous: bytes, first: int) -> tuple[list[bytes], list[bytes]]:
    """Bodies and hashes; an Award names the hash that its record has now."""
    bodies: list[bytes] = []
    hashes: list[bytes] = []
    for version, record in enumerate(records, first):
        place = record["command"].get("version", 0) - first
        if record["command"]["type"] == "Award" and 0 <= place < len(hashes):
            record["command"]["head"] = hashes[place].hex()
        bodies.append(verifier.canonical(record))
        hashes.append(link(hashes[-1] if hashes else previous, version, bodies[-1]))
    return bodies, hashes


def forged(records: Sequence[Json], previous: bytes, first: int, signer: Signer = SIGNER) -> bytes:
    """A bundle of these records in which every hash, proof and signature fits."""
    bodies, hashes = chained(records, previous, first)
    last, game = first + len(bodies) - 1, _game(records)
    about = {"table": records[-1]["table"], "round": records[-1]["round"]}
    leaf = verifier.canonical({**about, "head": hashes[-1].hex(), "version": last})
    others = [merkle.leaf_hash(b"%d" % n) for n in range(4)]
    leaves = [*others[:2], merkle.leaf_hash(leaf), *others[2:]]
    proof = [step.hex() for step in merkle.inclusion(leaves, 2)]
    files = {
        verifier.CHECKPOINT: Checkpoint(signer.name, 5, merkle.root(leaves)).signed(signer).encode(),
        verifier.KEYS: verifier.canonical([str(signer.verifier)]),
        verifier.MARGINS: verifier.canonical(_margins(records, game)),
        verifier.RECORDS: b"".join(body + b"\n" for body in bodies),
        verifier.SEAL: verifier.canonical({"index": 2, "leaf": leaf.decode(), "proof": proof, "size": 5}),
    }
    return packed(files, {
        "commits": [{"at": records[-1]["at"] + 900, "epoch": 1, "last": last, "n": 7}], "first": first,
        "format": verifier.FORMAT, "game": game, "head": hashes[-1].hex(), "last": last,
        "previous": previous.hex(), "revision": records[0].get("carry", {}).get("revision", 1), **about,
    })  # fmt: skip


def packed(files: dict[str, bytes], manifest: Json) -> bytes:
    """The archive, its manifest naming the files as they are."""
    sizes = {name: {"bytes": len(each), "sha256": hashlib.sha256(each).hexdigest()} for name, each in files.items()}
    return verifier.zipped({**files, verifier.MANIFEST: verifier.canonical({**manifest, "files": sizes})})


def repacked(bundle: bytes, name: str, content: bytes) -> bytes:
    """The bundle with one file changed, by someone who can mend sizes, sums and the manifest, but nothing signed."""
    files = verifier.unzip(bundle)
    manifest = json.loads(files.pop(verifier.MANIFEST))
    return packed({**files, name: content}, manifest)


def _game(records: Sequence[Json]) -> str:
    dealt = {each["type"] for record in records for each in record.get("events", ())}
    return "kwartet" if "CardsDealt" in dealt else str(records[0].get("carry", {}).get("game", "quatro"))


def _margins(records: Sequence[Json], game: str) -> list[Json]:
    rules, found = {**TABLE_RULES, **RACES[game]}, []
    for record in records:
        lost, by = record.get("refused", {}).get("lost_to"), record["by"]
        if lost:
            code = record["refused"]["code"]
            found.append({
                "version": record["n"], "seat": by["seat"] if isinstance(by, dict) else None, "code": code,
                "lost_to": lost["version"], "winner": lost["by"], "margin_us": lost["margin_us"],
                "rule": rules.get(code),
            })  # fmt: skip
    return found
