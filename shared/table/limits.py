"""How much one seat may ask of a table (T-LIMIT-1). Counting what is not recorded is the handler's."""

from msgspec import Struct

from shared.kernel import SECOND, Decision, Refused
from shared.table.record import Sender
from shared.table.state import State

REFUSALS_MAX = 400
LOST_RACES_MAX = 50
SLOW_DOWN = Refused("slow_down")
COMMANDS_PER_SECOND = 20
BURST_MAX = 40
_PRICE_US = SECOND // COMMANDS_PER_SECOND


def recordable(state: State | None, by: Sender | str, decision: Decision) -> bool:
    """Whether the decision becomes a record. What does not is answered with `unrecorded`."""
    if not isinstance(decision, Refused):
        return bool(decision)
    if state is None or type(by) is not Sender or state.phase in ("stopped", "closed"):
        return False
    if by.seat is not None:
        return state.refusals[by.seat] < REFUSALS_MAX
    return decision.lost_to is not None and state.lost_races < LOST_RACES_MAX


def unrecorded(state: State | None, by: Sender | str, decision: Decision) -> Decision:
    """What is answered when there is no record of it: beyond a seat's refusals only `slow_down`, which is counted."""
    if state is None or type(by) is not Sender or by.seat is None or not isinstance(decision, Refused):
        return decision
    return SLOW_DOWN if state.refusals[by.seat] >= REFUSALS_MAX else decision


class Bucket(Struct, frozen=True, gc=False):
    """A seat's allowance: full again at `full_at` (µs) if it asks nothing more."""

    full_at: int = 0


def take(bucket: Bucket, now: int) -> Bucket | None:
    """The bucket after one command, or None for `slow_down`, which takes nothing."""
    full_at = max(bucket.full_at, now) + _PRICE_US
    return Bucket(full_at) if full_at <= now + BURST_MAX * _PRICE_US else None
