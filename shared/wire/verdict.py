"""The verdict as players get it (protocol.md): one frame a command, made from what the rules decided."""

import msgspec
from msgspec import UNSET, Struct, UnsetType

from shared.kernel import LostTo, Refused


class Loss(Struct, frozen=True):
    """What a race was lost to, without the version: positions of an open round are in no message."""

    margin_us: int
    seat: int | UnsetType = UNSET
    by: str | UnsetType = UNSET
    why: str | UnsetType = UNSET


class Verdict(Struct, frozen=True, tag="verdict", kw_only=True):
    """The frame. `receipt` is the record's hash in hex, absent when nothing was recorded."""

    id: str
    accepted: bool
    refused: str | UnsetType = UNSET
    lost_to: Loss | UnsetType = UNSET
    wait_until: int | UnsetType = UNSET
    receipt: str | UnsetType = UNSET


_encoder = msgspec.json.Encoder()


def accepted(id: str, receipt: str | None) -> bytes:
    """The frame of an accepted command; `receipt` None: there was nothing to record."""
    return _encoder.encode(Verdict(id=id, accepted=True, receipt=UNSET if receipt is None else receipt))


def refused(id: str, refusal: Refused, receipt: str | None) -> bytes:
    """The frame of a refused command; `receipt` None: it was not recorded."""
    return _encoder.encode(
        Verdict(
            id=id,
            accepted=False,
            refused=refusal.code,
            lost_to=UNSET if refusal.lost_to is None else _loss(refusal.lost_to),
            wait_until=UNSET if refusal.wait_until is None else refusal.wait_until,
            receipt=UNSET if receipt is None else receipt,
        )
    )


def signed(frame: bytes, receipt: bytes) -> bytes:
    """The same verdict with its signed receipt (JSON)."""
    return frame[:-1] + b',"signed":' + receipt + b"}"


def _loss(lost_to: LostTo) -> Loss:
    if isinstance(lost_to.by, int):
        return Loss(margin_us=lost_to.margin_us, seat=lost_to.by)
    return Loss(margin_us=lost_to.margin_us, by=lost_to.by, why=UNSET if lost_to.why is None else lost_to.why)
