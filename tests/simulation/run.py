"""One run of a seed, from the first table to the proof that nothing acknowledged was lost and everything went on."""

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from random import Random
from uuid import uuid4

from services.gateway.link import Link
from shared.eventlog.port import PARTITIONS, partition_of
from shared.games.registry import GAMES
from shared.kernel import BadRules
from shared.replay import Audit, Fault
from shared.table.boundary import canonical
from shared.table.commands import AddBot, CreateTable, StartGame
from tests.simulation.chance import seeded
from tests.simulation.cluster import Cluster
from tests.simulation.people import Person
from tests.simulation.storm import Storm
from tests.simulation.told import Told
from tests.simulation.weather import Weather
from tests.virtual import VirtualLoop

STORM_SECONDS = 60.0
GO_ON_SECONDS = 120.0
QUICK: Mapping[str, object] = {
    "target_points": 50, "prepare_seconds": 7.5, "break_seconds": 7.5, "round_seconds": 45, "swap_wait_seconds": 0.5,
    "channel_wait_seconds": 0.5, "vote_gap_seconds": 7.5, "beat_seconds": 1.25, "vote_seconds": 5,
}  # fmt: skip
TABLES: tuple[tuple[str, int, Mapping[str, object], bool], ...] = (
    ("quatro", 4, QUICK, True),
    ("quatro", 6, QUICK, False),
    ("kwartet", 3, {"prepare_seconds": 1}, False),
)
"""(game, seats, house rules, whether a person takes the last seat)"""


class Failed(AssertionError):
    """A promise was broken."""


Make = Callable[[Weather, Told], Cluster]


def simulate(seed: int, tell: Callable[[str], None] = lambda _: None, make: Make = Cluster) -> str:
    """Play a seed on the cluster that `make` makes; a digest of every byte in the log, the same for every run of it.

    Raises Failed, and whatever ends a service.
    """
    with seeded(seed) as chance, asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(_run(chance, tell, make))


async def _run(chance: Random, tell: Callable[[str], None], make: Make) -> str:
    loop, bugs = asyncio.get_running_loop(), list[str]()
    loop.set_exception_handler(lambda _, context: bugs.append(f"{context['message']}: {context.get('exception')!r}"))
    now = loop.time
    told = Told()
    cluster = make(Weather(chance), told)
    storm = Storm(cluster, lambda what: tell(f"{now():7.2f} {what}"))
    storm.heal()
    link = Link(cluster.network.join("gateway.1"), "gateway.1", now)
    await link.start()
    people: list[Person] = []
    try:
        tables = [await _lay(link, told, people, chance, *table) for table in TABLES]
        players = [asyncio.create_task(person.play()) for person in people]
        await storm.blow(STORM_SECONDS)
        await _goes_on(cluster, tables, people)
        for task in players:
            if task.done():
                task.result()
        await _holds(cluster, told, bugs)
        for task in players:
            task.cancel()
        await asyncio.wait(players)
    finally:
        await link.stop()
        await cluster.close()
    return await _digest(cluster)


async def _lay(
    link: Link, told: Told, people: list[Person], chance: Random, game: str, seats: int,
    rules: Mapping[str, object], person: bool,
) -> str:  # fmt: skip
    """A table with its game begun, all bots but for one person perhaps."""
    table, read = str(uuid4()), GAMES[game].read_rules(rules, seats)
    if isinstance(read, BadRules):
        raise Failed(str(read))
    host = Person(link, told, chance, "host", table, seats - 1)
    await host.insist(CreateTable(table, game, GAMES[game].revision, seats, canonical(read), sit=False))
    for seat in range(seats - person):
        await host.insist(AddBot(seat))
    if person:
        people.append(host)
        await host.sit()
    await host.insist(StartGame())
    return table


async def _goes_on(cluster: Cluster, tables: list[str], people: list[Person]) -> None:
    """Every table writes on, and every screen shows the newest owner's view."""
    before = {table: len(await cluster.log.table_rows(table)) for table in tables}
    now = asyncio.get_running_loop().time
    until = now() + GO_ON_SECONDS
    while still := await _still(cluster, before, people):
        if now() > until:
            raise Failed("after the storm: " + "; ".join(still))
        await asyncio.sleep(0.25)
        cluster.check()


async def _still(cluster: Cluster, before: Mapping[str, int], people: list[Person]) -> list[str]:
    """What has not gone on yet."""
    still = []
    for table, last in before.items():
        rows = await cluster.log.table_rows(table, last)
        phase = next(head.phase for head in await cluster.log.heads(partition_of(table)) if head.table_id == table)
        if len(rows) == 1 and phase != "over":
            still.append(f"table {table} stands still in {phase} at {rows[0].body.decode()}")
    for person in people:
        tenure = await cluster.log.tenure(partition_of(person.table))
        if tenure is None or not person.shows(tenure.epoch):
            still.append(f"the screen of {person.player} stands still at {person.screen.place}")
    return still


async def _holds(cluster: Cluster, told: Told, bugs: list[str]) -> None:
    """Nothing told is untrue, every record verifies, every sealed round ends in the log as it was sealed."""
    untrue = await told.untrue(cluster.log)
    if untrue or bugs:
        raise Failed("\n".join(untrue + bugs))
    if not any(told.verdicts.values()):
        raise Failed("nobody was told anything")
    for partition in range(PARTITIONS):
        for table in await cluster.log.tables(partition):
            audit = Audit()
            faults = map(audit.check, await cluster.log.table_rows(table))
            fault: Fault | None = next((fault for fault in faults if fault is not None), None)
            if fault is not None:
                raise Failed(f"table {table}: {fault}")
    for leaf in await cluster.leaves():
        ends = await cluster.log.table_rows(leaf.table, leaf.version, leaf.version)
        if [(row.round, row.hash.hex()) for row in ends] != [(leaf.round, leaf.head)]:
            raise Failed(f"what was sealed is not what the log has: {leaf}")


async def _digest(cluster: Cluster) -> str:
    digest = hashlib.sha256()
    for partition in range(PARTITIONS):
        async for batch in cluster.log.partition_rows(partition):
            for stored in batch:
                digest.update(stored.row.hash)
    return digest.hexdigest()
