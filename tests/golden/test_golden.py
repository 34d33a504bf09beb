"""Logs of every released version still replay and verify, to the same bytes, wherever it is done."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from services.gateway.web import verify_bundle as verifier
from shared.proof import bundle
from shared.proof.check import Verdict, check
from shared.replay import Verified, verify_round
from tests.golden.logs import FOLDER, Golden, golden, rows
from tests.golden.replay import replayed
from tests.rules import case

ROOT = Path(__file__).parents[2]
LOGS = golden()
BUNDLES = [(name, file) for name, log in LOGS.items() for file in log.bundles]


@case("C-21")
@pytest.mark.parametrize("name", LOGS)
def test_every_golden_log_verifies_as_a_whole_and_round_by_round(name: str) -> None:
    log = LOGS[name]
    whole = verify_round(rows(name, log.table))
    assert isinstance(whole, Verified), whole
    assert (whole.records, whole.head.hex()) == (log.records, log.heads[-1])
    assert _heads(name, log) == list(log.heads)


@case("C-21")
@pytest.mark.parametrize(("name", "file"), BUNDLES)
def test_every_golden_bundle_is_proven_by_both_verifiers(name: str, file: str) -> None:
    data = (FOLDER / file).read_bytes()
    assert hashlib.sha256(data).hexdigest() == LOGS[name].bundles[file]
    ours, theirs = check(data), verifier.check(data)
    assert (ours.verdict, theirs["verdict"]) == (Verdict.PROVEN, "proven")
    assert ours.table == theirs["table"] == LOGS[name].table
    assert ours.records == theirs["records"] > 0


@case("C-21")
@pytest.mark.parametrize(("name", "file"), BUNDLES)
def test_a_golden_round_is_written_to_the_same_bytes_today(name: str, file: str) -> None:
    data = (FOLDER / file).read_bytes()
    read = bundle.read(data)
    same = tuple(row for row in rows(name, LOGS[name].table) if row.round == read.manifest.round)
    assert same == read.rows
    files = verifier.unzip(data)
    assert verifier.zipped(files) == data
    assert b"".join(row.body + b"\n" for row in same) == files[verifier.RECORDS]


@case("C-20")
def test_a_replay_is_the_same_twice_in_one_process_and_in_others_with_other_hash_seeds() -> None:
    here = "".join(f"{name} {replayed(name)}\n" for name in sorted(LOGS))
    assert here == "".join(f"{name} {replayed(name)}\n" for name in sorted(LOGS))
    for seed in ("0", "12345"):
        command = [sys.executable, "-m", "tests.golden.replay"]
        there = subprocess.run(
            command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        )
        assert there.stdout == here


@case("C-20")
def test_every_python_that_is_here_gives_the_same_report_to_the_byte() -> None:
    """The service itself is installed for one; its verifier needs nothing, so that any from 3.9 on will do."""
    pythons = [sys.executable, *_pythons()]
    for file in {LOGS[name].game: file for name, file in BUNDLES}.values():
        command = ["-I", "-W", "error", verifier.__file__, str(FOLDER / file), "--json"]
        reports = {subprocess.run([python, *command], capture_output=True, check=True).stdout for python in pythons}
        assert len(reports) == 1
        assert json.loads(reports.pop())["verdict"] == "proven"


def _heads(name: str, log: Golden) -> list[str]:
    """Each round verified from its own rows alone."""
    found, every = [], list(rows(name, log.table))
    for round in range(1, len(log.heads) + 1):
        alone = [row for row in every if row.round == round]
        checked = verify_round(alone, previous=every[alone[0].version - 2].hash)
        assert isinstance(checked, Verified), checked
        found.append(checked.head.hex())
    return found


def _pythons() -> list[str]:
    """Another Python of each version that runs here, pyenv's among them."""
    root = os.environ.get("PYENV_ROOT") or str(Path.home() / ".pyenv")
    found = []
    for name in (f"python3.{minor}" for minor in range(9, 20) if minor != sys.version_info.minor):
        paths = [*map(str, Path(root).glob(f"versions/*/bin/{name}")), shutil.which(name) or ""]
        runs = (path for path in paths if path and not subprocess.run([path, "-c", ""], capture_output=True).returncode)
        found += list(islice(runs, 1))
    return found
