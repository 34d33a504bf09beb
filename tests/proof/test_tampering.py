"""Whatever is done to a sealed round is found by both verifiers, and what they say names the place and the kind."""

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bench.verifiers import TABLES, both
from services.gateway.web import verify_bundle as verifier
from shared.eventlog.port import Row
from shared.proof.check import Held, check
from shared.proof.note import Signer
from shared.proof.receipt import receipts
from shared.shuffle import commitment, round_key
from tests.proof.forge import Json, chained, decoded, forged, packed, repacked
from tests.proof.mischief import rounds_of
from tests.proof.mischief_games import GAMES_OF_MISCHIEF, SEATS
from tests.proof.rounds import SIGNER, bundled
from tests.proof.tamperings import ALL, Tampering, deadlines, named, tampered
from tests.rules import rule

Sealed = tuple[tuple[Row, ...], bytes]
OTHER = Signer(SIGNER.name, Ed25519PrivateKey.from_private_bytes(bytes(32)))


@cache
def sealed(game: str, seats: int, seed: int = 5) -> tuple[Sealed, ...]:
    """The rounds of a table that no other test has."""
    return tuple(rounds_of(GAMES_OF_MISCHIEF[game](seats, seed).play()))


def found(bundle: bytes) -> tuple[int | None, str]:
    """Where both say that it is wrong, and as what (ours; theirs may name a neighbouring kind)."""
    ours, theirs = both(bundle)
    assert ours.verdict == "wrong", ours
    assert theirs["verdict"] == "wrong", theirs
    assert ours.version == theirs["version"], (ours, theirs)
    return ours.version, str(theirs["kind"])


@rule("T-CHANCE-1", "T-AWARD-1", "T-LATE-2", "Q-SWAP-3", "K-ASK-3")
@pytest.mark.parametrize("way", ALL, ids=lambda way: way.__name__)
def test_records_changed_by_someone_with_the_key_are_found_by_the_rules(way: Tampering) -> None:
    tried = 0
    for game, seats in TABLES:
        for rows, previous in sealed(game, seats):
            for _, changed in tampered(decoded(rows), Random(tried), [way]):
                tried += 1
                place = found(forged(changed.records, previous, rows[0].version))
                assert changed.shows(*place), (place, changed.version)
    assert tried >= 3


@pytest.mark.parametrize("game", SEATS)
def test_what_a_forger_seals_unchanged_is_proven_so_that_only_the_changes_are_found(game: str) -> None:
    rows, previous = sealed(game, SEATS[game][0])[0]
    ours, theirs = both(forged(decoded(rows), previous, rows[0].version))
    assert (ours.verdict, theirs["verdict"]) == ("proven", "proven")


@pytest.mark.parametrize("game", SEATS)
def test_every_byte_counts(game: str) -> None:
    """In the short form every 37th; `python -m bench.verifiers --rounds 0` flips them all."""
    bundle = bundled(*sealed(game, SEATS[game][0])[0])
    for place in range(Random(game).randrange(37), len(bundle), 37):
        changed = bytearray(bundle)
        changed[place] ^= 1 << place % 8
        assert found(bytes(changed)) == (None, "bundle"), place


@pytest.mark.parametrize("file", [name for name in verifier.NAMES if name != verifier.MANIFEST])
def test_every_byte_counts_where_all_sums_were_mended(file: str) -> None:
    """Who can't sign can mend sizes, sums and manifest. Not in the manifest: its own claims are not proven."""
    bundle = bundled(*sealed("quatro", 4)[0])
    content = verifier.unzip(bundle)[file]
    for place in range(0, len(content), max(1, len(content) // 30)):
        changed = bytearray(content)
        changed[place] ^= 1 << place % 8
        found(repacked(bundle, file, bytes(changed)))


@pytest.mark.parametrize(
    ("field", "value", "kind"),
    [("round", 7, "round"), ("table", "0198c0de-0000-7000-8000-000000000009", "round"), ("first", 9, "version"),
     ("head", "00" * 32, "manifest"), ("previous", "00" * 32, "award"), ("revision", 1.0, "bundle"),
     ("last", 3, "manifest"), ("commits", [{"at": 1, "epoch": 1, "last": 3, "n": 1}], "manifest")],
)  # fmt: skip
def test_a_manifest_that_describes_other_records_is_found(field: str, value: object, kind: str) -> None:
    files = verifier.unzip(bundled(*sealed("kwartet", 3)[0]))
    manifest = json.loads(files.pop(verifier.MANIFEST))
    ours, theirs = both(packed(files, {**manifest, field: value}))
    assert (ours.verdict, theirs["verdict"], theirs["kind"]) == ("wrong", "wrong", kind)


def test_a_chain_signed_anew_with_another_key_is_not_the_one_to_be_trusted() -> None:
    rows, previous = sealed("quatro", 4)[0]
    assert found(forged(decoded(rows), previous, rows[0].version, OTHER)) == (None, "key")


def test_a_seal_over_another_head_or_with_another_proof_is_found() -> None:
    (rows, previous), (later, before) = sealed("quatro", 4)[:2]
    one, other = bundled(rows, previous), bundled(later, before)
    for file in (verifier.SEAL, verifier.CHECKPOINT):
        assert found(repacked(one, file, verifier.unzip(other)[file])) == (None, "seal")


@pytest.mark.parametrize("game", SEATS)
def test_records_of_another_table_or_round_are_found(game: str) -> None:
    rows, previous = sealed(game, SEATS[game][-1])[0]
    place = len(rows) // 2
    strangers = decoded(sealed(game, SEATS[game][-1], 6)[0][0]), decoded(sealed(game, SEATS[game][-1])[1][0])
    for stranger in strangers:
        records = decoded(rows)
        records[place] = {**stranger[-1], "n": records[place]["n"], "at": records[place]["at"]}
        version, kind = found(forged(records, previous, rows[0].version))
        assert version == rows[place].version
        assert kind == "round"


def test_a_round_under_another_rounds_carry_is_found() -> None:
    (rows, previous), (later, _) = sealed("quatro", 8)[:2]
    records = decoded(rows)
    records[0]["carry"] = decoded(later)[0]["carry"]
    assert found(forged(records, previous, rows[0].version)) == (rows[0].version, "version")


@pytest.mark.parametrize("field", ["points", "takings", "seats"])
def test_a_carry_of_more_seats_or_points_than_there_can_be_is_found(field: str) -> None:
    rows, previous = sealed("kwartet", 6)[0]
    records = decoded(rows)
    records[0]["carry"][field].append(records[0]["carry"][field][0])
    assert found(forged(records, previous, rows[0].version)) == (rows[0].version, "carry")


# What the rules alone can't find: the operator plays another round, right in itself. What people hold finds it.


def replayed(rows: tuple[Row, ...], house: bytes) -> list[Json]:
    """The same preparation with other bytes of the house, and the deal that follows: right by all rules."""
    records = decoded(rows)
    opened = next(place for place, record in enumerate(records) if named(record) == "Open")
    prepared = next(record for record in records if named(record) == "Prepare")
    prepared["command"]["house"] = prepared["events"][0]["house"] = house.hex()
    prepared["events"][0]["commitment"] = commitment(house, prepared["table"], prepared["round"]).hex()
    table = verifier.read_carry(records[0])
    for record in records[:opened]:
        table.n, table.now, by = record["n"], record["at"], record["by"]
        if isinstance(by, dict):
            table.player_does(by["player"], by["seat"], record["command"], record.get("meant"))
        else:
            table.house_does(record["command"])
        table.at = record["at"]
    table.n, table.now = records[opened]["n"], records[opened]["at"]
    records[opened]["events"] = table.house_does({"type": "Open"})
    assert round_key(house, table.id, table.round, table.entropy).hex() == records[opened]["events"][0]["key"]
    return records[: opened + 1]


@rule("T-CHANCE-1")
def test_a_round_dealt_anew_from_other_bytes_contradicts_the_receipts_that_players_hold() -> None:
    rows, previous = sealed("quatro", 4)[0]
    held = _receipt(rows, len(rows) // 2)
    records = replayed(rows, b"\x07" * 32)
    stops = deepcopy(records[-1])
    ends = stops["events"][-1]["type"]
    assert ends == "HandsDealt"
    time_up = {**_plain_house(stops), "n": stops["n"] + 1, "at": stops["at"] + _round_us(records)}
    time_up |= {"command": {"type": "TimeUp"}, "events": [{"type": "RoundDrawn"}]}
    award = {**_plain_house(stops), "n": stops["n"] + 2, "at": time_up["at"], "by": "scoring"}
    sides = len(decoded(rows)[-1]["command"]["points"])
    points = [0] * sides
    award["command"] = {"type": "Award", "points": points, "version": time_up["n"], "head": "00" * 32}
    deadline = award["at"] + records[0]["carry"]["rules"]["break_ms"] * 1000
    award["events"] = [{"type": "RoundAwarded", "points": points, "winners": None, "deadline": deadline}]
    redealt = forged([*records, time_up, award], previous, rows[0].version)
    ours, theirs = both(redealt)
    assert (ours.verdict, theirs["verdict"]) == ("proven", "proven"), (ours, theirs)
    ours = check(redealt, [SIGNER.verifier], [held])
    theirs = verifier.check(redealt, receipts=[_json(held)])
    assert (ours.verdict, ours.kind) == ("wrong", "receipt")
    assert (theirs["verdict"], theirs["kind"]) == ("wrong", "receipt")


def test_a_refusal_that_was_dropped_without_a_trace_is_missed_by_the_receipt_of_it() -> None:
    rows, previous, place = next(_own_cards())
    held = _receipt(rows, place)
    records = decoded(rows)
    del records[place]
    for record in records[place:]:
        record["n"] -= 1
        for holder in (record.get("refused", {}).get("lost_to"), record["command"]):
            if holder and holder.get("version", 0) > rows[place].version:
                holder["version"] -= 1
    cut = forged(records, previous, rows[0].version)
    assert [each for each in both(cut) if _verdict(each) != "proven"] == []
    assert check(cut, [SIGNER.verifier], [held]).kind == "receipt"
    assert verifier.check(cut, receipts=[_json(held)])["kind"] == "receipt"


def test_the_forger_chains_as_the_service_does() -> None:
    rows, previous = sealed("quatro", 6)[0]
    bodies, hashes = chained(decoded(rows), previous, rows[0].version)
    assert [(row.body, row.hash) for row in rows] == list(zip(bodies, hashes, strict=True))
    assert deadlines(decoded(rows))


def _own_cards() -> Iterator[tuple[tuple[Row, ...], bytes, int]]:
    """Rounds with a request for a card that the asker holds, and where."""
    for seats in SEATS["kwartet"]:
        for rows, previous in sealed("kwartet", seats):
            for place, record in enumerate(decoded(rows)):
                if place and record.get("refused", {}).get("code") == "own_card":
                    yield rows, previous, place


def _verdict(report: object) -> str:
    return str(report["verdict"] if isinstance(report, dict) else getattr(report, "verdict", ""))


def _receipt(rows: tuple[Row, ...], place: int) -> Held:
    signed = receipts(SIGNER, "table-1", 0, 7, [row.hash for row in rows], [place])[place]
    return Held(rows[place].hash.hex(), signed)


def _json(held: Held) -> Json:
    signed = {name: getattr(held.signed, name) for name in held.signed.__struct_fields__}
    return {"receipt": held.receipt, "signed": {**signed, "path": list(held.signed.path)}}


def _plain_house(record: Json) -> Json:
    return {name: record[name] for name in ("v", "table", "round", "epoch", "by", "salt")}


def _round_us(records: list[Json]) -> int:
    return int(records[0]["carry"]["rules"]["round_ms"]) * 1000
