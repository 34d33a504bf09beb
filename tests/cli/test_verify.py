"""`quartet verify`: what it finds, and what it says by its exit status."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import asyncpg
import msgspec
import pytest
from typer.testing import CliRunner, Result

from services.cli import application
from services.cli.checking import Scope, Worker
from services.cli.verify import Report
from shared.eventlog.memory import MemoryEventLog
from shared.eventlog.port import partition_of
from tests.cli.played import play, rows_of, store
from tests.proof.stored import project, seal
from tests.rules import case

app = application()


@pytest.fixture(scope="module")
def played() -> tuple[MemoryEventLog, list[str]]:
    """Three finished games."""
    return play(["quatro", "quatro", "kwartet"])


@pytest.fixture
def stored(played: tuple[MemoryEventLog, list[str]], postgres_url: str) -> Iterator[str]:
    """The URL of a database that holds them."""
    store(played[0], postgres_url)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUARTET_DATABASE_URL", postgres_url)
        yield postgres_url


@pytest.fixture
def tables(played: tuple[MemoryEventLog, list[str]]) -> list[str]:
    """The tables of those games."""
    return played[1]


def call(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(app, ["verify", *arguments])


def report(result: Result) -> Report:
    """What it reports as JSON."""
    return msgspec.json.decode(result.stdout, type=Report)


def change(url: str, statement: str, *arguments: object) -> None:
    """Do to the log what its triggers forbid to everyone but its owner."""

    async def run() -> None:
        connection = await asyncpg.connect(url)
        await connection.execute("ALTER TABLE records DISABLE TRIGGER ALL")
        await connection.execute(statement, *arguments)
        await connection.close()

    asyncio.run(run())


def test_a_good_log_verifies_whole(stored: str, played: tuple[MemoryEventLog, list[str]]) -> None:
    result = call("--all", "--json")
    assert result.exit_code == 0
    found = report(result)
    assert found.good
    assert found.tables == 3
    assert found.records == len(asyncio.run(rows_of(played[0])))


def test_several_processes_find_the_same(stored: str) -> None:
    one, two = (report(call("--all", "--json", "--processes", count)) for count in ("1", "2"))
    assert (one.tables, one.rounds, one.records) == (two.tables, two.rounds, two.records)


def test_one_table_and_one_round_of_it_verify_alone(stored: str, tables: list[str]) -> None:
    assert report(call(tables[0], "--json")).tables == 1
    alone = report(call(tables[0], "1", "--json"))
    assert alone.good
    assert alone.rounds == 1


def test_people_read_it_in_words(stored: str) -> None:
    result = call("--all")
    assert "every record follows from the rules" in result.stdout
    assert "3 tables" in result.stdout


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("UPDATE records SET at = at + 1 WHERE table_id = $1 AND version = 9", "column"),
        ("UPDATE records SET hash = sha256(hash) WHERE table_id = $1 AND version = 9", "hash"),
        ("DELETE FROM records WHERE table_id = $1 AND version = 9", "hash"),
        ("UPDATE records SET body = set_byte(body, 0, 120) WHERE table_id = $1 AND version = 9", "bytes"),
    ],
)
def test_the_first_record_that_differs_is_named(stored: str, tables: list[str], statement: str, kind: str) -> None:
    change(stored, statement, tables[0])
    result = call("--all", "--json")
    assert result.exit_code == 1
    (place,) = report(result).faults
    assert place.table == tables[0]
    assert place.fault.version in (9, 10)
    assert place.fault.kind in (kind, "version")
    assert call(tables[1]).exit_code == 0, "the other tables are good"


def test_a_fault_is_told_in_words_with_its_place(stored: str, tables: list[str]) -> None:
    change(stored, "UPDATE records SET at = at + 1 WHERE table_id = $1 AND version = 9", tables[0])
    result = call(tables[0])
    assert result.exit_code == 1
    words = " ".join(result.stdout.split())
    assert f"table {tables[0]}, record 9: column" in words


def test_what_was_found_good_is_skipped_until_it_grows(stored: str, tmp_path: Path) -> None:
    kept = str(tmp_path / "verified")
    assert report(call("--all", "--json", "--resume", kept)).tables == 3
    again = report(call("--all", "--json", "--resume", kept))
    assert (again.good, again.tables, again.known) == (True, 0, 3)


def test_a_table_changed_at_its_end_is_not_skipped(stored: str, tables: list[str], tmp_path: Path) -> None:
    kept = str(tmp_path / "verified")
    call("--all", "--resume", kept)
    last = "(SELECT max(version) FROM records WHERE table_id = $1)"
    change(stored, f"UPDATE records SET hash = sha256(hash) WHERE table_id = $1 AND version = {last}", tables[0])
    result = call("--all", "--json", "--resume", kept)
    assert result.exit_code == 1
    assert report(result).known == 2


def test_a_table_whose_beginning_is_gone_is_found_all_the_same(stored: str, tables: list[str]) -> None:
    change(stored, "DELETE FROM records WHERE table_id = $1 AND version < 4", tables[0])
    found = report(call("--all", "--json"))
    assert (found.tables, [place.table for place in found.faults]) == (3, [tables[0]])
    assert found.faults[0].fault.version == 4


def test_a_tail_or_a_whole_table_that_was_committed_and_is_gone_is_missed(stored: str, tables: list[str]) -> None:
    last = "(SELECT max(version) FROM records WHERE table_id = $1)"
    change(stored, f"DELETE FROM records WHERE table_id = $1 AND version = {last}", tables[0])
    change(stored, "DELETE FROM records WHERE table_id = $1", tables[1])
    result = call("--all", "--json")
    found = report(result)
    assert (result.exit_code, found.tables, found.faults) == (1, 2, ())
    lost = {each.partition: each.records for each in found.lost}
    assert lost.keys() == {partition_of(tables[0]), partition_of(tables[1])}
    assert sum(lost.values()) > 2
    assert "committed records are gone" in " ".join(call("--all").output.split())


def test_a_sealed_round_must_end_as_it_was_sealed(stored: str, tables: list[str]) -> None:
    """Whoever chains a table anew to its end is found by the leaves of the site's log."""
    asyncio.run(project(stored))
    assert asyncio.run(seal(stored)) > 0
    assert call("--all").exit_code == 0
    sealed = "(SELECT max(version) FROM leaves WHERE table_id = $1)"
    change(stored, f"UPDATE records SET hash = sha256(hash) WHERE table_id = $1 AND version = {sealed}", tables[2])
    found = report(call("--all", "--json"))
    assert [(each.table, each.round) for each in found.unsealed] == [(tables[2], 1)]
    assert [place.table for place in found.faults] == [tables[2]]
    assert "does not end as it was sealed" in " ".join(call("--all").output.split())


def test_a_long_table_is_read_in_pages(stored: str, tables: list[str]) -> None:
    scope = Scope(tuple(tables))
    with closing(Worker(stored)) as whole, closing(Worker(stored, rows_max=7)) as paged:
        once = whole.work(scope).checked
        assert paged.work(scope).checked == once
    assert all(each.fault is None and each.records > 7 for each in once)


def test_a_faulty_table_is_looked_at_again_every_time(stored: str, tables: list[str], tmp_path: Path) -> None:
    kept = str(tmp_path / "verified")
    change(stored, "UPDATE records SET at = at + 1 WHERE table_id = $1 AND version = 9", tables[0])
    assert [call("--all", "--resume", kept).exit_code for _ in range(2)] == [1, 1]


@case("C-16")
def test_without_a_log_it_can_not_tell(tmp_path: Path) -> None:
    assert call("--all", "--data", str(tmp_path)).exit_code == 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUARTET_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
        assert call("--all").exit_code == 2


def test_wrong_use_is_said_so() -> None:
    assert call().exit_code == 2
    assert call("0190a000-0000-7000-8000-00000000000a", "--all").exit_code == 2


def test_of_an_unknown_table_or_round_it_can_not_tell(stored: str, tables: list[str]) -> None:
    assert call("0190a000-0000-7000-8000-00000000000a").exit_code == 2
    assert call(tables[0], "99").exit_code == 2
