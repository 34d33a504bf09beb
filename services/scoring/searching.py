"""Auditors' searches: as a query over the projections, and their answers as a page."""

from collections.abc import Callable, Mapping, Sequence
from operator import eq, ge, le, lt
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Select, and_, func, or_, select, true, tuple_

from services.scoring.disputes import LOST_CALL
from services.scoring.port import Found
from shared.eventlog.schema import players, races, rounds_index, tables_index
from shared.wire.questions import PAGE_BYTES_MAX, Page, Search

HITS_MAX = 500
NAMESAKES_MAX = 10

Compare = Callable[[Any, Any], Any]

_PLACE = tuple_(races.c.at, races.c.table_id, races.c.version)
_RACED = races.c.lost_to.is_not(None)
_CALL = races.c.command.startswith("Call")
_KINDS: Mapping[str | None, ColumnElement[bool]] = {
    None: true(),
    "refused": races.c.code != LOST_CALL,
    "race": _RACED,
    "swap": and_(_RACED, races.c.command == "SwapCard"),
    "call": and_(_RACED, _CALL),
    "lost_call": or_(races.c.code == LOST_CALL, and_(_RACED, _CALL)),
}


def query(wanted: Search) -> Select[Any]:
    """The hits of one page, the newest first. Only awarded rounds have any."""
    order = (races.c.at.desc(), races.c.table_id.desc(), races.c.version.desc())
    return _wanted(wanted).order_by(*order).limit(max(1, min(wanted.limit, HITS_MAX)))


def namesakes(wanted: Search) -> Select[Any]:
    """Who among everything that is found has the name that was asked for: a name is nobody's alone."""
    named = func.lower(players.c.name) == func.lower(wanted.player)
    found = _wanted(wanted).with_only_columns(races.c.player, players.c.name).where(named)
    return found.distinct().order_by(races.c.player).limit(NAMESAKES_MAX)


def _wanted(wanted: Search) -> Select[Any]:
    found = (
        select(races, tables_index.c.game, players.c.name)
        .join(tables_index, tables_index.c.table_id == races.c.table_id)
        .outerjoin(players, and_(players.c.player_id == races.c.player, ~players.c.forgotten))
    )
    if wanted.viewer is not None:
        played = and_(rounds_index.c.table_id == races.c.table_id, rounds_index.c.round == races.c.round)
        found = found.join(rounds_index, played).where(rounds_index.c.players.contains([wanted.viewer]))
    limits: Sequence[tuple[ColumnElement[Any], Compare, object]] = (
        (races.c.table_id, eq, wanted.table),
        (races.c.code, eq, wanted.code),
        (races.c.at, ge, wanted.since),
        (races.c.at, le, wanted.until),
        (races.c.margin_us, le, wanted.within_us),
        (_PLACE, lt, None if wanted.after is None else tuple_(*wanted.after)),
    )
    asked = [compare(column, bound) for column, compare, bound in limits if bound is not None]
    if wanted.player is not None:
        asked.append(or_(races.c.player == wanted.player, func.lower(players.c.name) == func.lower(wanted.player)))
    return found.where(_KINDS[wanted.kind], *asked)


def page(found: Sequence[Found], limit: int, called: Mapping[str, str]) -> Page:
    """{"hits": […], "next": text or null, "called": […]}; a page of 500 is below what the bus carries."""
    last = found[-1] if len(found) >= limit else None
    following = None if last is None else f"{last.at},{last.table_id},{last.version}"
    people = [{"player": player, "name": name} for player, name in called.items()]
    body = msgspec.json.encode({"hits": [_shown(hit) for hit in found], "next": following, "called": people})
    assert len(body) <= PAGE_BYTES_MAX, "500 hits of some 300 bytes"
    return Page("ok", body)


def _shown(hit: Found) -> dict[str, object]:
    return {"table" if name == "table_id" else name: value for name, value in msgspec.structs.asdict(hit).items()}
