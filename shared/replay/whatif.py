"""What if the other had been first? The loser's command decided 1 µs before the winner's, after every deadline, then
the winner's, and nothing later. Nothing of it happened; it shows what a race was about."""

from collections.abc import Sequence

from msgspec import Struct

from shared.eventlog.port import Row
from shared.kernel import HOUSE, Command, Decision, Moment, Refused
from shared.replay.rows import records
from shared.table.boundary import restore
from shared.table.codec import AnyRecord
from shared.table.commands import Prepare
from shared.table.decide import decide
from shared.table.due import next_house
from shared.table.evolve import fold
from shared.table.record import Record, Sender
from shared.table.state import State, seat_of


class Step(Struct, frozen=True):
    """One decision that might have been, at its time (µs): of a player, the house or another."""

    at: int
    by: Sender | str
    command: Command
    decision: Decision


class WhatIf(Struct, frozen=True):
    """The loser's step, all steps in their order, and the state after the last. `winner` None: no longer due."""

    loser: Step
    winner: Step | None
    steps: tuple[Step, ...]
    state: State


def whatif(rows: Sequence[Row], loser: int, winner: int) -> WhatIf | None:
    """Of the records with these versions, among rows that begin with a round; None: they are not both among them."""
    state: State | None = None
    before: State | None = None
    found: dict[int, AnyRecord] = {}
    for record in records(rows):
        if state is None and record.carry:
            state = restore(record.table, record.carry)
        if record.n == winner:
            before = state
        if record.n in (loser, winner):
            found[record.n] = record
        state = fold(state, record)
    if before is None or len(found) < 2:
        return None
    return turned(before, found[loser], found[winner])


def turned(before: State, lost: AnyRecord, won: AnyRecord) -> WhatIf:
    """The same with the state before the winner's record."""
    steps: list[Step] = []
    state = _catch_up(before, max(won.at - 1, before.at), steps)
    state = _decide(state, lost, max(won.at - 1, state.at), steps)
    loser = steps[-1]
    state = _catch_up(state, won.at, steps)
    if won.by == HOUSE:
        winner = next((step for step in steps if type(step.command) is type(won.command)), None)
    else:
        state = _decide(state, won, won.at, steps)
        winner = steps[-1]
    return WhatIf(loser, winner, tuple(steps), state)


def _catch_up(state: State, until: int, steps: list[Step]) -> State:
    """What the house has to do up to then; a preparation, which needs chance, is as far as anyone can tell."""
    late: tuple[Command, ...] = ()
    while (step := next_house(state, until, late)) is not None and not isinstance(step.command, Prepare):
        late = step.late
        state = _step(state, HOUSE, step.command, step.at, None, steps)
    return state


def _decide(state: State, record: AnyRecord, at: int, steps: list[Step]) -> State:
    by = record.by
    if isinstance(by, Sender):
        by = Sender(by.player, seat_of(state, by.player))
    return _step(state, by, record.command, at, record.meant, steps)


def _step(state: State, by: Sender | str, command: Command, at: int, meant: int | None, steps: list[Step]) -> State:
    now = Moment(state.version + 1, at)
    decision = decide(state, by, command, now, meant)
    steps.append(Step(at, by, command, decision))
    if decision == ():
        return state
    refused = decision if isinstance(decision, Refused) else None
    events = None if isinstance(decision, Refused) else decision
    record: AnyRecord = Record(
        v=1, table=state.table.id, n=now.version, round=state.table.round, at=at, epoch=0, by=by, command=command,
        salt="", meant=meant, events=events, refused=refused,
    )  # fmt: skip
    return fold(state, record)
