"""Whose presence a table's log tells of: seated persons and the host (T-PRES-1)."""

from shared.table.state import State, seat_of


def people(state: State) -> set[str]:
    """Who is connected or not, as far as the table cares."""
    seated = {seat.player for seat in state.table.seats if seat.player is not None and seat.human}
    return seated | {state.host.player}


def is_connected(state: State, player: str, unknown: bool) -> bool:
    """What the log says of a seated person or the host; of anyone else, bots too, it says nothing."""
    seat = seat_of(state, player)
    if seat is not None:
        place = state.table.seats[seat]
        return place.connected if place.human else unknown
    if state.host.player == player:
        return state.host.connected
    return unknown


def plays_bot(state: State, player: str) -> bool:
    """Whether this is one of the table's bots."""
    seat = seat_of(state, player)
    return seat is not None and state.table.seats[seat].bot is not None
