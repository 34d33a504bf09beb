"""What is used wrongly says so in one line, names what is allowed, and ends with status 2; never with a traceback."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url

from services.cli import COMMANDS, main
from services.local.permissions import PERMISSIONS

NOWHERE = "127.0.0.1:1"
DATABASE = {"QUARTET_DATABASE_URL": f"postgresql://x@{NOWHERE}/x"}
BUS = {"QUARTET_NATS_URL": f"nats://{NOWHERE}"}
SERVICES = ("gateway", "table", "scoring", "bots", "migrate")


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[pytest.MonkeyPatch]:
    """An empty folder, and nothing set; `up` leaves its handlers of signals behind."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    for name in [name for name in os.environ if name.startswith("QUARTET_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    yield monkeypatch
    for number, handler in handlers.items():
        signal.signal(number, handler)


def ended(capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch, *arguments: str) -> tuple[object, str]:
    """The exit status, and what was said on stderr."""
    patch.setattr(sys, "argv", ["quartet", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    return end.value.code, capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("bogus", "No such command 'bogus'"),
        ("replay", "Missing argument 'table'"),
        ("replay x y", "Invalid value for 'round'"),
        ("verify", "name a table, or --all"),
        ("verify x --all", "name a table, or --all"),
        ("verify --all --data none", "no log in"),
        ("export", "Missing argument 'table'"),
        ("export x 1", "Missing option"),
        ("export x 1 -o y", "no log in"),
        ("export x 0 -o y", "greater than or equal to 1"),
        ("export x 2147483648 -o y", "less than or equal to 2147483647"),
        ("replay x 0", "greater than or equal to 1"),
        ("replay x 2147483648", "less than or equal to 2147483647"),
        ("verify x 2147483648", "less than or equal to 2147483647"),
        ("export x 1 -o y --url nonsense", "nonsense does not answer"),
        (f"export x 1 -o y --url http://{NOWHERE}", "does not answer"),
        ("check", "Missing argument 'file"),
        ("check none.zip", "No such file"),
        ("check .", "directory"),
        ("forget", "Missing argument 'player'"),
        ("forget x", "no log in"),
        ("keys new", "Missing argument 'file'"),
        ("keys new none/keys", "No such file"),
        ("keys new .", "directory"),
        ("keys show none", "No such file"),
        ("token --role king", "'king' is not one of 'auditor', 'operator', 'player'"),
        ("token", "No such file"),
        ("pack check", "Missing argument 'file'"),
        ("pack check none.json", "No such file"),
        ("load --tables 0", "greater than or equal to 1"),
        ("load --game chess", "there are quatro, kwartet"),
        ("load", "no bus in"),
        ("ops bogus", "No such command 'bogus'"),
        ("ops tables", "no log in"),
        ("ops tables --phase asleep", "there are seating, preparing"),
        ("ops tables --most 99999999999999999999", "less than or equal to"),
        ("ops drain", "Missing argument 'service'"),
        ("ops drain table-1", "no service table-1 runs in"),
        ("ops close", "Missing argument 'table'"),
        ("ops close x", "no bus in"),
        ("demo --game chess", "there are quatro, kwartet"),
        ("demo --seats 5", "4, 6, 8"),
        ("demo --pace 0", "greater than or equal to 0.1"),
        ("nats-config", "Missing option"),
        ("nats-config --passwords none --output x", "a line is role:password"),
        ("up --port 99999", "65535"),
        ("up --port 0", "greater than or equal to 1"),
        ("up --port 65530 --gateways 16", "the last one is 65535"),
        ("up --gateways 0", "greater than or equal to 1"),
        ("up --data /dev/null/x", "/dev/null"),
    ],
)
def test_wrong_use_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], environment: pytest.MonkeyPatch, line: str, said: str
) -> None:
    status, words = ended(capsys, environment, *line.split())
    assert (status, words.count("\n")) == (2, 1), words
    assert words.startswith("quartet: ")
    assert said in words


def test_a_key_is_written_into_no_file_that_holds_something_else(
    capsys: pytest.CaptureFixture[str], environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.write_text("not keys")
    status, words = ended(capsys, environment, "keys", "new", "notes")
    assert (status, notes.read_text()) == (2, "not keys")
    assert "no signing key found" in words


def test_a_configuration_with_passwords_is_its_owners_alone_even_where_there_was_another_file(
    capsys: pytest.CaptureFixture[str], environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "passwords").write_text("".join(f"{role}:x\n" for role in PERMISSIONS))
    config = tmp_path / "nats.conf"
    config.touch(0o644)
    line = ("nats-config", "--passwords", "passwords", "--output", "nats.conf")
    assert ended(capsys, environment, *line)[0] == 0
    assert config.stat().st_mode & 0o777 == 0o600
    status, words = ended(capsys, environment, *line, "--listen", "here:65536")
    assert (status, "up to port 65535" in words) == (2, True)


@pytest.mark.parametrize("command", [*COMMANDS])
def test_every_command_says_that_it_knows_no_such_option(
    capsys: pytest.CaptureFixture[str], environment: pytest.MonkeyPatch, command: str
) -> None:
    status, words = ended(capsys, environment, command, "--bogus")
    assert (status, words.count("\n")) == (2, 1), words
    assert "No such option: --bogus" in words
    assert f"quartet {command} --help" in words


@pytest.mark.parametrize("command", SERVICES)
def test_a_service_without_its_servers_names_the_setting(
    capsys: pytest.CaptureFixture[str], environment: pytest.MonkeyPatch, command: str
) -> None:
    status, words = ended(capsys, environment, command)
    assert (status, words.count("\n")) == (2, 1)
    assert "is not set" in words
    assert ("QUARTET_NATS_URL" if command != "migrate" else "QUARTET_DATABASE_URL") in words


@pytest.mark.parametrize(
    "line",
    [
        "migrate", "ops tables", "ops partitions", "verify --all", "verify x", "replay x 1", "export x 1 -o y",
        "forget x",
    ],
)  # fmt: skip
def test_a_database_that_does_not_answer_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], environment: pytest.MonkeyPatch, line: str
) -> None:
    environment.setenv("QUARTET_DATABASE_URL", DATABASE["QUARTET_DATABASE_URL"])
    status, words = ended(capsys, environment, *line.split())
    assert status == 2
    (told,) = [each for each in words.splitlines() if each]
    assert told.startswith("quartet: the database does not answer")


@pytest.mark.slow
def test_a_bus_that_does_not_answer_is_told_in_one_line() -> None:
    command = [sys.executable, "-m", "services", "ops", "close", "x"]
    ran = subprocess.run(command, env=os.environ | BUS, capture_output=True, text=True, timeout=300, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"quartet: NATS does not answer at {NOWHERE}\n"


@pytest.mark.parametrize("command", ["gateway", "table", "scoring", "bots"])
def test_a_service_that_the_bus_refuses_says_so_in_one_line(command: str, nats_url: str) -> None:
    refused = {"QUARTET_NATS_URL": nats_url.replace("test:", "test:x"), "QUARTET_TOKEN_KEYS": f"a:{'b' * 32}"}
    assert started(command, **DATABASE, **refused).startswith("quartet: NATS refuses us")


@pytest.mark.parametrize("command", ["table", "scoring", "migrate"])
def test_a_service_that_the_database_refuses_says_so_in_one_line(
    command: str, nats_url: str, postgres_url: str
) -> None:
    refused = make_url(postgres_url).set(password="wrong").render_as_string(hide_password=False)
    said = started(command, QUARTET_NATS_URL=nats_url, QUARTET_DATABASE_URL=refused)
    assert said.startswith("quartet: the database refuses us")
    assert "wrong@" not in said


@pytest.mark.parametrize("command", ["table", "scoring"])
def test_a_service_without_its_signing_keys_says_so_in_one_line(command: str, nats_url: str) -> None:
    none = {"QUARTET_NATS_URL": nats_url, "QUARTET_SIGNING_KEYS": "none.pem"}
    assert (
        started(command, **DATABASE, **none) == "quartet: signing keys: [Errno 2] No such file or directory: 'none.pem'"
    )


def started(command: str, **environment: str) -> str:
    """What a service said by itself that could not start; its log aside."""
    line = [sys.executable, "-m", "services", command]
    ran = subprocess.run(line, env=os.environ | environment, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 2, ran.stderr
    (said,) = [each for each in ran.stderr.splitlines() if not each.startswith("{")]
    return said


@pytest.mark.parametrize("line", ["ops tables", "verify --all", "keys show", "replay x 1", "up", "migrate", "token"])
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [("QUARTET_LOG_LEVEL", "loud", "'debug', 'info'"), ("QUARTET_DATABASE_URL", "nonsense", "postgres(ql)?://")],
)
def test_a_bad_setting_is_named_whatever_was_asked_for(
    capsys: pytest.CaptureFixture[str], environment: pytest.MonkeyPatch, line: str, name: str, value: str, said: str
) -> None:
    environment.setenv(name, value)
    status, words = ended(capsys, environment, *line.split())
    assert (status, words.count("\n")) == (2, 1), words
    assert name in words
    assert said in words


def test_settings_are_listed_with_their_whole_names(
    capsys: pytest.CaptureFixture[str], environment: pytest.MonkeyPatch
) -> None:
    environment.setattr(sys, "argv", ["quartet", "settings"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    words = capsys.readouterr().out
    assert all(name in words for name in ("QUARTET_WRONG_CODES_PER_MINUTE", "QUARTET_REQUESTS_PER_SECOND"))
