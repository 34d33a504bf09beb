"""Which of the table's commands a player could send now: never one that would be refused for what they can know."""

from collections.abc import Iterator

from shared.table.preparing import prepared
from shared.table.state import SEATS_OPEN, State, seat_of


def can(state: State, player: str) -> list[str]:
    """Type names of table commands; also for a host, or anyone, without a seat."""
    if state.phase in ("stopped", "closed"):
        return []
    return [*_seating(state, player), *_hosting(state, player), *_preparing(state, player)]


def _seating(state: State, player: str) -> Iterator[str]:
    if state.phase in SEATS_OPEN and _has_free(state):
        yield "Sit"
    if seat_of(state, player) is not None:
        yield "Leave"


def _hosting(state: State, player: str) -> Iterator[str]:
    if player != state.host.player or state.phase not in SEATS_OPEN:
        return
    seats = state.table.seats
    if _has_free(state):
        yield "AddBot"
    if any(seat.bot for seat in seats):
        yield "RemoveBot"
    if any(seat.player not in (None, player) for seat in seats):
        yield "FreeSeat"
    if state.phase == "break":
        yield "EndBreak"
    elif not _has_free(state):
        if state.phase == "seating":
            yield "StartGame"
        elif state.had_human:
            yield "NewGame"


def _preparing(state: State, player: str) -> Iterator[str]:
    seat = seat_of(state, player)
    if seat is None or state.table.seats[seat].bot is not None:
        return
    if prepared(state) and not state.commitments_closed and state.hashes[seat] is None:
        yield "CommitEntropy"
    if (prepared(state) or state.phase == "break") and not state.ready[seat]:
        yield "Ready"


def _has_free(state: State) -> bool:
    return any(seat.player is None for seat in state.table.seats)
