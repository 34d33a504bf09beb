"""How seats, presence and the host's rights change: the part of the fold that keeps them in step with each other."""

from msgspec.structs import replace

from shared.kernel import Moment, Seat
from shared.table import events as e
from shared.table.state import Host, State, somebody

_EMPTY = Seat()


def seated(state: State, number: int, seat: Seat, now: Moment) -> State:
    """Somebody else, or nobody, sits there now."""
    takings = state.takings
    taken = (*takings[:number], now if seat.player else None, *takings[number + 1 :])
    return _with_seats(replace(state, takings=taken), _put(state.table.seats, number, seat), now)


def reseated(state: State, event: e.SeatTaken, now: Moment) -> State:
    """Sitting down counts as connected (T-PRES-1). Who moves takes along what they said (Ready in a break)."""
    said = False
    if event.moved_from is not None:
        said = state.ready[event.moved_from]
        state = seated(_ready(state, event.moved_from, False), event.moved_from, _EMPTY, now)
    if state.host.player == event.player:
        state = replace(state, host=_host(state, event.player, True, now))
    seat = Seat(event.player, connected=True, since=now.at)
    return seated(_ready(state, event.seat, said), event.seat, seat, now)


def freed(state: State, event: e.SeatFreed, now: Moment) -> State:
    """A host who gives up their seat loses the host's rights to whoever is there (T-HOST-2)."""
    state = _host_left(_ready(state, event.seat, False), event.player, now)
    return seated(state, event.seat, _EMPTY, now)


def left(state: State, event: e.SeatLeft, now: Moment) -> State:
    """From now on this player counts as not seated and disconnected (T-SEAT-2)."""
    seat = replace(state.table.seats[event.seat], connected=False, since=now.at, left=True)
    return _with_seats(_host_left(state, event.player, now), _put(state.table.seats, event.seat, seat), now)


def present(state: State, player: str, number: int | None, connected: bool, now: Moment) -> State:
    """A seated player or the host is there, or gone."""
    if player == state.host.player:
        state = replace(state, host=_host(state, player, connected, now))
    if number is None:
        return state
    seat = replace(state.table.seats[number], connected=connected, since=now.at)
    return _with_seats(state, _put(state.table.seats, number, seat), now)


def host_passed(state: State, event: e.HostPassed, now: Moment) -> State:
    """The new host is a connected human."""
    since = state.table.seats[event.seat].since
    return _with_seats(replace(state, host=Host(event.player, True, since)), state.table.seats, now)


def _host(state: State, player: str, connected: bool, now: Moment) -> Host:
    since = state.host.since if state.host.connected == connected else now.at
    return Host(player, connected, since)


def _host_left(state: State, player: str, now: Moment) -> State:
    host = state.host
    if host.player != player:
        return state
    return replace(state, host=Host(player, False, now.at if host.connected else host.since, left=True))


def _with_seats(state: State, seats: tuple[Seat, ...], now: Moment) -> State:
    """Where the host sits and since when nobody is there follow from the seats."""
    player = state.host.player
    host_seat = next((n for n, seat in enumerate(seats) if seat.player == player and not seat.left), None)
    had_human = state.had_human or any(seat.human for seat in seats)
    gone = state.alone_since if state.alone_since is not None else now.at
    return replace(
        state,
        table=replace(state.table, seats=seats, host_seat=host_seat),
        had_human=had_human,
        alone_since=gone if had_human and not somebody(seats) else None,
    )


def _put(seats: tuple[Seat, ...], number: int, seat: Seat) -> tuple[Seat, ...]:
    return (*seats[:number], seat, *seats[number + 1 :])


def _ready(state: State, number: int, said: bool) -> State:
    ready = state.ready
    return state if ready[number] == said else replace(state, ready=(*ready[:number], said, *ready[number + 1 :]))
