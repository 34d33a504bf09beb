"""Getting ready for a round: players' bytes of chance, and who is ready (T-CHANCE-1, T-PREP-1, Q-TIME-2)."""

from shared.kernel import Decision, Moment
from shared.shuffle import entropy_hash
from shared.table import commands, refusals
from shared.table.events import BreakEnded, EntropyCommitted, ReadySaid
from shared.table.record import Sender
from shared.table.state import State


def commit_entropy(state: State, by: Sender, command: commands.CommitEntropy, now: Moment) -> Decision:
    """Once a seat, before anyone's Ready, and never for a bot."""
    seat = _seat(by)
    if not prepared(state):
        return refusals.NOT_PREPARING
    if state.commitments_closed or state.hashes[seat] is not None or state.table.seats[seat].bot is not None:
        return refusals.COMMITMENTS_CLOSED
    return (EntropyCommitted(seat, command.hash),)


def ready(state: State, by: Sender, command: commands.Ready, now: Moment) -> Decision:
    """Ready for the round that is prepared, or to end the break."""
    seat = _seat(by)
    if state.phase != "break" and not prepared(state):
        return refusals.NOT_PREPARING
    if state.ready[seat] or state.table.seats[seat].bot is not None:
        return refusals.ALREADY_READY
    return _break_ready(state, seat) if state.phase == "break" else _round_ready(state, seat, command.entropy)


def prepared(state: State) -> bool:
    """Whether a preparation has begun and its round is not open yet."""
    return state.phase == "preparing" and state.house is not None


def _round_ready(state: State, seat: int, entropy: str | None) -> Decision:
    """Bytes that were never committed to are not used; those that were must fit."""
    committed = state.hashes[seat]
    if entropy is None or committed is None:
        return (ReadySaid(seat, None),)
    table = state.table
    if entropy_hash(table.id, table.round, seat, bytes.fromhex(entropy)).hex() != committed:
        return refusals.ENTROPY_UNFIT
    return (ReadySaid(seat, entropy.lower()),)


def _break_ready(state: State, seat: int) -> Decision:
    """The last connected human who says so ends the break (Q-TIME-2)."""
    said = ReadySaid(seat, None)
    others = (i for i, place in enumerate(state.table.seats) if place.present and i != seat)
    return (said, BreakEnded()) if all(state.ready[i] for i in others) else (said,)


def _seat(by: Sender) -> int:
    assert by.seat is not None, "the table checked it"
    return by.seat
