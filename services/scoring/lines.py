"""What one record changes in lobby, history and results: pure, from the states before and after it."""

from msgspec import structs

from services.scoring.port import Result, RoundLine, TableLine
from shared.eventlog.port import StoredRow
from shared.kernel import Game
from shared.table import events
from shared.table.state import State


def table_line(partition: int, state: State) -> TableLine:
    """The table as the lobby shows it now."""
    seats = state.table.seats
    return TableLine(
        table_id=state.table.id,
        partition=partition,
        game=state.game,
        seats=len(seats),
        taken=sum(seat.player is not None for seat in seats),
        bots=sum(seat.bot is not None for seat in seats),
        phase=state.phase,
        private=state.private,
        host=state.host.player,
        players=_people(state),
        round=state.table.round,
        at=state.created_at,
        changed=state.at,
    )


def shows(before: State | None, after: State) -> bool:
    """Whether the lobby may look otherwise after this record than before it."""
    return (
        before is None
        or before.phase != after.phase
        or before.table.seats is not after.table.seats
        or before.host.player != after.host.player
        or before.table.round != after.table.round
    )


def round_line(
    line: RoundLine | None, stored: StoredRow, happened: tuple[object, ...], after: State
) -> RoundLine | None:
    """The round's line after a record and its events; unchanged (the same object) by most."""
    for event in happened:
        match event:
            case events.RoundPrepared():
                line = _prepared(stored, after)
            case events.RoundOpened() if line is not None:
                line = structs.replace(line, players=_people(after))
            case events.RoundAwarded(points=points) if line is not None:
                line = _awarded(line, stored, points)
            case events.TableStopped() if line is not None:
                line = structs.replace(line, verified=False)
            case _:
                pass
    stop = after.stop
    if line is not None and stop is not None and line.stopped is None and line.round == stored.row.round:
        by = stop.by if isinstance(stop.by, int) else None
        return structs.replace(line, stopped=stop.at, how=stop.how, by=by)
    return line


def result(game: Game, stored: StoredRow, happened: tuple[object, ...], before: State, after: State) -> Result | None:
    """The finished game, if this record ended one. Who left its last round has played it all the same."""
    winners = next((event.winners for event in happened if isinstance(event, events.RoundAwarded)), None)
    if winners is None:
        return None
    seats, sides = before.table.seats, game.sides(len(before.table.seats))
    people = [(number % sides, seat.player) for number, seat in enumerate(seats) if seat.bot is None and seat.player]
    return Result(
        table_id=stored.row.table_id,
        round=stored.row.round,
        game=game.name,
        at=stored.row.at,
        sides=tuple(tuple(player for side, player in people if side == index) for index in range(sides)),
        points=after.table.points,
        winners=winners,
    )


def _people(state: State) -> tuple[str, ...]:
    return tuple(seat.player for seat in state.table.seats if seat.human and seat.player is not None)


def _prepared(stored: StoredRow, after: State) -> RoundLine:
    return RoundLine(
        table_id=stored.row.table_id,
        round=stored.row.round,
        partition=stored.partition,
        first_version=after.first_version,
        started=stored.row.at,
    )


def _awarded(line: RoundLine, stored: StoredRow, points: tuple[int, ...]) -> RoundLine:
    return structs.replace(
        line,
        points=points,
        verified=True,
        awarded_at=stored.row.at,
        last_version=stored.row.version,
        head=stored.row.hash.hex(),
        position=stored.position,
    )
