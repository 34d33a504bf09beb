"""How many bot seats each host has through this gateway: a bound on what one person can have played for them."""

from collections.abc import Callable

from shared.kernel import Command
from shared.wire.courier import Outcome

ADDS = "AddBot"
COUNTED = frozenset({ADDS, "RemoveBot", "FreeSeat"})
"""The commands that are looked at here, by name."""
FORGET_SECONDS = 2 * 3600
_ACCEPTED = b'"accepted":true'


class BotSeats:
    """Counts what tables accepted; a table that had no bot added for two hours is forgotten."""

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        self._most = most
        self._clock = clock
        self._seats: dict[str, dict[str, tuple[int, float]]] = {}

    def full(self, player: str, command: Command) -> bool:
        """Whether this command would be one bot too many."""
        if type(command).__name__ != ADDS:
            return False
        now = self._clock()
        mine = {table: seats for table, seats in self._seats.get(player, {}).items() if now - seats[1] < FORGET_SECONDS}
        self._seats[player] = mine
        if not mine:
            del self._seats[player]
        return sum(count for count, _ in mine.values()) >= self._most

    def counted(self, player: str, table: str, command: Command, outcome: Outcome) -> Outcome:
        """The outcome of one of COUNTED, counted if it is accepted."""
        change = 1 if type(command).__name__ == ADDS else -1

        def count(verdict: bytes | None) -> None:
            if verdict is not None and _ACCEPTED in verdict:
                self._add(player, table, change)
            outcome(verdict)

        return count

    def _add(self, player: str, table: str, change: int) -> None:
        tables = self._seats.setdefault(player, {})
        count, _ = tables.get(table, (0, 0.0))
        tables[table] = max(0, count + change), self._clock()
