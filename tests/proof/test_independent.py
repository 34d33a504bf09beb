"""The verifier that is not us agrees with the service's own check, on rounds of mischief; `python -m bench.verifiers`
is the long form of these tests."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bench.verifiers import TABLES, Counted, both, compare
from services.gateway.web import public_files
from services.gateway.web import verify_bundle as verifier
from shared.proof.note import Signer
from shared.proof.receipt import receipts
from tests.proof.forge import Json, decoded, forged
from tests.proof.mischief import rounds_of
from tests.proof.mischief_games import mischief
from tests.proof.rounds import SIGNER, bundled
from tests.rules import rule

FILE = Path(verifier.__file__)
KEY = verifier.Key.parse(str(SIGNER.verifier))
OTHER = Signer(SIGNER.name, Ed25519PrivateKey.from_private_bytes(bytes(32)))
SEEDS = (0, 1, 2)


@pytest.mark.parametrize(("game", "seats"), TABLES)
@pytest.mark.slow
def test_the_two_agree_on_every_round_honest_or_tampered_with(game: str, seats: int) -> None:
    counted = Counted()
    for seed in SEEDS:
        for rows, previous in rounds_of(mischief(game, seats, seed)):
            compare(f"{game}/{seats} seed {seed} round {rows[0].round}", rows, previous, counted)
    assert counted.tampered
    assert counted.differ == []


WANTED = """
    CardSwapped CardsReshuffled EmojiRepeated VoteFailed QuatroCalled CounterCalled RoundDrawn SignPicked
    SignDrawn CardAsked CardDrawn FamilyExposed HandEmptied TurnTimedOut TurnPassed GameEnded TableResumed
    HostPassed PlayerConnected PlayerDisconnected SeatLeft SeatFreed SeatTaken BotAdded EntropyCommitted ReadySaid
    TableSlept TableWoke card_gone too_soon not_in_hand no_such_place sign_already_set not_your_turn
    family_not_held own_card round_over wrong_round not_host seat_taken table_full entropy_unfit
    commitments_closed not_absent slowed already_reshuffled
"""


@rule("T-LATE-1", "T-LIMIT-1", "T-CHANCE-1", "Q-SWAP-3", "Q-VOTE-6", "K-ASK-7", "K-DISC-1")
def test_mischief_does_nearly_everything_that_can_be_done() -> None:
    seen: Counter[str] = Counter()
    for game, seats in TABLES:
        for rows, _ in (each for seed in SEEDS for each in rounds_of(mischief(game, seats, seed))):
            for record in decoded(rows):
                said = record.get("refused", {})
                seen.update([said.get("code", ""), *(each["type"] for each in record.get("events", ()))])
                seen["lost to the house"] += said.get("lost_to", {}).get("by") == "house"
                seen["slowed"] += "slowed" in record
    wanted = WANTED.split()
    assert [each for each in [*wanted, "lost to the house"] if not seen[each]] == []


def test_a_race_is_reported_alike_with_its_margin_and_rule() -> None:
    rows, previous = next(
        each for seed in SEEDS for each in rounds_of(mischief("quatro", 4, seed)) if b'"lost_to"' in _joined(each[0])
    )
    ours, theirs = both(bundled(rows, previous))
    assert ours.races
    assert [json.loads(verifier.canonical(race)) for race in theirs["races"]] == [
        {name: getattr(race, name) for name in race.__struct_fields__} for race in ours.races
    ]
    assert list(ours.points) == theirs["points"]


def test_signatures_are_verified_without_any_library() -> None:
    for message in (b"", b"a", b"quartet" * 100):
        signature = SIGNER.private.sign(message)
        assert verifier.ed25519_verifies(KEY.public, message, signature)
        assert not verifier.ed25519_verifies(KEY.public, message + b"!", signature)
        assert not verifier.ed25519_verifies(OTHER.verifier.public, message, signature)
        for place in (0, 31, 32, 63):
            changed = bytearray(signature)
            changed[place] ^= 1
            assert not verifier.ed25519_verifies(KEY.public, message, bytes(changed))
    assert not verifier.ed25519_verifies(KEY.public, b"", b"")


def test_a_signature_whose_scalar_is_too_large_is_none() -> None:
    """RFC 8032, 5.1.7: else everyone could make a second signature of the first."""
    signature = SIGNER.private.sign(b"once")
    larger = int.from_bytes(signature[32:], "little") + 2**252 + 27742317777372353535851937790883648493
    assert not verifier.ed25519_verifies(KEY.public, b"once", signature[:32] + larger.to_bytes(32, "little"))


@pytest.mark.parametrize(
    ("public", "message", "signature"),
    [
        (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
            "d25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
            "387b2eaeb4302aeeb00d291612bb0c00",
        ),
    ],
)
def test_the_examples_of_rfc_8032_verify(public: str, message: str, signature: str) -> None:
    assert verifier.ed25519_verifies(bytes.fromhex(public), bytes.fromhex(message), bytes.fromhex(signature))


VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "shuffle.json").read_text())


@rule("T-CHANCE-1")
def test_chance_gives_what_the_vectors_say() -> None:
    table = VECTORS["table"]
    for each in VECTORS["commitments"]:
        assert verifier.commitment(bytes.fromhex(each["house"]), table, each["round"]) == each["commitment"]
    for each in VECTORS["entropy"]:
        brought = bytes.fromhex(each["entropy"])
        assert verifier.entropy_hash(brought, table, each["round"], each["seat"]) == each["hash"]
    for each in VECTORS["draws"]:
        stream = verifier.Stream(bytes.fromhex(each["key"]), each["label"])
        assert [stream.draw(each["n"]) for _ in each["draws"]] == each["draws"]
    for each in VECTORS["shuffles"]:
        stream = verifier.Stream(bytes.fromhex(each["key"]), each["label"])
        assert stream.shuffle(range(each["size"])) == each["order"]


def _joined(rows: tuple[object, ...]) -> bytes:
    return b"".join(getattr(row, "body", b"") for row in rows)


# The program, as a person gets and runs it


def test_the_gateway_gives_it_to_everyone_and_no_other_program() -> None:
    assert [name for name in public_files() if name.endswith(".py")] == [FILE.name]


def run(*arguments: str | Path, python: str = sys.executable) -> tuple[int, str]:
    """Alone: without the project on its path."""
    command = [python, "-I", "-W", "error", str(FILE), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd="/", timeout=60)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bundle") / "round.zip"
    path.write_bytes(bundled(*rounds_of(mischief("quatro", 6, 1))[0]))
    return path


def test_it_says_what_is_proven_and_what_is_not(file: Path) -> None:
    status, words = run(file, "--trust", str(SIGNER.verifier))
    assert status == 0
    assert words.startswith("PROVEN")
    assert "not proven by this" in words
    assert "a key you trust" in words
    assert str(SIGNER.verifier) in run(file)[1]


def test_another_key_is_status_1_and_no_key_or_no_file_status_2(file: Path, tmp_path: Path) -> None:
    assert run(file, "--trust", str(OTHER.verifier))[0] == 1
    assert run(file, "--trust", "nonsense")[0] == 2
    assert run(tmp_path / "nothing.zip")[0] == 2
    (tmp_path / "empty.zip").write_bytes(b"")
    assert run(tmp_path / "empty.zip")[0] == 1


def test_a_later_format_or_revision_is_not_judged(tmp_path: Path) -> None:
    rows, previous = rounds_of(mischief("kwartet", 3, 1))[0]
    records = decoded(rows)
    records[0]["carry"]["revision"] = 2
    (tmp_path / "later.zip").write_bytes(forged(records, previous, rows[0].version))
    status, words = run(tmp_path / "later.zip", "--json")
    assert (status, json.loads(words)["verdict"]) == (2, "unknown")


def test_receipts_are_found_or_prove_a_cut(file: Path, tmp_path: Path) -> None:
    rows, _ = rounds_of(mischief("quatro", 6, 1))[0]
    kept = receipts(SIGNER, "table-1", 0, 7, [*(row.hash for row in rows), b"x" * 32], range(len(rows) + 1))
    good = {"receipt": rows[3].hash.hex(), "signed": _plain(kept[3])}
    cut: Json = {"receipt": (b"x" * 32).hex(), "signed": _plain(kept[len(rows)])}
    (tmp_path / "good.json").write_text(json.dumps([good]))
    (tmp_path / "cut.json").write_text(json.dumps([good, cut]))
    status, words = run(file, "--receipts", tmp_path / "good.json", "--json")
    found = json.loads(words)["receipts"]
    assert (status, found[0]["version"], found[0]["key"]) == (0, rows[3].version, str(SIGNER.verifier))
    other = {**cut, "signed": {**cut["signed"], "table": rows[0].table_id, "round": 9}}
    (tmp_path / "lines.json").write_text("\n".join(map(json.dumps, [good, other, {"receipt": cut["receipt"]}])))
    status, words = run(file, "--receipts", tmp_path / "lines.json", "--json")
    assert (status, json.loads(words)["other_receipts"]) == (0, 2)
    status, words = run(file, "--receipts", tmp_path / "cut.json")
    assert status == 1
    assert "NOT PROVEN (receipt)" in words
    assert "proves a cut" in words


def _plain(receipt: object) -> dict[str, object]:
    return {name: getattr(receipt, name) for name in receipt.__struct_fields__}  # type: ignore[attr-defined]
