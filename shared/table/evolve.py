"""The fold: a table's state after a record. It never decides; an event that can't be is a crash."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from shared.games.registry import GAMES
from shared.kernel import Event, Moment, Seat, Table
from shared.table import events as e
from shared.table.between import award, prepare, start, stopped
from shared.table.due import next_due, next_due_in_round
from shared.table.places import freed, host_passed, left, present, reseated, seated
from shared.table.record import Record, Sender
from shared.table.state import Host, State


def fold(state: State | None, record: Record[Any, Any]) -> State:
    """The state after one record, refused or not."""
    now = Moment(record.n, record.at)
    happened = record.events
    if happened is None:
        assert state is not None, "a table begins with its creation"
        return _refused(state, record.by, now)
    if state is not None and type(happened[0]) not in _TABLE:
        return _played(state, happened, now)
    for event in happened:
        state = _applied(state, event, now)
    assert state is not None, "a record has a decision"
    return _stamped(state, now)


def evolve(state: State | None, event: Event, now: Moment) -> State:
    """The state after one event of a record; `fold` does the same for all of them, faster."""
    return _stamped(_applied(state, event, now), now)


def _stamped(state: State, now: Moment) -> State:
    state = replace(state, version=now.version, at=now.at)
    return replace(state, next_due=next_due(state))


def _refused(state: State, by: Sender | str, now: Moment) -> State:
    """A refusal changes nothing but version, time and its count (T-LIMIT-1). What is due at once stays so."""
    seat = by.seat if type(by) is Sender else None
    if seat is None:
        return replace(state, version=now.version, at=now.at, lost_races=state.lost_races + 1)
    counts = state.refusals
    counts = (*counts[:seat], counts[seat] + 1, *counts[seat + 1 :])
    return replace(state, version=now.version, at=now.at, refusals=counts)


def _played(state: State, happened: tuple[Event, ...], now: Moment) -> State:
    """A record of the game's events alone: the hot path, with as few copies as can be."""
    game, table, play = GAMES[state.game], state.table, state.play
    for event in happened:
        play = game.evolve(table, play, event, now)
    stop = game.stop(play)
    if stop is not None:
        return replace(stopped(state, play, stop), version=now.version, at=now.at, next_due=None)
    due = next_due_in_round(state, play, now.at)
    return replace(state, version=now.version, at=now.at, play=play, next_due=due)


def _applied(state: State | None, event: Event, now: Moment) -> State:
    if isinstance(event, e.TableCreated):
        assert state is None, "a table is created once"
        return _created(event, now)
    assert state is not None, "a table begins with its creation"
    run = _TABLE.get(type(event))
    return _game_event(state, event, now) if run is None else run(state, event, now)


def _game_event(state: State, event: Event, now: Moment) -> State:
    game = GAMES[state.game]
    play = game.evolve(state.table, state.play, event, now)
    stop = game.stop(play)
    return replace(state, play=play) if stop is None else stopped(state, play, stop)


def _created(event: e.TableCreated, now: Moment) -> State:
    game, nobody = GAMES[event.game], (None,) * event.seats
    return State(
        table=Table(event.table, (Seat(),) * event.seats, None, 0, (0,) * game.sides(event.seats)),
        version=0,
        at=now.at,
        next_due=None,
        phase="seating",
        refusals=(0,) * event.seats,
        game=event.game,
        revision=event.revision,
        rules=msgspec.json.decode(event.rules, type=game.rules),
        private=event.private,
        host=Host(event.host, True, now.at),
        created_at=now.at,
        first_version=now.version,
        last_first_version=now.version,
        takings=nobody,
        ready=(False,) * event.seats,
        hashes=nobody,
        entropy=nobody,
    )


def _bot_added(state: State, event: e.BotAdded, now: Moment) -> State:
    return seated(state, event.seat, Seat(event.player, event.level, since=now.at), now)


def _connected(state: State, event: e.PlayerConnected, now: Moment) -> State:
    return present(state, event.player, event.seat, True, now)


def _disconnected(state: State, event: e.PlayerDisconnected, now: Moment) -> State:
    return present(state, event.player, event.seat, False, now)


def _committed(state: State, event: e.EntropyCommitted, now: Moment) -> State:
    return replace(state, hashes=_put(state.hashes, event.seat, event.hash))


def _ready(state: State, event: e.ReadySaid, now: Moment) -> State:
    """The first Ready in a preparation closes the commitments (T-CHANCE-1)."""
    brought = None if event.entropy is None else bytes.fromhex(event.entropy)
    return replace(
        state,
        ready=_put(state.ready, event.seat, True),
        entropy=_put(state.entropy, event.seat, brought),
        commitments_closed=state.phase == "preparing",
    )


def _put(values: tuple[Any, ...], place: int, value: object) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _opened(state: State, event: e.RoundOpened, now: Moment) -> State:
    table = replace(state.table, key=bytes.fromhex(event.key))
    return replace(state, table=table, phase="playing", deadline=None, ready=(False,) * len(state.ready))


def _break_ended(state: State, event: e.BreakEnded, now: Moment) -> State:
    nobody = (False,) * len(state.ready)
    return replace(state, phase="preparing", deadline=None, sleeping=False, ready=nobody)


def _slept(state: State, event: e.TableSlept, now: Moment) -> State:
    return replace(state, sleeping=True, deadline=None)


def _woke(state: State, event: e.TableWoke, now: Moment) -> State:
    """What was running begins anew (T-IDLE-1)."""
    game = GAMES[state.game]
    if state.phase == "playing":
        return replace(state, sleeping=False, play=game.wake(state.table, state.play, now))
    return replace(state, sleeping=False, deadline=now.at + game.break_us(state.rules))


def _resumed(state: State, event: e.TableResumed, now: Moment) -> State:
    """The table's own deadlines are never before its last record, so only the game has to be told (T-LATE-1)."""
    if state.phase != "playing" or state.sleeping:
        return state
    return replace(state, play=GAMES[state.game].resume(state.table, state.play, now))


def _halted(state: State, event: e.TableStopped, now: Moment) -> State:
    return replace(state, phase="stopped", reason=event.reason, deadline=None)


def _closed(state: State, event: e.TableClosed, now: Moment) -> State:
    return replace(state, phase="closed", reason=event.reason, deadline=None)


_TABLE: dict[type[Event], Callable[[State, Any, Moment], State]] = {
    e.SeatTaken: reseated,
    e.BotAdded: _bot_added,
    e.SeatFreed: freed,
    e.SeatLeft: left,
    e.PlayerConnected: _connected,
    e.PlayerDisconnected: _disconnected,
    e.HostPassed: host_passed,
    e.GameStarted: start,
    e.RoundPrepared: prepare,
    e.EntropyCommitted: _committed,
    e.ReadySaid: _ready,
    e.RoundOpened: _opened,
    e.RoundAwarded: award,
    e.BreakEnded: _break_ended,
    e.TableSlept: _slept,
    e.TableWoke: _woke,
    e.TableResumed: _resumed,
    e.TableStopped: _halted,
    e.TableClosed: _closed,
}
