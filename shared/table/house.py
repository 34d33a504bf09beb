"""What the house and scoring decide at a table: presence, preparation, opening, host's rights, sleep, the Award."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from shared.games.registry import GAMES
from shared.kernel import HOUSE, Command, Decision, Event, Moment, Table
from shared.shuffle import HOUSE_BYTES, commitment, round_key
from shared.table import commands, refusals
from shared.table.events import (
    BreakEnded,
    HostPassed,
    PlayerConnected,
    PlayerDisconnected,
    RoundAwarded,
    RoundOpened,
    RoundPrepared,
    SeatFreed,
    TableClosed,
    TableResumed,
    TableSlept,
    TableStopped,
    TableWoke,
)
from shared.table.preparing import prepared
from shared.table.state import State, heir, seat_of, somebody


def decide_house(state: State, command: Command, now: Moment) -> Decision:
    """A deadline, a fact about presence, or what the open round's game has due."""
    run = _HOUSE.get(type(command))
    return _played(state, command, now) if run is None else run(state, command, now)


def decide_scoring(state: State, command: Command, now: Moment) -> Decision:
    """Points for the stopped round, or that it does not verify."""
    run = _SCORING.get(type(command))
    return refusals.NOT_YOURS if run is None else run(state, command, now)


def decide_operator(state: State, command: Command, now: Moment) -> Decision:
    """An operator can close a table, nothing else."""
    return (TableClosed(command.reason),) if isinstance(command, commands.Close) else refusals.NOT_YOURS


def _played(state: State, command: Command, now: Moment) -> Decision:
    game = GAMES[state.game]
    if state.phase != "playing" or type(command) not in game.house_commands:
        return refusals.NOT_DUE
    if falls_asleep(state) and game.sleeps(command):
        return (TableSlept(),)
    return game.decide(state.table, state.play, HOUSE, command, now)


def falls_asleep(state: State) -> bool:
    """Nobody is connected at a table that has known a human (T-IDLE-1)."""
    return state.had_human and not somebody(state.table.seats)


def _connect(state: State, command: commands.Connect, now: Moment) -> Decision:
    seat = seat_of(state, command.player)
    if seat is None and command.player != state.host.player:
        return refusals.NOT_SEATED
    if _connected(state, seat):
        return ()
    connected = PlayerConnected(command.player, seat, command.cause)
    return (connected, TableWoke()) if state.sleeping and seat is not None else (connected,)


def _disconnect(state: State, command: commands.Disconnect, now: Moment) -> Decision:
    seat = seat_of(state, command.player)
    if seat is None and command.player != state.host.player:
        return refusals.NOT_SEATED
    return (PlayerDisconnected(command.player, seat, command.cause),) if _connected(state, seat) else ()


def _connected(state: State, seat: int | None) -> bool:
    return state.host.connected if seat is None else state.table.seats[seat].connected


def _prepare(state: State, command: commands.Prepare, now: Moment) -> Decision:
    if state.phase != "preparing" or state.house is not None or len(command.house) != 2 * HOUSE_BYTES:
        return refusals.NOT_DUE
    table, game = state.table, GAMES[state.game]
    public = commitment(bytes.fromhex(command.house), table.id, table.round).hex()
    return (RoundPrepared(command.house, public, now.at + game.prepare_us(state.rules)),)


def _open(state: State, command: commands.Open, now: Moment) -> Decision:
    if not prepared(state):
        return refusals.NOT_DUE
    assert state.house is not None, "prepared"
    table = state.table
    key = round_key(state.house, table.id, table.round, state.entropy)
    dealt = GAMES[state.game].open(replace(table, key=key), state.play, now)
    return (RoundOpened(key.hex()), *dealt)


def _pass_host(state: State, command: commands.PassHost, now: Moment) -> Decision:
    seat = heir(state)
    player = None if seat is None else state.table.seats[seat].player
    return refusals.NOT_DUE if seat is None or player is None else (HostPassed(player, seat),)


def _free_absent(state: State, command: commands.FreeAbsent, now: Moment) -> Decision:
    seats = state.table.seats
    player = seats[command.seat].player if 0 <= command.seat < len(seats) else None
    return refusals.NOT_DUE if state.phase != "seating" or player is None else (SeatFreed(command.seat, player),)


def _end_break(state: State, command: commands.EndBreak, now: Moment) -> Decision:
    if state.phase != "break":
        return refusals.NOT_DUE
    return (TableSlept(),) if falls_asleep(state) else (BreakEnded(),)


def _resumed(state: State, command: commands.Resumed, now: Moment) -> Decision:
    return (TableResumed(command.since, command.until),)


def _close(state: State, command: commands.Close, now: Moment) -> Decision:
    return (TableClosed(command.reason),)


def _award(state: State, command: commands.Award, now: Moment) -> Decision:
    """Only what the rules give; a second Award of the round just awarded is no record (T-AWARD-1)."""
    if state.phase != "scoring":
        repeated = state.awarded_at is not None and state.last_first_version <= command.version < state.first_version
        return () if repeated else refusals.ROUND_NOT_OPEN
    assert state.stop is not None, "scoring begins with a stop"
    if not state.stop.version <= command.version <= state.version:
        return refusals.ROUND_NOT_OPEN
    game, table = GAMES[state.game], state.table
    if command.points != game.award(table, state.play):
        return (TableStopped("the points awarded are not what the rules give"),)
    totals = tuple(a + b for a, b in zip(table.points, command.points, strict=True))
    winners = game.winners(state.rules, totals, state.play)
    deadline = now.at + game.break_us(state.rules) if winners is None else None
    return (RoundAwarded(command.points, winners, deadline), *_freed(table))


def _freed(table: Table) -> tuple[Event, ...]:
    """The seats of those who left the round (T-SEAT-2)."""
    left = ((number, seat.player) for number, seat in enumerate(table.seats) if seat.left)
    return tuple(SeatFreed(number, player) for number, player in left if player is not None)


def _stop(state: State, command: commands.Stop, now: Moment) -> Decision:
    return (TableStopped(command.reason),) if state.phase == "scoring" else refusals.ROUND_NOT_OPEN


_Run = Callable[[State, Any, Moment], Decision]

_HOUSE: dict[type[Command], _Run] = {
    commands.Connect: _connect,
    commands.Disconnect: _disconnect,
    commands.Prepare: _prepare,
    commands.Open: _open,
    commands.PassHost: _pass_host,
    commands.FreeAbsent: _free_absent,
    commands.EndBreak: _end_break,
    commands.Resumed: _resumed,
    commands.Close: _close,
}
_SCORING: dict[type[Command], _Run] = {commands.Award: _award, commands.Stop: _stop}
