"""What happens to a cluster, drawn by chance: deaths, departures, cut cables, stalls, outages. Then it heals."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from tests.simulation.cluster import ROLES, Cluster

PAUSE_SECONDS = (0.1, 4.0)
CUT_SECONDS = (0.3, 7.0)
OUTAGE_SECONDS = (0.2, 3.0)
ALL = {"table": 2, "scoring": 2, "bots": 2}


class Storm:
    """Blows over one cluster. `tell` gets what happens, for whoever looks for a fault."""

    def __init__(self, cluster: Cluster, tell: Callable[[str], None]) -> None:
        self._cluster, self._tell = cluster, tell
        self._chance = cluster.weather.chance

    async def blow(self, seconds: float) -> None:
        """For that long, from two sides; afterwards all is well again."""
        self._cluster.weather.stormy = True
        until = asyncio.get_running_loop().time() + seconds
        async with asyncio.TaskGroup() as sides:
            sides.create_task(self._side(until, (self._death, self._death, self._departure)))
            sides.create_task(self._side(until, (self._cut, self._stall, self._outage)))
        self.heal()

    async def _side(self, until: float, blows: Sequence[Callable[[], Awaitable[None]]]) -> None:
        while asyncio.get_running_loop().time() < until:
            await asyncio.sleep(self._chance.uniform(*PAUSE_SECONDS))
            await self._chance.choice(blows)()
            self._cluster.check()

    def heal(self) -> None:
        """Two of each run, everyone is connected, the database answers."""
        cluster = self._cluster
        cluster.weather.stormy = cluster.weather.database_down = False
        cluster.weather.stalled.clear()
        for each in cluster.running.values():
            each.bus.heal()
        for role in ROLES:
            while self._number(role) < ALL[role]:
                cluster.start(role)
        self._tell("healed")

    async def _death(self) -> None:
        await self._lose("kill", self._cluster.kill)

    async def _departure(self) -> None:
        await self._lose("leave", self._cluster.leave)

    async def _lose(self, how: str, lose: Callable[[str], Awaitable[None]]) -> None:
        name = self._chance.choice(list(self._cluster.running))
        role = self._cluster.running[name].role
        self._tell(f"{how} {name}")
        await lose(name)
        if self._number(role) == 0 or self._chance.random() < 0.7:
            self._cluster.start(role)

    async def _cut(self) -> None:
        name = self._chance.choice(list(self._cluster.running))
        bus = self._cluster.running[name].bus
        self._tell(f"cut {name}")
        bus.cut()
        await asyncio.sleep(self._chance.uniform(*CUT_SECONDS))
        bus.heal()

    async def _stall(self) -> None:
        """One service's way to the database is stuck: it comes back as the zombie of what it was."""
        name, seconds = self._chance.choice(list(self._cluster.running)), self._chance.uniform(*CUT_SECONDS)
        self._tell(f"stall {name}")
        self._cluster.weather.stalled[name] = asyncio.get_running_loop().time() + seconds
        await asyncio.sleep(seconds)

    async def _outage(self) -> None:
        self._tell("the database is down")
        self._cluster.weather.database_down = True
        await asyncio.sleep(self._chance.uniform(*OUTAGE_SECONDS))
        self._cluster.weather.database_down = False

    def _number(self, role: str) -> int:
        return sum(each.role == role for each in self._cluster.running.values())
