"""What goes into the log for a decision, and the verdict that tells of it."""

import os

from msgspec import Raw, Struct

from shared.eventlog.port import Head
from shared.kernel import Command, Decision, Moment, Refused
from shared.table import boundary
from shared.table.record import NO_CARRY, Record, Sender, Via
from shared.table.state import State, is_boundary
from shared.wire import verdict
from shared.wire.messages import Envelope

SALT_BYTES = 16
"""In every body, so that a hash says nothing of a short secret."""


def record(
    table: str,
    epoch: int,
    before: State | None,
    by: Sender | str,
    command: Command,
    now: Moment,
    decision: Decision,
    envelope: Envelope | None,
    via: Via | None,
) -> Record[Command, Struct]:
    """The record of one decision; the first of a round carries what the round needs from before."""
    carried = before is not None and is_boundary(before)
    return Record(
        v=1,
        table=table,
        n=now.version,
        round=0 if before is None else before.table.round,
        at=now.at,
        epoch=epoch,
        by=by,
        command=command,
        salt=os.urandom(SALT_BYTES).hex(),
        id="" if envelope is None else envelope.id,
        via=via,
        meant=None if envelope is None else envelope.meant,
        events=None if isinstance(decision, Refused) else decision,
        refused=decision if isinstance(decision, Refused) else None,
        carry=Raw(boundary.boundary(before)) if before is not None and carried else NO_CARRY,
    )


def heads(before: State | None, state: State, written: Record[Command, Struct]) -> tuple[Head, ...]:
    """A head is written when a record opens a round or changes the phase, so that a new owner finds the table."""
    if before is not None and not written.carry and before.phase == state.phase:
        return ()
    first = written.n if before is None or written.carry else state.first_version
    if is_boundary(state):
        first = before.first_version if before is not None else 1
    return (Head(written.table, written.round, first, state.next_due, state.phase),)


def sender_name(written: Record[Command, Struct]) -> str:
    """Under whose name the command's id is remembered."""
    return written.by.player if isinstance(written.by, Sender) else written.by


def verdict_of(written: Record[Command, Struct], receipt: str) -> bytes:
    """The verdict of a recorded command; `receipt` is its record's hash in hex."""
    if written.refused is None:
        return verdict.accepted(written.id, receipt)
    return verdict.refused(written.id, written.refused, receipt)
