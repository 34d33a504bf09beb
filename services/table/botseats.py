"""Gives each bot seat of a table to a bots service that lives, and to another when that one falls silent."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import structlog

from services.table.listeners import Listeners
from services.table.presence import Presence
from shared.bus import subjects
from shared.bus.port import Bus
from shared.table.botnames import bot_names
from shared.table.state import State
from shared.wire.messages import Seats, encode

if TYPE_CHECKING:
    from services.table.keeper import Keeper

CONFIRM_MICROS = 3_000_000
"""So long after a seat was given the bots service may take to say that it holds it."""
PLAYED = frozenset(("seating", "preparing", "playing", "scoring", "break", "over"))

_log = structlog.get_logger()

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


class Seating:
    """The bot seats of all tables of a process: who is told to play which."""

    def __init__(self, bus: Bus, listeners: Listeners, monotonic: Callable[[], int]) -> None:
        """`monotonic` gives µs."""
        self._bus, self._listeners, self._monotonic = bus, listeners, monotonic

    def settle(self, keeper: "Keeper") -> None:
        """Give each bot seat of a table to a bots service that lives, and each bot its name."""
        state = keeper.committed
        if state is None:
            return
        bots = [seat.player for seat in state.table.seats if seat.bot is not None and seat.player is not None]
        keeper.names.update(bot_names(bots, keeper.names))
        now = self._monotonic()
        for home, _ in keeper.bots.settle(keeper.id, state, keeper.presence, self._listeners, now, self._tell):
            _log.debug("bot seat given", table=keeper.id, bots=home)

    def _tell(self, home: str, seats: Seats) -> None:
        self._bus.publish(subjects.to(home, "seats"), encode(seats))
