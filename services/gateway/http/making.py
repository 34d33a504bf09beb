"""POST /api/tables: a table is made once for each (player, id), whatever fails on the way."""

import re
from collections.abc import Mapping
from uuid import uuid4

import msgspec
from fastapi import Request
from msgspec import Raw, Struct
from pydantic import BaseModel, ConfigDict, Field

from services.gateway import codes, ids
from services.gateway.gateway import Caller, Gateway, Served
from services.gateway.http.caller import address
from services.gateway.http.verdicts import Judged, ask
from services.gateway.problems import Problem, too_many
from services.gateway.store import TableCode
from shared.kernel import BadRules
from shared.wire.messages import Envelope

CODE_TRIES = 20
_ID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"

_HASH = re.compile("[0-9a-f]{64}")

_canonical = msgspec.json.Encoder(order="sorted")


class NewTable(BaseModel):
    """A table to be made. `id` is the client's own: with the same one it is the same table, however often asked."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: str | None = Field(default=None, pattern=_ID)
    game: str = Field(max_length=64)
    seats: int
    rules: dict[str, object] = Field(default_factory=dict)
    private: bool = True
    sit: bool = True


class TableMade(BaseModel):
    """The table; its creator is host and, unless `sit` was false, sits in seat 0."""

    table_id: str
    code: str
    game: str
    seats: int


async def make(gateway: Gateway, caller: Caller, body: NewTable, request: Request) -> TableMade:
    """Check, write down id and code, and have the table's owner make it."""
    served = gateway.games.get(body.game)
    if served is None:
        known = sorted(gateway.games)
        raise Problem(422, "unknown_game", f"There is no such game; there are {', '.join(known)}.", {"games": known})
    rules = _rules(served, body, await with_loaded(gateway, served, body.rules))
    request_id = body.id or str(uuid4())
    table = await _reserve(gateway, caller, body, request_id, address(request))
    command = _command(table, served, body, rules)
    judged = await ask(gateway, _envelope(gateway, caller, table, request_id, command))
    if not judged.accepted and not await _stands(gateway, table, caller, judged):
        raise Problem(409, judged.refused or "refused", "The table could not be made.")
    return TableMade(table_id=table.table_id, code=table.code, game=body.game, seats=body.seats)


async def with_loaded(gateway: Gateway, served: Served, rules: Mapping[str, object]) -> Mapping[str, object]:
    """A house rule that names loaded data by its hash gets its text: a table's log needs nothing else (K-PACK-5)."""
    loader = served.game.loads
    named = rules.get(loader.rule) if loader else None
    if loader is None or not isinstance(named, str) or not _HASH.fullmatch(named):
        return rules
    pack = await gateway.store.pack(named)
    return rules if pack is None else {**rules, loader.rule: msgspec.json.decode(pack.text)}


def _rules(served: Served, body: NewTable, given: Mapping[str, object]) -> Struct:
    allowed = served.game.seat_counts
    if body.seats not in allowed:
        words = ", ".join(map(str, allowed))
        raise Problem(422, "bad_seat_count", f"{body.game} is played with {words} seats.", {"allowed": list(allowed)})
    rules = served.game.read_rules(given, body.seats)
    if isinstance(rules, BadRules):
        raise Problem(422, "bad_rules", " ".join(rules.faults), {"faults": list(rules.faults)})
    return rules


async def _reserve(gateway: Gateway, caller: Caller, body: NewTable, request_id: str, address: str) -> TableCode:
    table = await gateway.store.requested(caller.player, request_id) if body.id else None
    if table is None:
        if not caller.operator and not gateway.new_tables.take(address):
            raise too_many("new tables from this address", 60)
        table = await _written(gateway, caller, body, request_id)
    if (table.game, table.private) != (body.game, body.private):
        raise Problem(409, "id_reused", "This id was used for another table.")
    return table


async def _written(gateway: Gateway, caller: Caller, body: NewTable, request_id: str) -> TableCode:
    for _ in range(CODE_TRIES):
        wanted = TableCode(ids.uuid7(), codes.new(), body.game, body.private, caller.player)
        table = await gateway.store.reserve(request_id, wanted, gateway.micros())
        if table is not None:
            return table
    raise Problem(503, "no_free_code", "No free code was found; try again.")


def _command(table: TableCode, served: Served, body: NewTable, rules: Struct) -> bytes:
    return msgspec.json.encode({
        "type": "CreateTable", "table": table.table_id, "game": body.game, "revision": served.game.revision,
        "seats": body.seats, "rules": Raw(_canonical.encode(rules)), "private": body.private, "sit": body.sit,
    })  # fmt: skip


def _envelope(gateway: Gateway, caller: Caller, table: TableCode, request_id: str, command: bytes) -> Envelope:
    return Envelope(
        table.table_id, caller.player, request_id, command, gateway.instance, gateway.micros(), http=True,
        name=caller.name,
    )  # fmt: skip


async def _stands(gateway: Gateway, table: TableCode, caller: Caller, judged: Judged) -> bool:
    """Whether it was made long ago, so that its owner no longer remembers the first request."""
    if judged.refused == "id_reused":
        return False
    view = await gateway.link.view(table.table_id, caller.player)
    return view is not None and view.found
