"""`python -m tests.simulation [FIRST [LAST]]`: seeds played one after another; a seed that fails fails every time."""

import logging
import os
import sys

import structlog

from tests.simulation.run import simulate


def main(first: int = 1, last: int | None = None) -> None:
    """Say of each seed its digest, or what happened until it failed."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    for seed in range(first, (last or first) + 1):
        story: list[str] = []
        try:
            print(seed, simulate(seed, story.append), flush=True)
        except BaseException:
            print("\n".join([f"seed {seed}:", *story]), flush=True)
            raise


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets is part of a run
        os.execve(
            sys.executable,
            [sys.executable, "-m", "tests.simulation", *sys.argv[1:]],
            {**os.environ, "PYTHONHASHSEED": "0"},
        )
    main(*map(int, sys.argv[1:]))
