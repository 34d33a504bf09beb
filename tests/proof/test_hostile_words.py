"""What is printed of a forger's file can't pass for the answer, and no file breaks the commands."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.verifiers import KEY
from services.cli import application
from services.gateway.web import verify_bundle as verifier
from tests.proof.forge import decoded, forged
from tests.proof.hostile import PREVIOUS, ROWS, honest


@pytest.mark.parametrize(
    "table", ["\x1b[2J\x1b[1;1H PROVEN", "[/]", "[green]✓ Proven[/]", "\N{RIGHT-TO-LEFT OVERRIDE}x", "a\rb"]
)
def test_nothing_that_a_forger_writes_moves_the_cursor_or_passes_for_the_answer(table: str, tmp_path: Path) -> None:
    changed = [{**record, "table": table} for record in decoded(ROWS)]
    (tmp_path / "round.zip").write_bytes(forged(changed, PREVIOUS, ROWS[0].version))
    result = CliRunner().invoke(application(), ["check", str(tmp_path / "round.zip")])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.exit_code == 1
    said = verifier.words(verifier.check((tmp_path / "round.zip").read_bytes(), [KEY]))
    for words in (result.output, said):
        assert all(character.isprintable() or character == "\n" for character in words), words
    assert "[/]" not in table or table in result.output


@pytest.mark.parametrize(
    "kept", ["[" * 100_000, '{"signed":' * 50_000, "[NaN]", '{"signed":1}', "\x00", '[{"signed":{}}]']
)
def test_receipts_that_are_none_are_refused_or_passed_over(
    kept: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "round.zip").write_bytes(honest())
    (tmp_path / "kept.json").write_text(kept)
    arguments = [str(tmp_path / "round.zip"), "--receipts", str(tmp_path / "kept.json")]
    result = CliRunner().invoke(application(), ["check", *arguments])
    assert result.exit_code in (0, 2)
    assert isinstance(result.exception, SystemExit | None)
    assert verifier.main(arguments) in (0, 2)
    assert "Traceback" not in capfd.readouterr().err
