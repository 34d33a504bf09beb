"""GET /api/audit/search: refused commands and calls in vain of finished rounds (docs/disputes.md), found by scoring."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response

from services.gateway import codes
from services.gateway.gateway import Caller, Gateway
from services.gateway.http import caller as callers
from services.gateway.http import disputes
from services.gateway.http.rounds import answered, asked
from services.gateway.problems import Problem
from shared.bus import subjects
from shared.wire.questions import Search

HITS_MAX = 500
NOWHERE = "none"
"""No table's id: what is looked for at an unknown code."""
_NO_NUL = r"^[^\x00]*$"
_Text = Annotated[str | None, Query(max_length=64, pattern=_NO_NUL)]
_Kind = Literal["refused", "race", "swap", "call", "lost_call"]
_Since = Annotated[int | None, Query(alias="from", ge=0, lt=2**53, description="µs")]
_Until = Annotated[int | None, Query(alias="to", ge=0, lt=2**53, description="µs")]
_Within = Annotated[float | None, Query(ge=0, le=1e9, description="the margin of a race, in ms")]
_Limit = Annotated[int, Query(ge=1, le=HITS_MAX)]


def router(gateway: Gateway) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["audit"])
    player = Annotated[Caller, Depends(callers.player(gateway))]

    @routes.get(
        "/audit/search", summary="Refusals and calls in vain of finished rounds", response_model=None,
        responses={200: {"model": disputes.Search}},
    )  # fmt: skip
    async def search(
        caller: player, table: _Text = None, code: _Text = None, refused: _Text = None,
        who: Annotated[_Text, Query(alias="player")] = None,
        since: _Since = None, until: _Until = None, kind: _Kind | None = None, within_ms: _Within = None,
        after: Annotated[str | None, Query(max_length=120, pattern=_NO_NUL)] = None, limit: _Limit = 100,
    ) -> Response:  # fmt: skip
        if code is not None:
            table = await _coded(gateway, code)
        wanted = Search(
            viewer=None if caller.auditor else caller.player, table=table, code=refused, player=who, since=since,
            until=until, kind=kind, within_us=None if within_ms is None else round(within_ms * 1000),
            after=None if after is None else _place(after), limit=limit,
        )  # fmt: skip
        page = answered(await asked(gateway, subjects.ASK_SEARCH, wanted))
        return Response(page.body, media_type="application/json")

    return routes


async def _coded(gateway: Gateway, code: str) -> str:
    """The table with this code; what a player may not see of it they don't find."""
    read = codes.read(code)
    found = None if read is None else await gateway.store.table_of_code(read)
    return NOWHERE if found is None else found.table_id


def _place(text: str) -> tuple[int, str, int]:
    """Where the page before ended: `<at>,<table>,<version>`."""
    at, _, rest = text.partition(",")
    table, _, version = rest.rpartition(",")
    if not (at.isdecimal() and version.isdecimal() and table and len(at) < 17 and len(version) < 17):
        raise Problem(422, "bad_request", "`after` is what the page before said as `next`.")
    return int(at), table, int(version)
