"""Finished rounds over HTTP: list, records, bundles. Scoring answers; an open round is never shown."""

from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from services.gateway.gateway import Caller, Gateway
from services.gateway.http import caller as callers
from services.gateway.http.caller import address
from services.gateway.http.disputes import Replay
from services.gateway.http.tables import existing, readable
from services.gateway.problems import Problem, no_such_table, unreachable
from services.gateway.store import TableCode
from shared.bus import subjects
from shared.bus.port import NoResponders
from shared.wire.messages import decoder, encode
from shared.wire.questions import PAGE_BYTES_MAX, RECORDS_MAX, Page, Question, Search

ASK_SECONDS = 5.0
ROUND_MAX = 2**31 - 1
"""What the log's column holds; no table gets there."""

_Code = Annotated[str | None, Query(max_length=16, description="the code of a private table")]
_Start = Annotated[int, Query(alias="from", ge=0, lt=2**53, description="the version to begin at; 0: the first")]
_Limit = Annotated[int, Query(ge=1, le=RECORDS_MAX)]


class RoundShown(BaseModel):
    """One round. Times in µs; `awarded` null: it is not over; `sealed`: its leaf in the site's log."""

    round: int
    started: int | None
    stopped: int | None
    how: str | None
    points: list[int] | None
    verified: bool | None
    awarded: int | None
    sealed: int | None = None


class Recorded(BaseModel):
    """A record exactly as it is stored, and its hash, which covers the one before."""

    hash: str
    record: dict[str, object]


class Records(BaseModel):
    """A page of a round's records; `next` is the `from` of the page behind it."""

    table_id: str
    round: int
    records: list[Recorded]
    next: int | None


def router(gateway: Gateway) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["rounds"])
    someone = Annotated[Caller | None, Depends(callers.someone(gateway))]

    async def allowed(
        table_id: str, request: Request, caller: Caller | None, code: str | None, round: int | None = None
    ) -> TableCode:
        """Auditors may read every table's rounds, players also those that they played and left."""
        table = await existing(gateway, table_id)
        numbered = round is None or 0 <= round <= ROUND_MAX
        seen = caller is not None and numbered
        if caller is not None and seen:
            seen = caller.auditor or await gateway.store.played(table.table_id, round, caller.player)
        if not seen:
            await readable(gateway, table_id, caller, code, address(request))
        if not numbered:
            raise _no_such_round()
        return table

    @routes.get("/tables/{table_id}/rounds", summary="A table's rounds, one line each")
    async def rounds(table_id: str, request: Request, caller: someone, code: _Code = None) -> list[RoundShown]:
        table = await allowed(table_id, request, caller, code)
        return [RoundShown(**msgspec.structs.asdict(line)) for line in await gateway.store.rounds(table.table_id)]

    @routes.get(
        "/tables/{table_id}/rounds/{n}", summary="The records of an awarded round", response_model=None,
        responses={200: {"model": Records}},
    )  # fmt: skip
    async def records(
        table_id: str, n: int, request: Request, caller: someone, start: _Start = 0, limit: _Limit = 100,
        code: _Code = None,
    ) -> Response:  # fmt: skip
        table = await allowed(table_id, request, caller, code, n)
        page = await _ask(gateway, Question("records", table.table_id, n, start, limit))
        following = b"null" if page.next is None else b"%d" % page.next
        body = b'{"table_id":"%s","round":%d,"records":%s,"next":%s}'
        shown = body % (table.table_id.encode(), n, page.body, following)
        return Response(shown, media_type="application/json")

    @routes.get(
        "/tables/{table_id}/rounds/{n}/replay", summary="An awarded round as a dispute room shows it",
        response_model=None, responses={200: {"model": Replay}},
    )  # fmt: skip
    async def replay(
        table_id: str, n: int, request: Request, caller: someone, start: _Start = 0, limit: _Limit = RECORDS_MAX,
        code: _Code = None,
    ) -> Response:  # fmt: skip
        table = await allowed(table_id, request, caller, code, n)
        page = await _ask(gateway, Question("replay", table.table_id, n, start, limit))
        return Response(page.body, media_type="application/json")

    @routes.get(
        "/tables/{table_id}/rounds/{n}/bundle", summary="The offline bundle", response_class=StreamingResponse,
        responses={200: {"content": {"application/zip": {}}}},
    )  # fmt: skip
    async def bundle(table_id: str, n: int, request: Request, caller: someone, code: _Code = None) -> Response:
        table = await allowed(table_id, request, caller, code, n)
        first = await _ask(gateway, Question("bundle", table.table_id, n, 0, PAGE_BYTES_MAX))
        name = f'attachment; filename="{table.table_id}-{n}.zip"'
        return StreamingResponse(
            _pages(gateway, table.table_id, n, first),
            media_type="application/zip",
            headers={"Content-Disposition": name},
        )

    return routes


async def _pages(gateway: Gateway, table: str, n: int, page: Page) -> AsyncIterator[bytes]:
    yield page.body
    while page.next is not None:
        page = await _ask(gateway, Question("bundle", table, n, page.next, PAGE_BYTES_MAX))
        yield page.body


async def _ask(gateway: Gateway, question: Question) -> Page:
    return answered(await asked(gateway, subjects.ASK_SCORING, question))


async def asked(gateway: Gateway, subject: str, question: Question | Search) -> Page:
    """Scoring's answer. Raises Problem when there is none."""
    try:
        return _page.decode(await gateway.link.bus.request(subject, encode(question), ASK_SECONDS))
    except (NoResponders, TimeoutError):
        raise unreachable() from None


def answered(page: Page) -> Page:
    """The page, if it is what was asked for. Raises Problem."""
    match page.status:
        case "ok":
            return page
        case "round_open":
            raise Problem(409, "round_open", "The records of a round are shown once it is awarded.")
        case "no_such_round":
            raise _no_such_round()
        case "no_such_table":
            raise no_such_table()
        case "not_sealed":
            raise Problem(409, "not_sealed", "The round is awarded and not sealed yet; try again.", headers=_SOON)
        case "not_ready":
            raise unreachable()


def _no_such_round() -> Problem:
    return Problem(404, "no_such_round", "There is no such round.")


_SOON = {"Retry-After": "1"}
_page = decoder(Page)
