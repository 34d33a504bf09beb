"""Who sits where, and the start: what players and the host decide between rounds (T-SEAT, T-START)."""

import hashlib
from uuid import UUID

import msgspec

from shared.games.registry import GAMES
from shared.kernel import Decision, Moment, Refused
from shared.table import commands, refusals
from shared.table.events import (
    BotAdded,
    BreakEnded,
    GameStarted,
    SeatFreed,
    SeatLeft,
    SeatTaken,
    TableCreated,
    TableWoke,
)
from shared.table.record import Sender
from shared.table.state import SEATS_OPEN, State


def create(by: Sender, command: commands.CreateTable) -> Decision:
    """The creator is host and sits in seat 0 unless they don't want to (T-HOST-1)."""
    game = GAMES.get(command.game)
    if game is None:
        return refusals.NO_SUCH_GAME
    if command.revision != game.revision:
        return refusals.BAD_REVISION
    if command.seats not in game.seat_counts:
        return refusals.BAD_SEAT_COUNT
    try:
        msgspec.json.decode(command.rules, type=game.rules)
    except msgspec.MsgspecError:
        return refusals.BAD_RULES
    created = TableCreated(
        command.table, game.name, game.revision, command.seats, command.rules, command.private, by.player
    )
    return (created, SeatTaken(0, by.player, None)) if command.sit else (created,)


def sit(state: State, by: Sender, command: commands.Sit, now: Moment) -> Decision:
    """Take a free seat, or move to it; who sits down at a sleeping table wakes it."""
    if state.phase not in SEATS_OPEN:
        return refusals.SEATS_CLOSED
    if by.seat is not None and command.seat in (None, by.seat):
        return refusals.ALREADY_SEATED
    seat = _free_seat(state, command.seat, now)
    if isinstance(seat, Refused):
        return seat
    taken = SeatTaken(seat, by.player, by.seat)
    return (taken, TableWoke()) if state.sleeping else (taken,)


def leave(state: State, by: Sender, command: commands.Leave, now: Moment) -> Decision:
    """Frees the seat at once, or at the end of the round that runs (T-SEAT-2)."""
    assert by.seat is not None, "the table checked it"
    freed = SeatFreed if state.phase in SEATS_OPEN else SeatLeft
    return (freed(by.seat, by.player),)


def add_bot(state: State, by: Sender, command: commands.AddBot, now: Moment) -> Decision:
    """A bot gets an id that is as random to look at as a person's, and follows from table and version."""
    if state.phase not in SEATS_OPEN:
        return refusals.SEATS_CLOSED
    levels = GAMES[state.game].bot.levels
    level = levels[len(levels) // 2] if command.level is None else command.level
    if level not in levels:
        return refusals.NO_SUCH_LEVEL
    seat = _free_seat(state, command.seat, now)
    if isinstance(seat, Refused):
        return seat
    return (BotAdded(seat, _bot_id(state.table.id, now.version), level),)


def remove_bot(state: State, by: Sender, command: commands.RemoveBot, now: Moment) -> Decision:
    """Frees a bot's seat."""
    player = _player_at(state, command.seat)
    if state.phase not in SEATS_OPEN:
        return refusals.SEATS_CLOSED
    if player is None:
        return refusals.NO_SUCH_SEAT
    if state.table.seats[command.seat].bot is None:
        return refusals.NOT_A_BOT
    return (SeatFreed(command.seat, player),)


def free_seat(state: State, by: Sender, command: commands.FreeSeat, now: Moment) -> Decision:
    """Frees anyone's seat but the host's own."""
    player = _player_at(state, command.seat)
    if state.phase not in SEATS_OPEN:
        return refusals.SEATS_CLOSED
    if player is None or player == by.player:
        return refusals.NO_SUCH_SEAT
    return (SeatFreed(command.seat, player),)


def start_game(state: State, by: Sender, command: commands.StartGame, now: Moment) -> Decision:
    """The first game, with every seat taken (T-START-1)."""
    if state.phase != "seating":
        return refusals.ALREADY_STARTED
    return _started(state)


def new_game(state: State, by: Sender, command: commands.NewGame, now: Moment) -> Decision:
    """Another game; a table of bots alone plays only one (T-IDLE-1)."""
    if state.phase != "over":
        return refusals.NOT_OVER
    return _started(state) if state.had_human else refusals.SEATS_CLOSED


def end_break(state: State, by: Sender, command: commands.EndBreak, now: Moment) -> Decision:
    """The host goes on (Q-TIME-2)."""
    return (BreakEnded(),) if state.phase == "break" else refusals.NOT_IN_BREAK


def _started(state: State) -> Decision:
    if any(seat.player is None for seat in state.table.seats):
        return refusals.SEATS_EMPTY
    return (GameStarted(),)


def _player_at(state: State, seat: int) -> str | None:
    seats = state.table.seats
    return seats[seat].player if 0 <= seat < len(seats) else None


def _free_seat(state: State, wanted: int | None, now: Moment) -> int | Refused:
    """The seat wanted, or the first free one."""
    seats = state.table.seats
    if wanted is None:
        free = (number for number, seat in enumerate(seats) if seat.player is None)
        first = next(free, None)
        return refusals.table_full(state, now) if first is None else first
    if not 0 <= wanted < len(seats):
        return refusals.NO_SUCH_SEAT
    return wanted if seats[wanted].player is None else refusals.seat_taken(state, wanted, now)


def _bot_id(table: str, version: int) -> str:
    digest = hashlib.sha256(b"quartet/bot/1\0" + table.encode() + version.to_bytes(8, "big")).digest()
    return str(UUID(bytes=digest[:16], version=4))
