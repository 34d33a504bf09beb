"""A round as a story: step by step what was recorded, by whom, what came of it, and the table as it was then."""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from shared.eventlog.port import Row
from shared.games.registry import GAMES
from shared.kernel import LostTo, Refused
from shared.replay import records
from shared.table.boundary import restore
from shared.table.codec import AnyRecord
from shared.table.evolve import fold
from shared.table.record import Sender
from shared.table.state import State, is_boundary

_SECRET_OR_LONG = frozenset(("house", "key", "rules", "commitment", "hands", "entropy", "hash", "head", "deadline"))


class Race(Struct, frozen=True):
    """What a refused command lost to: the winner's version, who sent it, and by how much it came first (µs)."""

    version: int
    by: str
    margin_us: int
    why: str | None


class Step(Struct, frozen=True):
    """One record. `at` in µs, `after_us` since the step before; `drawn` is the table after it, empty if not open."""

    version: int
    at: int
    after_us: int
    by: str
    command: str
    what: tuple[str, ...]
    refused: str | None
    race: Race | None
    hash: str
    drawn: str


def finished(state: State) -> bool:
    """Whether a round is over: what an open one holds is nobody's to see (C-11)."""
    return is_boundary(state) or state.phase in ("stopped", "closed")


def steps(rows: Sequence[Row], names: Mapping[str, str]) -> Iterator[tuple[Step, State]]:
    """The story of one round's rows, with the state after each step. Raises what `records` raises."""
    state: State | None = None
    last: int | None = None
    for row, record in zip(rows, records(rows), strict=True):
        if state is None and record.carry:
            state = restore(record.table, record.carry)
        state = fold(state, record)
        yield _step(row, record, state, 0 if last is None else record.at - last, names), state
        last = record.at


def _step(row: Row, record: AnyRecord, state: State, after: int, names: Mapping[str, str]) -> Step:
    refused = record.refused
    seat = record.by.seat if isinstance(record.by, Sender) else None
    return Step(
        version=record.n,
        at=record.at,
        after_us=after,
        by=_sender(record.by, names),
        command=_said(record.command, seat),
        what=tuple(_said(event, seat) for event in record.events or ()),
        refused=None if refused is None else refused.code,
        race=_race(refused),
        hash=row.hash.hex(),
        drawn=_drawn(state, record.at),
    )


def _drawn(state: State, at: int) -> str:
    return GAMES[state.game].draw(state.play, at) if state.phase in ("playing", "scoring") else ""


def _sender(by: Sender | str, names: Mapping[str, str]) -> str:
    if not isinstance(by, Sender):
        return by
    name = names.get(by.player, by.player)
    return name if by.seat is None else f"{name} (seat {by.seat})"


def _race(refused: Refused | None) -> Race | None:
    lost: LostTo | None = None if refused is None else refused.lost_to
    if lost is None:
        return None
    by = lost.by if isinstance(lost.by, str) else f"seat {lost.by}"
    return Race(lost.version, by, lost.margin_us, lost.why)


def _said(message: Struct, sender: int | None) -> str:
    """A message in words: `CardSwapped(seat=2, place=1, …)` of seat 2 is `card swapped: place 1, …`."""
    kind = re.sub(r"(?<!^)(?=[A-Z])", " ", type(message).__name__).lower()
    fields = {name: value for name, value in msgspec.to_builtins(message).items() if _worth_saying(name, value)}
    said = [f"{name} {_value(value)}" for name, value in fields.items() if not _is_sender(name, value, sender)]
    return f"{kind}: {', '.join(said)}" if said else kind


def _worth_saying(name: str, value: object) -> bool:
    return name != "type" and name not in _SECRET_OR_LONG and value is not None and value not in ([], ())


def _is_sender(name: str, value: object, sender: int | None) -> bool:
    return sender is not None and name in ("seat", "by") and value == sender


def _value(value: object) -> str:
    match value:
        case dict():
            return " ".join(_value(each) for each in value.values())
        case list() | tuple():
            return " ".join(_value(each) for each in value)
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)
