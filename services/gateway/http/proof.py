"""The site's log of sealed rounds, published: its checkpoint and tiles as C2SP has them (https://c2sp.org/tlog-tiles),
consistency proofs, and the public keys."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel

from services.gateway.gateway import Caller, Gateway
from services.gateway.http import caller as callers
from services.gateway.problems import Problem
from shared.proof.tree import TILE_WIDTH, Tree, entries, tile_number

LEVELS_MAX = 6
PATH_LENGTH_MAX = 40
_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}
_From = Annotated[int, Query(alias="from", ge=1, lt=2**53)]
_Size = Annotated[int, Query(ge=1, lt=2**53)]


class Consistent(BaseModel):
    """The proof (hex, as RFC 9162 has it) that the log of `to` rounds begins with the one of `from`."""

    proof: list[str]


class Keys(BaseModel):
    """The log's name and its public keys, `<name>+<key id>+<base64>`; the newest signs."""

    origin: str
    keys: list[str]


def router(gateway: Gateway) -> APIRouter:
    """The routes under /api."""
    routes = APIRouter(tags=["proof"])
    someone = Annotated[Caller | None, Depends(callers.someone(gateway))]

    @routes.get("/consistency", summary="That one checkpoint's log begins with another's")
    async def consistency(caller: someone, old: _From, to: _Size) -> Consistent:
        tree = await _tree(gateway, to)
        if tree is None or old > to:
            raise Problem(404, "no_such_checkpoint", "There are no such checkpoints.")
        return Consistent(proof=[step.hex() for step in tree.consistency(old, to)])

    @routes.get("/keys", summary="The public keys of checkpoints and receipts")
    async def keys(caller: someone) -> Keys:
        return Keys(origin=gateway.settings.origin, keys=[str(key) for key in gateway.verifiers])

    return routes


def published(gateway: Gateway) -> APIRouter:
    """The routes at the top, where the format wants them."""
    routes = APIRouter(tags=["proof"])
    someone = Annotated[Caller | None, Depends(callers.someone(gateway))]

    @routes.get("/checkpoint", summary="The newest checkpoint, a signed note", response_model=None)
    async def checkpoint(caller: someone) -> Response:
        newest = await gateway.site.ledger.newest()
        if newest is None:
            raise Problem(404, "no_checkpoint", "Nothing is sealed yet.")
        return Response(newest.note, media_type="text/plain; charset=utf-8")

    @routes.get("/tile/entries/{path:path}", summary="256 leaves, each behind its length", response_model=None)
    async def leaves(path: str, caller: someone) -> Response:
        number, width = _tile(path)
        newest = await gateway.site.ledger.newest()
        if newest is None or number * TILE_WIDTH + width > newest.size:
            raise _no_tile()
        found = await gateway.site.ledger.leaves(number * TILE_WIDTH, width)
        return Response(entries(found), media_type="application/octet-stream", headers=_FOREVER)

    @routes.get("/tile/{level}/{path:path}", summary="256 hashes of one level", response_model=None)
    async def tile(level: int, path: str, caller: someone) -> Response:
        number, width = _tile(path)
        if not 0 <= level < LEVELS_MAX:
            raise _no_tile()
        tree = await _tree(gateway, (number * TILE_WIDTH + width) * TILE_WIDTH**level)
        hashes = None if tree is None else tree.tile(level, number, width)
        if hashes is None:
            raise _no_tile()
        return Response(hashes, media_type="application/octet-stream", headers=_FOREVER)

    return routes


async def _tree(gateway: Gateway, size: int) -> Tree | None:
    """The tree with so many leaves, if a checkpoint has them."""
    newest = await gateway.site.ledger.newest()
    return None if newest is None or newest.size < size else await gateway.site.tree(size)


def _tile(path: str) -> tuple[int, int]:
    """Number and width of a tile: `x001/067`, or `x001/067.p/8` for a partial one."""
    name, partial, width = path.partition(".p/")
    number = tile_number(name) if len(name) < PATH_LENGTH_MAX else None
    wide = TILE_WIDTH if not partial else int(width) if width.isdecimal() and width.isascii() and len(width) < 4 else 0
    if number is None or not 0 < wide <= TILE_WIDTH or (partial and (wide == TILE_WIDTH or str(wide) != width)):
        raise _no_tile()
    return number, wide


def _no_tile() -> Problem:
    return Problem(404, "no_such_tile", "There is no such tile, or not yet.")
