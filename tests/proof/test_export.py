"""`quartet keys`, `export` and `check`: from the log to a file that anybody can prove, and what is said of it."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner, Result

from services.cli import application
from shared.eventlog.memory import MemoryEventLog
from shared.eventlog.port import partition_of
from shared.proof import keys
from shared.proof.bundle import read
from shared.proof.receipt import receipts
from tests.cli.played import play, store
from tests.proof.rounds import SIGNER
from tests.proof.stored import Played, project, seal

app = application()
KEY = str(SIGNER.verifier)


@pytest.fixture(scope="module")
def played() -> Played:
    """Two finished games."""
    return play(["quatro", "kwartet"])


@pytest.fixture
def url(played: Played, postgres_url: str) -> Iterator[str]:
    """A database that holds them, read into the projections and not sealed."""
    store(played[0], postgres_url)
    asyncio.run(project(postgres_url))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUARTET_DATABASE_URL", postgres_url)
        yield postgres_url


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def report(*arguments: object) -> Any:
    result = call("check", *arguments, "--json")
    return {**msgspec.json.decode(result.stdout), "status": result.exit_code}


def test_every_round_is_exported_once_it_is_sealed_and_proven_by_its_file_alone(
    url: str, played: Played, tmp_path: Path
) -> None:
    log, tables = played
    for table in tables:
        early = call("export", table, 1, "-o", tmp_path / "early.zip")
        assert (early.exit_code, "not sealed" in early.output) == (1, True)
    assert asyncio.run(seal(url)) > 2
    for table in tables:
        for round in {row.row.round for row in rows(log, table)} - {0}:
            file = tmp_path / f"{table}-{round}.zip"
            assert call("export", table, round, "-o", file).exit_code == 0
            found = report(file, "--trust", KEY)
            assert (found["status"], found["verdict"], found["trusted"]) == (0, "proven", True), found
            assert [row.body for row in read(file.read_bytes()).rows] == [
                row.row.body for row in rows(log, table) if row.row.round == round
            ]
            again = tmp_path / "again.zip"
            call("export", table, round, "-o", again)
            assert again.read_bytes() == file.read_bytes()


def test_a_bundle_stays_the_same_when_more_is_sealed_behind_it(url: str, played: Played, tmp_path: Path) -> None:
    asyncio.run(seal(url))
    table = played[1][0]
    call("export", table, 1, "-o", tmp_path / "one.zip")
    more, others = play(["kwartet"])
    store(more, url)
    asyncio.run(project(url))
    assert asyncio.run(seal(url)) > 0
    call("export", table, 1, "-o", tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    call("export", others[0], 1, "-o", tmp_path / "other.zip")
    assert report(tmp_path / "other.zip")["verdict"] == "proven"


@pytest.mark.parametrize(
    ("table", "round", "words"), [("no-such-table", 1, "no such round"), ("", 99, "no such round")]
)
def test_what_is_not_there_is_not_exported(
    url: str, played: Played, tmp_path: Path, table: str, round: int, words: str
) -> None:
    result = call("export", table or played[1][0], round, "-o", tmp_path / "x.zip")
    assert (result.exit_code, words in result.output) == (1, True)
    assert not (tmp_path / "x.zip").exists()


@pytest.fixture
def bundle(url: str, played: Played, tmp_path: Path) -> Path:
    """The bundle of a round of Quatro."""
    asyncio.run(seal(url))
    file = tmp_path / "round.zip"
    assert call("export", played[1][0], 1, "-o", file).exit_code == 0
    return file


def test_the_report_for_people_says_what_is_proven_by_whom_and_what_is_not(bundle: Path) -> None:
    said = call("check", bundle)
    assert said.exit_code == 0
    for words in ("Proven", "Not proven", f"signed by {KEY}", "compare it with the key that the site publishes"):
        assert words in said.stdout.replace("\n", " ")
    assert "a key you trust" in call("check", bundle, "--trust", KEY).stdout.replace("\n", " ")


def test_another_key_a_flipped_byte_and_no_file_each_have_their_exit_status(bundle: Path, tmp_path: Path) -> None:
    other = keys.load(keys.new_key(), SIGNER.name).signer
    assert report(bundle, "--trust", other.verifier)["kind"] == "key"
    known = tmp_path / "known"
    known.write_text(f"{other.verifier}\n{KEY}\n")
    assert report(bundle, "--trust", known)["status"] == 0
    data = bytearray(bundle.read_bytes())
    data[len(data) // 2] ^= 1
    bundle.write_bytes(data)
    assert report(bundle)["status"] == 1
    assert call("check", bundle).exit_code == 1
    assert call("check", tmp_path / "none.zip").exit_code == 2
    assert call("check", bundle, "--trust", "a+b+c").exit_code == 2


def test_kept_verdicts_find_their_records_and_a_missing_one_proves_the_cut(bundle: Path, tmp_path: Path) -> None:
    rows = read(bundle.read_bytes()).rows
    made = receipts(SIGNER, "table-1", 3, 7, [row.hash for row in rows], range(len(rows)))
    kept = [
        {"type": "verdict", "id": "x", "accepted": True, "receipt": rows[n].hash.hex(), "signed": made[n]}
        for n in (2, 5)
    ]
    file = tmp_path / "receipts"
    file.write_bytes(b"\n".join(map(msgspec.json.encode, [*kept, {"receipt": "00"}])))
    found = report(bundle, "--receipts", file)
    assert [each["version"] for each in found["receipts"]] == [rows[2].version, rows[5].version]
    elsewhere = {**msgspec.to_builtins(made[2]), "table": rows[0].table_id, "round": 7}
    file.write_bytes(msgspec.json.encode([{"receipt": "00" * 32, "signed": elsewhere}]))
    assert report(bundle, "--receipts", file)["status"] == 0
    assert "1 receipts are of other rounds" in call("check", bundle, "--receipts", file).stdout
    cut = receipts(SIGNER, "table-1", 3, 8, [b"x" * 32], [0])[0]
    file.write_bytes(msgspec.json.encode([*kept, {"receipt": (b"x" * 32).hex(), "signed": cut}]))
    found = report(bundle, "--receipts", file)
    assert (found["status"], found["kind"]) == (1, "receipt")
    assert "the log was cut" in call("check", bundle, "--receipts", file).stdout.replace("\n", " ")


def test_keys_are_made_shown_and_rotated_with_both_known(tmp_path: Path) -> None:
    file = tmp_path / "keys.pem"
    first = call("keys", "new", file)
    assert first.exit_code == 0
    assert file.stat().st_mode & 0o777 == 0o600
    one = call("keys", "show", file).stdout.split()
    assert len(one) == 1
    assert one[0] in first.stdout
    call("keys", "new", file)
    two = call("keys", "show", file).stdout.split()
    assert len(two) == 2
    assert two[1] == one[0]
    assert str(keys.load(str(file), "quartet.invalid/log").signer.verifier) == two[0]
    assert call("keys", "show", tmp_path / "none").exit_code == 2
    (tmp_path / "bad").write_text("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
    before = (tmp_path / "bad").read_text()
    assert call("keys", "new", tmp_path / "bad").exit_code == 2
    assert (tmp_path / "bad").read_text() == before


def rows(log: MemoryEventLog, table: str) -> Any:
    return log._partitions[partition_of(table)].tables[table].values()
