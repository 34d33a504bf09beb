"""How many bot seats each host has, at whichever gateway: a bound on what one person can have played for them.

Scoring's index of tables says how many there are; what a table accepted through here counts at once, for the index is
a moment behind.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from shared.eventlog.port import Unreachable
from shared.kernel import Command
from shared.wire.courier import Outcome

ADDS = "AddBot"
COUNTED = frozenset({ADDS, "RemoveBot"})
"""The commands that are looked at here, by name. Who frees a bot's seat (or a human's) waits for the index."""
SETTLED_SECONDS = 3.0
"""So long after a change of a host's through here the index is believed to have it."""
HOSTS_MAX = 10_000
IDS_MAX = 100
_ACCEPTED = b'"accepted":true'


@dataclass(slots=True)
class Host:
    """What is known of one host: when it was read from the index, and when it last changed through here.

    `asked` are the ids of commands that add and have no verdict yet, `counted` of those whose verdict was counted.
    """

    seats: int = 0
    read_at: float = float("-inf")
    changed_at: float = float("-inf")
    asked: set[str] = field(default_factory=set)
    counted: set[str] = field(default_factory=set)


class BotSeats:
    """`read` asks the index. Hosts in `unbounded` may have as many as they like."""

    def __init__(self, most: int, clock: Callable[[], float], read: Callable[[str], Awaitable[int]]) -> None:
        self._most = most
        self._clock = clock
        self._read = read
        self._hosts: OrderedDict[str, Host] = OrderedDict()
        self._reading: dict[str, asyncio.Task[None]] = {}
        self.unbounded: set[str] = set()

    def full(self, player: str, command: Command, id: str) -> bool:
        """Whether this command would be one bot too many; the same once more is not (T-ID-1)."""
        if type(command).__name__ != ADDS or player in self.unbounded:
            return False
        self.look_soon(player)
        host = self._host(player)
        return host.seats + len(host.asked) >= self._most and id not in host.asked | host.counted

    def sent(self, player: str, command: Command, id: str) -> None:
        """One of COUNTED is on its way."""
        if type(command).__name__ == ADDS:
            self._host(player).asked.add(id)

    def counted(self, player: str, command: Command, id: str, outcome: Outcome) -> Outcome:
        """The outcome of one of COUNTED, counted if it is accepted, and once however often it is sent."""
        change = 1 if type(command).__name__ == ADDS else -1

        def count(verdict: bytes | None) -> None:
            host = self._host(player)
            host.asked.discard(id)
            if verdict is not None and _ACCEPTED in verdict and id not in host.counted:
                self._count(host, id, change)
            outcome(verdict)

        return count

    async def look(self, player: str, command: Command) -> None:
        """Before a command that adds a bot: what other gateways and earlier days added counts too."""
        if type(command).__name__ == ADDS:
            await self._look(player)

    def look_soon(self, player: str) -> None:
        """The same for one who can't wait: it counts from the next command on."""
        if self._stale(player) and player not in self._reading:
            task = self._reading[player] = asyncio.create_task(self._look(player))
            task.add_done_callback(lambda _: self._reading.pop(player, None))

    async def _look(self, player: str) -> None:
        if not self._stale(player):
            return
        began = self._clock()
        try:
            seats = await self._read(player)
        except Unreachable:
            return
        host = self._host(player)
        if host.changed_at < began - SETTLED_SECONDS:
            host.seats, host.read_at = seats, began

    def _count(self, host: Host, id: str, change: int) -> None:
        if len(host.counted) < IDS_MAX:
            host.counted.add(id)
        elif change < 0:
            return  # it may have been counted: the index will tell
        host.seats, host.changed_at = max(0, host.seats + change), self._clock()

    def _stale(self, player: str) -> bool:
        host, now = self._host(player), self._clock()
        return now - max(host.read_at, host.changed_at) > SETTLED_SECONDS

    def _host(self, player: str) -> Host:
        host = self._hosts.setdefault(player, Host())
        self._hosts.move_to_end(player)
        if len(self._hosts) > HOSTS_MAX:
            self._hosts.popitem(last=False)
        return host
