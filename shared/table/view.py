"""What everyone sees of a table, and what one seat sees besides: built from nothing, never by leaving something out."""

from collections.abc import Mapping
from typing import Any

from shared.games.registry import GAMES
from shared.kernel import Event, Game
from shared.table import events as e
from shared.table.can import can
from shared.table.preparing import prepared
from shared.table.record import Record
from shared.table.state import State, waits_for

View = dict[str, object]


def public(state: State, names: Mapping[str, str], watching: int) -> View:
    """What everyone sees. `names`: player -> name, of those who have one; `watching`: how many without a seat."""
    game, table = GAMES[state.game], state.table
    shown = state.last_round
    view: View = {
        "game": state.game,
        "seats": _seats(state, game, names),
        "phase": state.phase,
        "reason": state.reason,
        "round": table.round,
        "deadline": state.deadline,
        "commitment": state.commitment,
        "commitments": list(state.hashes),
        "points": list(table.points),
        "watching": watching,
        "last_round": shown,
        "revealed": shown["revealed"] if shown else None,
        "winners": list(state.winners or ()),
    }
    view |= game.public(table, state.rules, state.carry, state.play)
    if state.sleeping or state.phase not in ("preparing", "playing", "break"):
        view["deadline"] = None
    return view


def own(state: State, seat: int) -> View:
    """What this seat sees besides; `can`: the types of commands not refused for a reason the seat can know now."""
    game = GAMES[state.game]
    view: View = {"seat": seat, **game.own(state.table, state.play, seat)}
    player = state.table.seats[seat].player
    listed = view.get("can")
    playing = listed if isinstance(listed, list) else []
    view["can"] = [*(can(state, player) if player else ()), *playing]
    return view


def news(state: State, record: Record[Any, Any], seat: int | None) -> list[View]:
    """The headlines of a record for one seat or (None) the watchers, with the state after it; [] for a refusal."""
    events = record.events or ()
    return [shown for event in events if (shown := _headline(state, event, seat)) is not None]


def _seats(state: State, game: Game, names: Mapping[str, str]) -> list[View]:
    """Bots and empty seats are ready at once in a preparation (T-PREP-1)."""
    table, play, host = state.table, state.play, state.host.player
    preparing, seat_view = prepared(state), game.seat_view
    return [
        {
            "player": seat.player,
            "name": names.get(seat.player) if seat.player else None,
            "bot": seat.bot,
            "connected": seat.connected,
            "host": seat.player is not None and seat.player == host,
            "left": seat.left,
            "ready": not waits_for(state, number) if preparing else state.ready[number],
            **seat_view(table, play, number),
        }
        for number, seat in enumerate(table.seats)
    ]


def _headline(state: State, event: Event, seat: int | None) -> View | None:
    shown = _SHOWN.get(type(event))
    if shown is None:
        return GAMES[state.game].news(state.table, event, seat)
    return {"type": type(event).__name__} | {name: getattr(event, name) for name in shown}


_SHOWN: dict[type[Event], tuple[str, ...]] = {
    e.TableCreated: (),
    e.SeatTaken: ("seat", "moved_from"),
    e.BotAdded: ("seat", "level"),
    e.SeatFreed: ("seat",),
    e.SeatLeft: ("seat",),
    e.PlayerConnected: ("seat",),
    e.PlayerDisconnected: ("seat",),
    e.HostPassed: ("seat",),
    e.GameStarted: (),
    e.RoundPrepared: ("commitment",),
    e.EntropyCommitted: ("seat", "hash"),
    e.ReadySaid: ("seat",),
    e.RoundOpened: (),
    e.RoundAwarded: ("points", "winners"),
    e.BreakEnded: (),
    e.TableSlept: (),
    e.TableWoke: (),
    e.TableResumed: (),
    e.TableStopped: ("reason",),
    e.TableClosed: ("reason",),
}
"""What may be told of a table's event; not the house's bytes, the players' bytes or the key."""
