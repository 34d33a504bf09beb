"""Who sends a command, and what: as the subject vouches for it, whatever the command itself may say."""

import msgspec

from services.table.keeper import Keeper
from shared.kernel import Command
from shared.table.codec import BadMessage, decode_operator, decode_scoring
from shared.table.commands import CreateTable
from shared.table.record import Sender
from shared.wire.messages import Envelope

_creation = msgspec.json.Decoder(CreateTable)


def sender_of(kind: str, envelope: Envelope) -> Sender | str:
    """The sender of a record; a player's seat is looked up when it is decided."""
    match kind:
        case "scoring":
            return "scoring"
        case "ops":
            return f"ops:{envelope.player}"
        case _:
            return Sender(envelope.player)


def command_of(keeper: Keeper, kind: str, envelope: Envelope) -> Command | BadMessage:
    """The command, if this kind of sender may send it to this table."""
    if keeper.state is None or keeper.codec is None:
        return _first(kind, envelope.command)
    match kind:
        case "scoring":
            return decode_scoring(envelope.command)
        case "ops":
            return decode_operator(envelope.command)
        case "player" | "bot":
            if keeper.plays_bot(envelope.player) != (kind == "bot"):
                return BadMessage(f"{kind}s don't play this seat")
            command = keeper.codec.decode_command(envelope.command)
            # A gateway that never heard of the creation's verdict sends it again.
            return _first(kind, envelope.command) if isinstance(command, BadMessage) else command
        case _:
            return BadMessage(f"no commands come from {kind}")


def may_hold(keeper: Keeper, listener: str, player: str) -> bool:
    """A bots service is shown the seats of bots and of nobody else, a gateway never those of bots."""
    role = listener.partition(".")[0]
    return role not in ("bots", "gateway") or keeper.plays_bot(player) == (role == "bots")


def _first(kind: str, body: bytes) -> Command | BadMessage:
    """A table begins with its creation, and with nothing else."""
    if kind != "player":
        return BadMessage("no such table")
    try:
        return _creation.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
        return BadMessage(str(problem))
