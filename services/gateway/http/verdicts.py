"""Waiting for a verdict over HTTP."""

import asyncio
from typing import Literal

import msgspec
from msgspec import Struct
from pydantic import BaseModel, Field

from services.gateway.gateway import Gateway
from services.gateway.messages import Error
from services.gateway.problems import Problem, no_such_table
from shared.kernel import Command, Refused
from shared.wire import verdict
from shared.wire.messages import Envelope


class LostTo(BaseModel):
    """What a race was lost to: a seat, or the house and why."""

    margin_us: int
    seat: int | None = None
    by: str | None = None
    why: str | None = None


class VerdictShown(BaseModel):
    """What became of a command; what does not apply is absent. `receipt` is its record's hash, in hex."""

    type: Literal["verdict"]
    id: str
    accepted: bool
    refused: str | None = None
    lost_to: LostTo | None = None
    wait_until: int | None = Field(default=None, description="µs; with too_soon")
    receipt: str | None = None
    signed: dict[str, object] | None = Field(default=None, description="the signed receipt, if it was asked for")


class Judged(Struct):
    """The part of a verdict that the gateway itself looks at, of a table that it asks for."""

    accepted: bool
    refused: str | None = None


async def judged_bytes(gateway: Gateway, envelope: Envelope, command: Command | None) -> bytes:
    """Send a command and wait for its verdict. Raises Problem: 504 `outcome_unknown`, or what the table can't read."""
    answer: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()

    def outcome(frame: bytes | None) -> None:
        if not answer.done():
            answer.set_result(frame)

    if command is None:
        code = None if gateway.link.courier.send(envelope, outcome) else "id_reused"
    else:
        code = gateway.send(envelope, command, outcome)
    if code is not None:
        return verdict.refused(envelope.id, Refused(code), None)
    frame = await answer
    if frame is None:
        raise Problem(504, "outcome_unknown", "No verdict came in time; the same id may be sent again.")
    if frame.startswith(_ERROR):
        error = _error.decode(frame)
        raise no_such_table() if error.code == "not_found" else Problem(422, error.code, error.detail)
    return frame


async def ask(gateway: Gateway, envelope: Envelope) -> Judged:
    """The same, of the gateway's own command, understood."""
    return _judged.decode(await judged_bytes(gateway, envelope, None))


_judged = msgspec.json.Decoder(Judged)
_error = msgspec.json.Decoder(Error)
_ERROR = b'{"type":"error"'
