"""A table as of one record: what the fold of its log gives, secrets included, and nothing a clock or a socket knows."""

from typing import Literal

from msgspec import Struct

from shared.kernel import SECOND, Moment, Seat, Stop, Table

Phase = Literal["seating", "preparing", "playing", "scoring", "break", "over", "stopped", "closed"]

SEATS_OPEN: frozenset[Phase] = frozenset(("seating", "break", "over"))
"""T-SEAT-1: the phases in which seats change hands."""

HOST_AWAY_US = 20 * SECOND
SEAT_AWAY_US = 60 * SECOND
ALONE_US = 30 * 60 * SECOND
SEATING_US = 2 * 3600 * SECOND
BOTS_OVER_US = 10 * 60 * SECOND
LATE_US = 2 * SECOND


class Host(Struct, frozen=True):
    """Who has the host's rights, seated or not. `since`: when `connected` last changed; `left`: gave up their seat."""

    player: str
    connected: bool
    since: int
    left: bool = False


class State(Struct, frozen=True, kw_only=True, gc=False):
    """Right after an Award (or StartGame) this is the boundary of two rounds: then all below `preparation` is empty."""

    table: Table
    version: int
    at: int
    next_due: int | None
    phase: Phase
    play: object | None = None
    stop: Stop | None = None
    refusals: tuple[int, ...]
    """Recorded refusals of each seat in this round (T-LIMIT-1)."""

    game: str
    revision: int
    rules: Struct
    private: bool
    host: Host
    created_at: int
    first_version: int
    """Of this round; `last_first_version` of the one before it."""
    last_first_version: int

    takings: tuple[Moment | None, ...]
    """When each seat was last taken: what a race for it was lost to."""
    lost_races: int = 0
    """Recorded seat races that players without a seat lost (T-LIMIT-1)."""
    had_human: bool = False
    alone_since: int | None = None
    """When the last connected human went; None while there is one, and before the first."""
    reason: str | None = None

    deadline: int | None = None
    """When the preparation or the break is over."""
    sleeping: bool = False
    carry: object | None = None
    winners: tuple[int, ...] | None = None
    awarded_at: int | None = None
    last_round: dict[str, object] | None = None
    ready: tuple[bool, ...]

    # preparation
    house: bytes | None = None
    commitment: str | None = None
    hashes: tuple[str | None, ...] = ()
    entropy: tuple[bytes | None, ...] = ()
    commitments_closed: bool = False


def seat_of(state: State, player: str) -> int | None:
    """The seat a player has; one who left a running round has none (T-SEAT-2)."""
    for number, seat in enumerate(state.table.seats):
        if seat.player == player:
            return None if seat.left else number
    return None


def somebody(seats: tuple[Seat, ...]) -> bool:
    """Whether a connected human sits there."""
    for seat in seats:  # noqa: SIM110 - a loop is twice as fast as any()
        if seat.connected and seat.player is not None and seat.bot is None:
            return True
    return False


def waits_for(state: State, seat: int) -> bool:
    """Whether the opening waits for this seat: bots and empty seats are ready at once (T-PREP-1)."""
    place = state.table.seats[seat]
    return place.player is not None and place.bot is None and not state.ready[seat]


def all_ready(state: State) -> bool:
    """Whether nobody is waited for any more."""
    return not any(waits_for(state, seat) for seat in range(len(state.ready)))


def is_boundary(state: State) -> bool:
    """Whether the next record, whatever it is, is the first of a round."""
    return state.first_version == state.version + 1


def heir(state: State) -> int | None:
    """Who would be host next: the lowest seat of a connected human who is not the host (T-HOST-2)."""
    for number, seat in enumerate(state.table.seats):
        if seat.present and seat.player != state.host.player:
            return number
    return None
