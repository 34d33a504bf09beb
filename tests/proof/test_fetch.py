"""Bundle and verifier fetched by HTTP (`quartet export --url`) from a server on loopback that answers as ours do."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

import pytest
from typer.testing import CliRunner
from typer.testing import Result as Ended

from services.cli import application
from services.gateway.web import content, public_files
from tests.proof.hostile import ROWS, honest

TABLE = ROWS[0].table_id
TOKEN = "ada's token"
PROGRAM = "verify_bundle.py"


class Service(BaseHTTPRequestHandler):
    """Gives the verifier to everyone and the one bundle to whoever has the token; refuses as the gateway does."""

    def do_GET(self) -> None:
        if self.path == f"/{PROGRAM}":
            self._answer(200, content(public_files()[PROGRAM]))
        elif self.headers["Authorization"] != f"Bearer {TOKEN}":
            self._answer(401, b'{"code":"not_authenticated"}')
        elif self.path == f"/api/tables/{TABLE}/rounds/1/bundle":
            self._answer(200, honest())
        elif self.path == f"/api/tables/{TABLE}/rounds/2/bundle":
            self._answer(409, b'{"code":"not_sealed"}')
        else:
            self._answer(404, b'{"code":"no_such_round"}')

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def service() -> Iterator[str]:
    """Its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def fetch(url: str, round: int, file: Path, token: str | None = TOKEN) -> Ended:
    given = [] if token is None else ["--token", token]
    asked = ["export", TABLE, str(round), "-o", str(file), "--url", url, *given]
    return CliRunner().invoke(application(), asked)


def test_a_fetched_bundle_is_the_one_that_was_sent_and_is_proven(service: str, tmp_path: Path) -> None:
    file = tmp_path / "round.zip"
    assert fetch(service, 1, file).exit_code == 0
    assert file.read_bytes() == honest()
    assert fetch(f"{service}/", 1, file).exit_code == 0, "an address with a slash at its end"
    result = CliRunner().invoke(application(), ["check", str(file), "--json"])
    assert json.loads(result.output)["verdict"] == "proven"


def test_who_fetches_program_and_bundle_proves_the_round_with_nothing_else(service: str, tmp_path: Path) -> None:
    bundle, program = tmp_path / "round.zip", tmp_path / PROGRAM
    fetch(service, 1, bundle)
    with urlopen(f"{service}/{PROGRAM}", timeout=60) as answer:
        program.write_bytes(answer.read())
    command = [sys.executable, "-I", "-W", "error", str(program), str(bundle), "--json"]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, timeout=120)
    assert (done.returncode, json.loads(done.stdout)["verdict"]) == (0, "proven"), done.stderr


@pytest.mark.parametrize(("round", "token", "code"), [(2, TOKEN, "409"), (3, TOKEN, "404"), (1, None, "401")])
def test_what_the_service_refuses_is_said_and_no_file_is_left(
    service: str, tmp_path: Path, round: int, token: str | None, code: str
) -> None:
    result = fetch(service, round, tmp_path / "round.zip", token)
    assert (result.exit_code, code in result.output) == (1, True), result.output
    assert not (tmp_path / "round.zip").exists()


def test_where_nobody_answers_it_can_not_tell(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        result = fetch(f"http://127.0.0.1:{taken.getsockname()[1]}", 1, tmp_path / "round.zip")
    assert (result.exit_code, "does not answer" in result.output) == (2, True), result.output
    assert fetch("nonsense", 1, tmp_path / "round.zip").exit_code == 2
    assert not (tmp_path / "round.zip").exists()
