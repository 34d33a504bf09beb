"""Gives each bot seat of a table to a bots service that lives, and to another when that one falls silent."""

from collections.abc import Callable

from services.table.listeners import Listeners
from services.table.presence import Presence
from shared.table.state import State
from shared.wire.messages import Seats

CONFIRM_MICROS = 3_000_000
"""So long after a seat was given the bots service may take to say that it holds it."""
PLAYED = frozenset(("seating", "preparing", "playing", "scoring", "break", "over"))

Tell = Callable[[str, Seats], None]


class BotSeats:
    """Which bots service plays which bot of one table."""

    __slots__ = ("_given",)

    def __init__(self) -> None:
        self._given: dict[str, tuple[str, int]] = {}

    def settle(
        self, table_id: str, state: State, presence: Presence, listeners: Listeners, now: int, tell: Tell
    ) -> list[tuple[str, str]]:
        """Give what nobody plays, take back what is no bot's seat any more; returns (bots service, bot) newly given."""
        bots = {
            seat.player: (number, seat.bot)
            for number, seat in enumerate(state.table.seats)
            if seat.player is not None and seat.bot is not None and state.phase in PLAYED
        }
        for player in self._given.keys() - bots.keys():
            home, _ = self._given.pop(player)
            tell(home, Seats(table_id, state.game, 0, player, "", play=False))
        new = []
        for player, (number, level) in bots.items():
            if not self._played(player, presence, listeners, now):
                home_now = listeners.for_a_bot()
                if home_now is not None:
                    self._given[player] = home_now, now
                    tell(home_now, Seats(table_id, state.game, number, player, level))
                    new.append((home_now, player))
        return new

    @property
    def any(self) -> bool:
        """Whether any seat is given."""
        return bool(self._given)

    def _played(self, player: str, presence: Presence, listeners: Listeners, now: int) -> bool:
        home, since = self._given.get(player, ("", 0))
        if not home:
            home = next((name for name in presence.gateways() if player in presence.players_at(name)), "")
            if home:
                self._given[player] = home, now
        if not listeners.lives(home):
            return False
        return player in presence.players_at(home) or now - since < CONFIRM_MICROS
