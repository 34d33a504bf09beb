"""Rounds of a running installation are sealed, whatever is killed meanwhile, and anybody proves them from a file."""

import json
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from typer.testing import CliRunner

from services.cli import application
from shared.proof import checkpoint, merkle
from shared.proof.check import Verdict, check
from shared.proof.note import Verifier
from tests.local.installed import Up
from tests.servers import wait_for

BRISK = {"target_points": 50, "prepare_seconds": 1, "break_seconds": 1, "round_seconds": 5}
PATIENT = {"QUARTET_REQUESTS_PER_SECOND": "100000"}
"""The test asks again and again until a round is sealed, which the limit for people does not allow."""


def fetch(up: Up, path: str) -> bytes:
    with urlopen(f"http://127.0.0.1:{up.port}{path}", timeout=10) as answer:
        found: bytes = answer.read()
        return found


def sealed(up: Up, table: str) -> list[int]:
    """The rounds of a table that are sealed."""
    lines: Any = up.call("GET", f"/api/tables/{table}/rounds")[1]
    return [line["round"] for line in lines or () if line["sealed"] is not None]


def bots(up: Up, token: str) -> str:
    """A table of bots that play for long."""
    wish = {"game": "quatro", "seats": 4, "rules": BRISK, "private": False, "sit": False}
    made: Any = up.call("POST", "/api/tables", wish, token)[1]
    table: str = made["table_id"]
    commands: list[dict[str, object]] = [{"type": "AddBot", "seat": seat} for seat in range(4)]
    for number, command in enumerate([*commands, {"type": "StartGame"}]):
        id = f"00000000-0000-4000-8000-{number:012d}"
        verdict: Any = up.call("POST", f"/api/tables/{table}/commands", {"id": id, "command": command}, token)[1]
        assert verdict["accepted"], verdict
    return table


@pytest.mark.timeout(280)
def test_what_was_sealed_stays_sealed_and_what_comes_is_sealed_behind_it_by_a_key_that_is_published(
    tmp_path: Path,
) -> None:
    up = Up(tmp_path / "data", **PATIENT).ready()
    try:
        player: Any = up.call("POST", "/api/players", {"name": "Ada"})[1]
        table = bots(up, player["token"])
        wait_for(lambda: bool(sealed(up, table)), 60)
        told: Any = up.call("GET", "/api/keys")[1]
        known = [Verifier.parse(key) for key in told["keys"]]
        first, _ = checkpoint.read(fetch(up, "/checkpoint").decode(), known)
        file = fetch(up, f"/api/tables/{table}/rounds/1/bundle")
        new = CliRunner().invoke(application(["keys"]), ["keys", "new", str(tmp_path / "data/secret/signing-keys.pem")])
        assert new.exit_code == 0
        up.kill("scoring-1")
        before = len(sealed(up, table))
        wait_for(lambda: len(sealed(up, table)) > before, 60)
        checkpoint.read(fetch(up, "/checkpoint").decode(), known)  # no other key is published yet
        up.process.kill()
        up.process.wait()
        up = Up(tmp_path / "data", **PATIENT).ready()
        before = len(sealed(up, table))
        wait_for(lambda: len(sealed(up, table)) > before, 60)
        told = up.call("GET", "/api/keys")[1]
        rotated = Verifier.parse(told["keys"][0])
        newest, signer = checkpoint.read(fetch(up, "/checkpoint").decode(), [rotated])
        assert signer not in known
        proof = json.loads(fetch(up, f"/api/consistency?from={first.size}&to={newest.size}"))["proof"]
        steps = [bytes.fromhex(step) for step in proof]
        assert merkle.consistent(first.size, newest.size, first.root, newest.root, steps)
        assert fetch(up, f"/api/tables/{table}/rounds/1/bundle") == file
        report = check(file, known)
        assert (report.verdict, report.trusted) == (Verdict.PROVEN, True)
    finally:
        up.stop()
