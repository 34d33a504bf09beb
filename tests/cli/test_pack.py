"""`quartet pack check`: what it says of good packs and bad ones, and its exit status."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from typer.testing import CliRunner

from services.cli import application
from shared.games.kwartet import shelf
from tests.rules import rule


def run(*words: str) -> tuple[int, str]:
    """Exit status and what was printed."""
    result = CliRunner().invoke(application(["pack"]), ["pack", "check", *words])
    return result.exit_code, result.output


@pytest.mark.parametrize("name", [name for name in shelf.shipped() if name != "ordinary"])
@rule("K-PACK-5")
def test_a_shipped_pack_is_good(name: str) -> None:
    file = files("shared.games.kwartet").joinpath("packs", f"{name}.json")
    status, said = run(str(file), "--json")
    assert status == 0
    assert json.loads(said)["hash"] == shelf.shipped()[name].hash


@rule("K-PACK-5")
def test_a_csv_pack_is_called_by_its_file(tmp_path: Path) -> None:
    file = tmp_path / "Mine.csv"
    file.write_text("\n".join(f"{family},{family}{number}" for family in "ab" for number in range(4)))
    status, said = run(str(file))
    assert status == 0
    assert said.startswith("good  Mine  ")


@rule("K-PACK-3")
def test_a_bad_pack_is_shown_with_each_fault_under_its_line(tmp_path: Path) -> None:
    file = tmp_path / "bad.csv"
    file.write_text("apes,chimp\napes,[b]\napes,c\nbees,chimp\nbees,f\nbees,g\nbees,h")
    status, said = run(str(file))
    assert status == 1
    assert [line.strip() for line in said.splitlines()[1:]] == [
        "1  apes,chimp",
        "the family 'apes' has 3 members, not four",
        "4  bees,chimp",
        "the card 'chimp' stands on line 1 already",
    ]
    status, said = run(str(file), "--json")
    assert (status, [fault["line"] for fault in json.loads(said)["faults"]]) == (1, [1, 4])


def test_a_file_that_is_not_there_is_not_readable(tmp_path: Path) -> None:
    status, said = run(str(tmp_path / "none.json"))
    assert status == 2
    assert "No such file" in said


def test_what_stands_in_a_pack_is_shown_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "odd.csv"
    file.write_text("a:x:b,[/]\n")
    assert "a:x:b,[/]" in run(str(file))[1]
