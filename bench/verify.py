"""`python -m bench.verify`: how many records a second of one core `quartet verify --all` decides again, from Postgres.

Games of bots are played at a desk, written into an embedded Postgres and verified in this process; CPU time counts,
so that whatever else the machine does matters little.
"""

import argparse
import asyncio
import time
from collections import defaultdict
from random import Random
from typing import Any

from services.cli.census import census
from services.cli.checking import Checked, Scope
from services.cli.verifying import check_all
from services.migrate import migrate
from shared.eventlog.port import Entry, Outcome, Row, partition_of
from shared.eventlog.postgres import PostgresEventLog
from shared.games.registry import GAMES
from shared.replay import Audit
from shared.table.commands import AddBot, StartGame
from tests.proof.mischief import Busy
from tests.servers import EmbeddedPostgres
from tests.table.test_every_game import act

SEATS = 4
STEPS_MAX = 20_000
APPEND_ROWS = 500
ROUNDS: dict[str, dict[str, Any]] = {"quatro": {"target_points": 5}, "kwartet": {}}


def main() -> None:
    """Print records per CPU second for each game: in memory, and from Postgres with all that it takes."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--tables", type=int, default=200, help="of each game")
    asked.add_argument("--times", type=int, default=5, help="the best of so many runs is told")
    given = asked.parse_args()
    for game in ROUNDS:
        compare(game, given.tables, given.times)


def compare(game: str, count: int, times: int) -> None:
    """The same records out of memory and out of a database."""
    tables = [played(game, seed) for seed in range(count)]
    records, rounds = sum(map(len, tables)), sum(rows[-1].round for rows in tables)
    print(f"{game}: {count} tables, {rounds} rounds, {records} records", flush=True)
    _print("in memory", records, min(_spent(lambda: _in_memory(tables)) for _ in range(times)))
    server = EmbeddedPostgres()
    try:
        migrate(server.url)
        asyncio.run(_store(server.url, tables))
        _print("from Postgres", records, min(_spent(lambda: _stored(server.url)) for _ in range(times)))
    finally:
        server.stop()


def played(game: str, seed: int) -> tuple[Row, ...]:
    """One game of bots to its end."""
    desk, chance = Busy(seed=b"%d" % seed, table=f"0198c0de-0000-7000-8000-{seed:012}"), Random(seed)
    desk.create(game, SEATS, sit=False, **ROUNDS[game])
    for _ in range(SEATS):
        desk.send("ann", AddBot())
    desk.send("ann", StartGame())
    memories: list[Any] = [None] * SEATS
    for _ in range(STEPS_MAX):
        if desk.s.phase == "over":
            return tuple(desk.rows)
        if desk.s.phase == "scoring":
            desk.award()
        act(desk, GAMES[game], memories, chance)
    raise AssertionError("this game does not end")


def _spent(run: Any) -> float:
    began = time.process_time()
    run()
    return time.process_time() - began


def _in_memory(tables: list[tuple[Row, ...]]) -> None:
    for rows in tables:
        audit = Audit()
        assert all(audit.check(row) is None for row in rows), "the game holds"


def _stored(url: str) -> None:
    """What `verify --all` does on one core."""
    found: list[Checked] = []
    wanted = {each.table: each.version for each in asyncio.run(census(url)).tables}
    check_all(url, Scope(tuple(wanted)), 1, found.append, wanted)
    assert all(each.fault is None for each in found), "the log holds"


async def _store(url: str, tables: list[tuple[Row, ...]]) -> None:
    """As a table service would leave it: the tables of a partition side by side."""
    parts = defaultdict[int, list[Row]](list)
    for row in sorted((row for rows in tables for row in rows), key=lambda row: row.at):
        parts[partition_of(row.table_id)].append(row)
    log = PostgresEventLog(url, None, "bench", pool_size=1)
    try:
        for partition, rows in parts.items():
            for at in range(0, len(rows), APPEND_ROWS):
                tenure = await log.take("bench", partition)
                done = await log.append("bench", [Entry(tenure, rows[at : at + APPEND_ROWS])])
                assert done == {partition: Outcome.COMMITTED}
    finally:
        await log.close()


def _print(what: str, records: int, seconds: float) -> None:
    print(
        f"  {what:14} {records / seconds:8,.0f} records/CPU s   {seconds / records * 1e6:6.1f} µs a record", flush=True
    )


if __name__ == "__main__":
    main()
