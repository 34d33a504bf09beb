"""Two players, two gateways, one card: a thousand times."""

from pathlib import Path

import pytest

from bench.duel import duel
from tests.rules import case, rule


@rule("Q-SWAP-3")
@case("C-01")
@pytest.mark.servers
@pytest.mark.timeout(600)
def test_exactly_one_gets_the_card_and_the_other_hears_who_did_and_by_how_much(tmp_path: Path) -> None:
    outcome = duel(1_000, tmp_path)
    assert outcome.duels == 1_000
    assert outcome.wrong == ()
    assert set(outcome.won) == {0, 1}, "each wins at times, and never nobody or both"
