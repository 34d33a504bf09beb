"""`make bench`: all figures of the limits in one run, on a machine that should be doing nothing else."""

import os

from bench import firstload, keeper, rules, service


def main() -> None:
    """Print how busy the machine was, then every figure."""
    one, five, _ = os.getloadavg()
    print(f"load before: {one:.1f} (1 min), {five:.1f} (5 min) on {os.cpu_count()} cores")
    rules.main()
    keeper.main()
    service.main([])
    firstload.main()


if __name__ == "__main__":
    main()
