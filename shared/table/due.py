"""What the house has to do at a table, and when: deadlines in order (T-LATE-2), and what lateness makes of them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from shared.games.registry import GAMES
from shared.kernel import Command, Deadline, Order
from shared.table.commands import Close, EndBreak, FreeAbsent, Open, PassHost, Prepare, Resumed
from shared.table.state import (
    ALONE_US,
    BOTS_OVER_US,
    HOST_AWAY_US,
    LATE_US,
    SEAT_AWAY_US,
    SEATING_US,
    Phase,
    State,
    all_ready,
    heir,
)

_QUIET: frozenset[Phase] = frozenset(("scoring", "stopped", "closed"))
"""The phases without a deadline (T-AWARD-1, T-STOP-1)."""

AT_ONCE = 0
_PREPARE = Deadline(AT_ONCE, Order.OTHER, Prepare())


class Step(NamedTuple):
    """What the house does next, at its time. Hand `late` in again with the next question (T-LATE-1)."""

    at: int
    command: Command
    late: tuple[Command, ...] = ()


def next_due(state: State) -> int | None:
    """When to look again; the same as `state.next_due`, which the fold keeps."""
    return _earliest(_running(state), state.at)


def next_due_in_round(state: State, play: object, at: int) -> int | None:
    """The same for a state that differs by `play` and `at`: this is asked after every move, and must be cheap."""
    if state.phase != "playing" or state.sleeping or not state.host.connected or state.alone_since is not None:
        return next_due(replace(state, play=play, at=at))
    return _earliest(GAMES[state.game].deadlines(state.table, play), at)


def _earliest(due: Sequence[Deadline], at: int) -> int | None:
    if not due:
        return None
    first = due[0].at
    for deadline in due:
        if deadline.at < first:
            first = deadline.at
    return first if first > at else at


def deadlines(state: State) -> tuple[Deadline, ...]:
    """Everything due, first things first. None lies before the last record: what was due then is due at once."""
    at = state.at
    return tuple(sorted((d if d.at >= at else replace(d, at=at) for d in _running(state)), key=_rank))


def next_house(state: State, found: int, late: tuple[Command, ...] = ()) -> Step | None:
    """The house's next command of those due at `found`, or None; ask again with the state after it and `step.late`.

    More than 2 s late, what keeps its own time is decided first, each kind once; then comes Resumed at `found`, and
    then the rest at that time. Prepare comes without its chance: the caller fills in 32 random bytes.
    """
    if not late and (state.next_due is None or state.next_due > found):
        return None
    due = [deadline for deadline in deadlines(state) if deadline.at <= found]
    if not late and due[0].at >= found - LATE_US:
        return Step(due[0].at, due[0].command)
    kinds = {type(command) for command in late}
    for deadline in due:
        if deadline.own_time and type(deadline.command) not in kinds:
            return Step(deadline.at, deadline.command, (*late, deadline.command))
    return Step(found, Resumed(state.at, found))


def _rank(deadline: Deadline) -> tuple[int, int, int]:
    return deadline.at, deadline.order, deadline.seat


def _running(state: State) -> list[Deadline]:
    """In no order, and with their own times."""
    phase = state.phase
    if phase in _QUIET:
        return []
    if phase == "playing":
        due = [] if state.sleeping else list(GAMES[state.game].deadlines(state.table, state.play))
    else:
        due = list(_between(state))
    if not state.host.connected and (passes := _host_passes(state)) is not None:
        due.append(Deadline(passes, Order.HOST, PassHost()))
    if state.alone_since is not None:
        due.append(Deadline(state.alone_since + ALONE_US, Order.CLOSING, Close("alone")))
    return due


def _between(state: State) -> Iterator[Deadline]:
    """What is due when no round is open."""
    if state.phase == "preparing":
        yield _opening(state)
    elif state.phase == "break":
        if state.deadline is not None:
            yield Deadline(state.deadline, Order.END_OF_BREAK, EndBreak())
    elif state.phase == "over":
        if not state.had_human and state.awarded_at is not None:
            yield Deadline(state.awarded_at + BOTS_OVER_US, Order.CLOSING, Close("finished"))
    else:
        yield Deadline(state.created_at + SEATING_US, Order.CLOSING, Close("seating"))
        yield from _absent(state)


def _opening(state: State) -> Deadline:
    """The preparation itself, or its end: at once when nobody is waited for (T-PREP-1)."""
    if state.house is None or state.deadline is None:
        return _PREPARE
    return Deadline(AT_ONCE if all_ready(state) else state.deadline, Order.OPENING, Open())


def _absent(state: State) -> Iterator[Deadline]:
    """Seats that nobody comes back to (T-SEAT-3)."""
    for number, seat in enumerate(state.table.seats):
        if seat.human and not seat.connected:
            yield Deadline(seat.since + SEAT_AWAY_US, Order.FREE_SEAT, FreeAbsent(number), seat=number)


def _host_passes(state: State) -> int | None:
    """When the host has been gone long enough and there is somebody to take over (T-HOST-2)."""
    if heir(state) is None:
        return None
    host, seats = state.host, state.table.seats
    first = min(seat.since for seat in seats if seat.present and seat.player != host.player)
    return max(host.since + (0 if host.left else HOST_AWAY_US), first)
