"""Seeds of the simulation (`python -m tests.simulation FIRST LAST` plays more), and that it finds what it is for."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

import pytest

from shared.eventlog.port import Entry, Outcome
from tests.rules import case
from tests.simulation.cluster import Cluster
from tests.simulation.database import DistantLog
from tests.simulation.run import Failed, simulate

pytestmark = pytest.mark.slow

SEEDS = 4


def played(first: int, last: int) -> list[str]:
    """The lines of these seeds, each played with sets in the same order: that is part of a run."""
    command = [sys.executable, "-m", "tests.simulation", str(first), str(last)]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def seeds() -> list[str]:
    return played(1, SEEDS)


@case("C-16")
def test_whatever_the_weather_all_that_was_told_is_true_and_every_table_goes_on(seeds: list[str]) -> None:
    assert len(seeds) == SEEDS


def test_a_seed_is_the_same_run_to_the_last_byte_in_another_process(seeds: list[str]) -> None:
    assert played(SEEDS, SEEDS) == seeds[-1:]


class Forgetful(DistantLog):
    """In a storm it says of every tenth append that it is committed, and writes nothing."""

    appends = 0

    async def append(self, owner: str, entries: Sequence[Entry]) -> Mapping[int, Outcome]:
        Forgetful.appends += 1
        if self._weather.stormy and Forgetful.appends % 10 == 0:
            return {entry.tenure.partition: Outcome.COMMITTED for entry in entries}
        return await super().append(owner, entries)


class ForgetfulCluster(Cluster):
    """A cluster on a database that loses what it acknowledged."""

    def distant_log(self, service: str) -> Forgetful:
        return Forgetful(self.log, self.weather, service)


def test_a_database_that_loses_what_it_acknowledged_is_found_out() -> None:
    with pytest.raises(Failed, match="Verdict"):
        simulate(1, make=ForgetfulCluster)
