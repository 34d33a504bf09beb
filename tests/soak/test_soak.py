"""The one-minute form of `make soak`."""

from pathlib import Path

import pytest

from bench.soak import Plan, soak
from tests.rules import case


@case("C-06", "C-15", "C-16", "C-17")
@pytest.mark.servers
@pytest.mark.timeout(600)
def test_whatever_is_killed_nothing_acknowledged_is_lost_and_every_table_goes_on(tmp_path: Path) -> None:
    outcome = soak(Plan(tables=12, seconds=60, kill_every=12), tmp_path)
    assert outcome.verdicts > 100
    assert outcome.kills >= 6
    assert outcome.missing == ()
    assert outcome.stuck == ()
    assert outcome.faults == ()
