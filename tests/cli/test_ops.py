"""`quartet ops`: what operators see."""

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from services.cli import application
from services.scoring.port import Change, TableLine
from services.scoring.postgres import PostgresProjections
from tests.cli.played import play, store

A = "0190a000-0000-7000-8000-00000000000a"
B = "0190a000-0000-7000-8000-00000000000b"


def ops(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(application(), ["ops", *arguments])


@pytest.fixture
def database(postgres_url: str) -> Iterator[str]:
    """A database that the commands find."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUARTET_DATABASE_URL", postgres_url)
        yield postgres_url


def line(table: str, phase: str) -> TableLine:
    return TableLine(
        table_id=table, partition=1, game="quatro", seats=4, taken=3, bots=2, phase=phase, private=True, host="ada",
        players=("ada",), round=7, at=1, changed=2,
    )  # fmt: skip


def test_tables_are_listed_with_who_sits_there_and_closed_ones_only_if_asked_for(database: str) -> None:
    async def fill() -> None:
        projections = PostgresProjections(database, "quartet_scoring", "test")
        await projections.advance(1, 0, 1, Change((line(A, "playing"), line(B, "closed"))))
        await projections.close()

    asyncio.run(fill())
    listed = ops("tables")
    assert listed.exit_code == 0
    assert A in listed.stdout
    assert B not in listed.stdout
    (closed,) = json.loads(ops("tables", "--phase", "closed", "--json").stdout)
    assert (closed["table_id"], closed["taken"], closed["bots"]) == (B, 3, 2)


def test_every_partition_is_shown_with_its_epoch_and_size(database: str) -> None:
    log, _ = play(["kwartet"])
    store(log, database)
    shown = json.loads(ops("partitions", "--json").stdout)
    assert [each["partition"] for each in shown] == list(range(64))
    assert sum(each["records"] for each in shown) > 20
    assert max(each["epoch"] for each in shown) == 1
    assert ops("partitions").exit_code == 0


def test_what_is_not_there_is_not_reachable(tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert ops("tables", "--data", folder).exit_code == 2
    assert ops("partitions", "--data", folder).exit_code == 2
    assert ops("drain", "table-1", "--data", folder).exit_code == 2
    assert ops("close", A, "--data", folder).exit_code == 2


def test_draining_sends_the_service_its_signal_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    for options in ((), ("--json",)):
        service = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        (tmp_path / "run" / "table-1.pid").write_text(f"{service.pid} 1\n")
        told = ops("drain", "table-1", "--data", str(tmp_path), *options)
        assert service.wait(60) == -signal.SIGTERM
        assert told.exit_code == 0
        assert str(service.pid) in told.stdout
    assert json.loads(told.stdout) == {"service": "table-1", "process": service.pid}
