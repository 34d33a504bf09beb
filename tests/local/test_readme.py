"""The README's script does what it says."""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.local.installed import Up

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture
def up() -> Iterator[Up]:
    above = Path(tempfile.mkdtemp(prefix="quartet-readme-"))
    started = Up(above / "data")
    yield started.ready()
    started.stop()
    shutil.rmtree(above)


def test_the_script_takes_a_seat_swaps_is_refused_calls_and_sees_the_round_scored(up: Up) -> None:
    script = _script().replace("127.0.0.1:8000", f"127.0.0.1:{up.port}")
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=200)
    assert ran.returncode == 0, ran.stderr
    swapped, refused, called, scored = ran.stdout.splitlines()
    assert "'accepted': True" in swapped
    assert "'refused': 'not_in_hand'" in refused
    assert "'accepted': True" in called
    assert "'how': 'call'" in scored
    assert "'awarded': None" not in scored
    assert "ermissions violation" not in "".join(log.read_text() for log in (up.data / "log").glob("*.log"))


def test_the_script_has_ten_lines() -> None:
    assert len(_script().splitlines()) == 10


def _script() -> str:
    found = re.search(r"```python\n(.*?)```", README.read_text(), flags=re.S)
    assert found is not None
    return found[1]
