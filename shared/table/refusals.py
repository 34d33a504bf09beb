"""Refusals that the table itself gives; the games have their own. Their order: rulings, "Order of refusals, codes"."""

from shared.kernel import HOUSE, LostTo, Moment, Refused
from shared.table.state import State

CLOSED = Refused("closed")
STOPPED = Refused("stopped")
WRONG_ROUND = Refused("wrong_round")
NOT_SEATED = Refused("not_seated")
NOT_HOST = Refused("not_host")
SEATS_CLOSED = Refused("seats_closed")
ALREADY_SEATED = Refused("already_seated")
NO_SUCH_SEAT = Refused("no_such_seat")
NO_SUCH_LEVEL = Refused("no_such_level")
NOT_A_BOT = Refused("not_a_bot")
SEATS_EMPTY = Refused("seats_empty")
ALREADY_STARTED = Refused("already_started")
NOT_OVER = Refused("not_over")
NOT_IN_BREAK = Refused("not_in_break")
NOT_PREPARING = Refused("not_preparing")
ALREADY_READY = Refused("already_ready")
COMMITMENTS_CLOSED = Refused("commitments_closed")
ENTROPY_UNFIT = Refused("entropy_unfit")
ROUND_NOT_OPEN = Refused("round_not_open")
NO_SUCH_GAME = Refused("no_such_game")
BAD_REVISION = Refused("bad_revision")
BAD_SEAT_COUNT = Refused("bad_seat_count")
BAD_RULES = Refused("bad_rules")
NOT_YOURS = Refused("not_yours")
"""A command that this kind of sender can't send: only a forged record holds one."""
NOT_DUE = Refused("not_due")
"""A house command where nothing of the kind can be due: only a forged record holds one."""


def seat_taken(state: State, seat: int, now: Moment) -> Refused:
    """Somebody has the seat: who, and how much earlier they took it (T-SEAT-1)."""
    return Refused("seat_taken", _lost_to(state, seat, now))


def table_full(state: State, now: Moment) -> Refused:
    """No seat is free; lost to whoever took the last one."""
    takings = state.takings
    last = max(range(len(takings)), key=lambda seat: taken.version if (taken := takings[seat]) else 0)
    return Refused("table_full", _lost_to(state, last, now))


def not_open(state: State, now: Moment) -> Refused:
    """No round is open: there was none yet, or it was stopped, and by whom."""
    stop = state.stop
    if stop is None:
        return ROUND_NOT_OPEN
    why = stop.how if stop.by == HOUSE else None
    return Refused("round_over", LostTo(stop.version, stop.by, now.at - stop.at, why))


def _lost_to(state: State, seat: int, now: Moment) -> LostTo | None:
    taken = state.takings[seat]
    return LostTo(taken.version, seat, now.at - taken.at) if taken else None
