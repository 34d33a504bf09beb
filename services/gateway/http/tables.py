"""Tables over HTTP: making one, finding them, looking at one, sending it commands."""

from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Depends, Query, Request, Response
from msgspec import Raw, Struct
from pydantic import BaseModel, ConfigDict, Field

from services.gateway import codes, frames, shape
from services.gateway.gateway import Caller, Gateway
from services.gateway.http import caller as callers
from services.gateway.http.caller import address
from services.gateway.http.making import NewTable, TableMade, make
from services.gateway.http.strict import Strict
from services.gateway.http.verdicts import VerdictShown, judged_bytes
from services.gateway.problems import Problem, no_such_table, too_many, unreachable
from services.gateway.store import OpenTable, TableCode
from shared.wire.messages import Envelope

OPEN_MAX = 100
_Code = Annotated[str | None, Query(max_length=16, description="the code of a private table")]


class TableShown(BaseModel):
    """A table at a glance. `host` is a name; times in µs. `rules`: what differs from the ordinary (not in lists)."""

    table_id: str
    code: str
    game: str
    seats: int
    taken: int
    free: int
    phase: str
    round: int
    private: bool
    host: str | None
    at: int | None = None
    rules: dict[str, object] = Field(default_factory=dict)


class Sent(BaseModel):
    """A command with an id of the caller's making; `round` is the one it is meant for; `signed` receipts on request."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: str = Field(max_length=36)
    command: dict[str, object]
    round: int | None = Field(default=None, ge=0, lt=2**53)
    sent: int | None = Field(default=None, ge=0, lt=2**53)
    receipts: Literal["signed", "hash"] = "hash"


class ViewShown(BaseModel):
    """The newest view; `own` is for a seat only. What is in `public` and `own`, the game says."""

    type: Literal["view"]
    epoch: int
    n: int
    now: int = Field(description="the table's time in µs")
    public: dict[str, object]
    own: dict[str, object] | None = None


def router(gateway: Gateway) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["tables"], route_class=Strict)
    someone = Annotated[Caller | None, Depends(callers.someone(gateway))]
    player = Annotated[Caller, Depends(callers.player(gateway))]

    @routes.post("/tables", status_code=201, summary="Make a table")
    async def make_table(body: NewTable, request: Request, caller: player) -> TableMade:
        return await make(gateway, caller, body, request)

    @routes.get("/tables", summary="Open tables that are not private")
    async def open_tables(caller: someone) -> list[TableShown]:
        return [_listed(table) for table in await gateway.store.open_tables(OPEN_MAX)]

    @routes.get("/tables/{table_id}", summary="One table")
    async def one_table(table_id: str, request: Request, caller: someone, code: _Code = None) -> TableShown:
        table = await readable(gateway, table_id, caller, code, address(request))
        return await _glance(gateway, table, caller)

    @routes.get("/join/{code}", summary="Find a table by its code")
    async def join(code: str, request: Request, caller: someone) -> TableShown:
        where = address(request)
        if gateway.wrong_codes.spent(where):
            raise too_many("wrong codes", 60)
        read = codes.read(code)
        table = None if read is None else await gateway.store.table_of_code(read)
        if table is None:
            gateway.wrong_codes.take(where)
            raise Problem(404, "no_such_code", "No table has this code.")
        return await _glance(gateway, table, caller)

    @routes.post(
        "/tables/{table_id}/commands", summary="Send a command and wait for its verdict", response_model=None,
        responses={200: {"model": VerdictShown}},
    )  # fmt: skip
    async def command(table_id: str, request: Request, body: Sent, caller: player) -> Response:
        return await _command(gateway, table_id, body, caller)

    @routes.get(
        "/tables/{table_id}/view", summary="The newest view", response_model=None,
        responses={200: {"model": ViewShown}},
    )  # fmt: skip
    async def view(table_id: str, request: Request, caller: someone, code: _Code = None) -> Response:
        table = await readable(gateway, table_id, caller, code, address(request))
        shown = await gateway.link.view(table.table_id, caller.player if caller else "")
        if shown is None:
            raise unreachable()
        if not shown.found:
            raise no_such_table()
        return _json(b"".join(frames.view(shown.epoch, shown.n, shown.now, shown.public, shown.own, b"")))

    return routes


async def existing(gateway: Gateway, table_id: str) -> TableCode:
    """The table with this id, whoever asks. Raises Problem."""
    table = await gateway.table(table_id.lower()) if shape.is_id(table_id) else None
    if table is None or table.game not in gateway.games:
        raise no_such_table()
    return table


async def readable(gateway: Gateway, table_id: str, caller: Caller | None, code: str | None, address: str) -> TableCode:
    """The table, if the caller may look at it. Raises Problem."""
    table = await existing(gateway, table_id)
    spent = code is not None and table.private and gateway.wrong_codes.spent(address)
    if not await gateway.may_read(table, caller.player if caller else "", None if spent else codes.read(code or "")):
        if spent:
            raise too_many("wrong codes", 60)
        if code is not None:
            gateway.wrong_codes.take(address)
        raise Problem(403, "private", "This table is private: its code or a seat is needed.")
    return table


async def _command(gateway: Gateway, table_id: str, body: Sent, caller: Caller) -> Response:
    table = await existing(gateway, table_id)
    raw = Raw(shape.encode(body.command))
    command = shape.checked(gateway.games[table.game].shapes, body.id, raw, body.sent)
    if isinstance(command, shape.Unfit):
        raise Problem(422, command.code, command.detail)
    await gateway.bots.look(caller.player, command)
    envelope = Envelope(
        table.table_id, caller.player, body.id, shape.encode(command), gateway.instance, gateway.micros(), body.sent,
        body.round, True, caller.name, body.receipts == "signed",
    )  # fmt: skip
    return _json(await judged_bytes(gateway, envelope, command))


class _SeatGlance(Struct):
    player: str | None = None
    name: str | None = None
    host: bool = False


class _Glance(Struct):
    phase: str
    round: int
    seats: list[_SeatGlance]
    rules: dict[str, object] = {}


_decode_glance = msgspec.json.Decoder(_Glance)


async def _glance(gateway: Gateway, table: TableCode, caller: Caller | None) -> TableShown:
    shown = await gateway.link.view(table.table_id, caller.player if caller else "")  # T-PRES-1: it counts as theirs
    if shown is None:
        raise unreachable()
    if not shown.found:
        raise no_such_table()
    glance = _decode_glance.decode(shown.public)
    taken = sum(seat.player is not None for seat in glance.seats)
    return TableShown(
        table_id=table.table_id, code=table.code, game=table.game, seats=len(glance.seats), taken=taken,
        free=len(glance.seats) - taken, phase=glance.phase, round=glance.round, private=table.private,
        host=next((seat.name for seat in glance.seats if seat.host), None), rules=glance.rules,
    )  # fmt: skip


def _listed(table: OpenTable) -> TableShown:
    return TableShown(
        table_id=table.table_id, code=table.code, game=table.game, seats=table.seats, taken=table.taken,
        free=table.seats - table.taken, phase=table.phase, round=table.round, private=table.private, host=table.host,
        at=table.at,
    )  # fmt: skip


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json", headers={"Cache-Control": "no-store"})
