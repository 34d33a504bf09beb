"""One command at a table, and what comes of it. Pure; the house's due commands up to `now` were decided before."""

from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

from shared.games.registry import GAMES
from shared.kernel import HOUSE, By, Command, Decision, Game, Moment
from shared.table import commands, preparing, refusals, seating
from shared.table.house import decide_house, decide_operator, decide_scoring
from shared.table.preparing import prepared
from shared.table.record import Sender
from shared.table.state import State

SCORING = "scoring"
OPERATOR = "ops:"


def decide(state: State | None, by: Sender | str, command: Command, now: Moment, meant: int | None = None) -> Decision:
    """`by`: a player (with the seat they have, see `seat_of`), "house", "scoring" or "ops:<id>"; `meant`: their round.

    The decision () is an acceptance that changes nothing and is no record: a player connected already, a second Award.
    """
    if state is None:
        first = isinstance(by, Sender) and isinstance(command, commands.CreateTable)
        return seating.create(by, command) if first else refusals.NOT_YOURS  # type: ignore[arg-type]
    if state.phase == "closed":
        return refusals.CLOSED
    if type(by) is not Sender:
        return _decide_service(state, str(by), command, now)
    if state.phase == "stopped":
        return refusals.STOPPED
    route = _routes(state.game).get(type(command))
    if route is None:
        return refusals.NOT_YOURS
    if meant is not None and meant != state.table.round and not _just_awarded(state, route, meant):
        return refusals.WRONG_ROUND
    if route.who is Who.SEATED:
        if by.seat is None:
            return refusals.NOT_SEATED
    elif route.who is Who.HOST and by.player != state.host.player:
        return refusals.NOT_SEATED if by.seat is None else refusals.NOT_HOST
    return route.run(state, by, command, now)


def _decide_service(state: State, by: str, command: Command, now: Moment) -> Decision:
    if by.startswith(OPERATOR):
        return decide_operator(state, command, now)
    if state.phase == "stopped":
        return refusals.STOPPED
    return decide_house(state, command, now) if by == HOUSE else decide_scoring(state, command, now)


def _just_awarded(state: State, route: "Route", meant: int) -> bool:
    """A playing command for the round just awarded is `round_over` and not `wrong_round` (T-ID-1)."""
    return route.run is _play and state.play is None and state.stop is not None and meant == state.table.round - 1


class Who(Enum):
    """Whom a command is for."""

    ANYONE = 0
    SEATED = 1
    HOST = 2


class Route(NamedTuple):
    """Who may send a command, and what decides it."""

    who: Who
    run: Callable[[State, Sender, Any, Moment], Decision]


def _play(state: State, by: Sender, command: Command, now: Moment) -> Decision:
    if state.phase != "playing":
        return refusals.not_open(state, now)
    return GAMES[state.game].decide(state.table, state.play, _by(by), command, now)


def _pick(state: State, by: Sender, command: Command, now: Moment) -> Decision:
    """A command of the game that belongs to the preparation."""
    if not prepared(state):
        return refusals.NOT_PREPARING
    return GAMES[state.game].decide(state.table, state.play, _by(by), command, now)


def _by(by: Sender) -> By:
    """A host without a seat has only commands in which the sender does not count."""
    return HOUSE if by.seat is None else by.seat


_TABLE: dict[type[Command], Route] = {
    commands.Sit: Route(Who.ANYONE, seating.sit),
    commands.Leave: Route(Who.SEATED, seating.leave),
    commands.AddBot: Route(Who.HOST, seating.add_bot),
    commands.RemoveBot: Route(Who.HOST, seating.remove_bot),
    commands.FreeSeat: Route(Who.HOST, seating.free_seat),
    commands.StartGame: Route(Who.HOST, seating.start_game),
    commands.NewGame: Route(Who.HOST, seating.new_game),
    commands.EndBreak: Route(Who.HOST, seating.end_break),
    commands.CommitEntropy: Route(Who.SEATED, preparing.commit_entropy),
    commands.Ready: Route(Who.SEATED, preparing.ready),
}
_ROUTES: dict[str, dict[type[Command], Route]] = {}


def _routes(name: str) -> dict[type[Command], Route]:
    routes = _ROUTES.get(name)
    if routes is None:
        routes = _ROUTES[name] = _TABLE | _game_routes(GAMES[name])
    return routes


def _game_routes(game: Game) -> dict[type[Command], Route]:
    return {
        kind: Route(
            Who.HOST if kind in game.host_commands else Who.SEATED, _pick if kind in game.preparing_commands else _play
        )
        for kind in game.commands
    }
