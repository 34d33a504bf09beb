"""Data of people's own that a game can load (Kwartet's packs): the game checks them, the gateway keeps them by hash."""

import asyncio
import io
from hashlib import sha256
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from PIL import Image
from pydantic import BaseModel

from services.gateway.gateway import Caller, Gateway
from services.gateway.http import caller as callers
from services.gateway.problems import Problem
from services.gateway.store import Pack
from shared.kernel import Loaded, Loader

PACKS_MAX = 200
PICTURE_BYTES_MAX = 32_768
PICTURE_SIDE_MAX = 1024

_Hash = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]
_KINDS = {"application/json": "json", "text/csv": "csv"}


class PackShown(BaseModel):
    """A pack. `rule` is the house rule of `game` that takes it; `shipped` ones are named by `name`, others by text."""

    game: str
    rule: str
    hash: str
    name: str
    language: str | None
    shipped: bool
    pack: object = None


class PictureKept(BaseModel):
    """A picture, decoded and encoded again. `picture` is how a pack refers to it."""

    hash: str
    picture: str


def body_bounds(gateway: Gateway) -> dict[str, int]:
    """How large the bodies of these calls may be."""
    most = max((loader.bytes_max for loader in loaders(gateway).values()), default=0)
    return {"/api/packs": max(most, gateway.settings.body_bytes_max)}


def loaders(gateway: Gateway) -> dict[str, Loader]:
    """The games that load something, and how."""
    return {name: served.game.loads for name, served in gateway.games.items() if served.game.loads is not None}


def router(gateway: Gateway) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["packs"])
    someone = Annotated[Caller | None, Depends(callers.someone(gateway))]
    player = Annotated[Caller, Depends(callers.player(gateway))]
    working = asyncio.Lock()
    """One pack or picture at a time, and in a thread: each takes up to half a second."""

    @routes.get("/packs", summary="The packs that come with the game, and those that people loaded")
    async def list_packs(caller: someone) -> list[PackShown]:
        return _shipped(gateway) + [
            shown for pack in await gateway.store.packs(PACKS_MAX) for shown in _kept(gateway, pack)
        ]

    @routes.get("/packs/{hash}", summary="One pack with its text")
    async def one_pack(hash: _Hash, caller: someone) -> PackShown:
        for shipped in _shipped(gateway, text=True):
            if shipped.hash == hash:
                return shipped
        pack = await gateway.store.pack(hash)
        for shown in _kept(gateway, pack, text=True) if pack else ():
            return shown
        raise Problem(404, "no_such_pack", "There is no such pack.")

    @routes.post(
        "/packs", status_code=201, summary="Load a pack: JSON, or CSV with its name in the query",
        openapi_extra=_body(*_KINDS),
    )  # fmt: skip
    async def add_pack(
        request: Request, caller: player, name: Annotated[str | None, Query(max_length=200)] = None
    ) -> PackShown:
        for game, loader in loaders(gateway).items():
            body, kind = await request.body(), _kind(request, loader)
            async with working:
                loaded = await asyncio.to_thread(_checked, loader, body, kind, name or "")
            return await _keep(gateway, game, loader, loaded, caller)
        raise Problem(404, "not_found", "No game here loads packs.")

    @routes.post(
        "/pictures", status_code=201, summary="Keep a PNG of at most 32 KB for a pack", openapi_extra=_body("image/png")
    )
    async def add_picture(request: Request, caller: player) -> PictureKept:
        body = await request.body()
        async with working:
            png = await asyncio.to_thread(redrawn, body)
        name = sha256(png).hexdigest()
        await gateway.store.add_picture(name, png)
        return PictureKept(hash=name, picture=f"sha256:{name}")

    @routes.get("/pictures/{hash}.png", summary="A picture", response_model=None)
    async def picture(hash: _Hash) -> Response:
        png = await gateway.store.picture(hash)
        if png is None:
            raise Problem(404, "no_such_picture", "There is no such picture.")
        return Response(png, media_type="image/png", headers={"Cache-Control": "max-age=31536000, immutable"})

    return routes


def _body(*kinds: str) -> dict[str, object]:
    """For OpenAPI: a body that is read as it comes."""
    return {"requestBody": {"required": True, "content": {kind: {} for kind in kinds}}}


def redrawn(body: bytes) -> bytes:
    """A PNG decoded and encoded again, so that nothing else is in it. Raises Problem."""
    if len(body) > PICTURE_BYTES_MAX:
        raise Problem(413, "too_large", f"A picture has at most {PICTURE_BYTES_MAX} bytes.")
    try:
        with Image.open(io.BytesIO(body), formats=("PNG",)) as image:
            if max(image.size) > PICTURE_SIDE_MAX:
                raise Problem(422, "bad_picture", f"A picture has at most {PICTURE_SIDE_MAX} pixels a side.")
            drawn = io.BytesIO()
            plain = image.convert("RGBA")
            plain.info.clear()  # a colour profile would be written again, whatever is in it
            plain.save(drawn, "PNG", optimize=True)
    except Problem:
        raise
    except Exception:  # Pillow lets out whatever its reading of a broken file stumbles on
        raise Problem(422, "bad_picture", "This is not a PNG that can be read.") from None
    if len(drawn.getvalue()) > PICTURE_BYTES_MAX:
        raise Problem(413, "too_large", f"Encoded again, the picture has more than {PICTURE_BYTES_MAX} bytes.")
    return drawn.getvalue()


def _kind(request: Request, loader: Loader) -> str:
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    kind = _KINDS.get(media)
    if kind not in loader.kinds:
        raise Problem(415, "bad_media_type", f"A pack comes as {', '.join(loader.kinds)}.")
    return kind


def _checked(loader: Loader, body: bytes, kind: str, name: str) -> Loaded:
    if len(body) > loader.bytes_max:
        raise Problem(413, "too_large", f"A pack has at most {loader.bytes_max} bytes.")
    loaded = loader.check(body, kind, name)
    if isinstance(loaded, tuple):
        faults = [{"line": fault.line, "code": fault.code, "words": fault.words} for fault in loaded]
        raise Problem(422, "bad_pack", "The pack was not loaded; every fault is listed.", {"faults": faults})
    return loaded


async def _keep(gateway: Gateway, game: str, loader: Loader, loaded: Loaded, caller: Caller) -> PackShown:
    missing = [name for name in loaded.pictures if await gateway.store.picture(name) is None]
    if missing:
        words = "This picture was never uploaded: sha256:"
        faults = [{"line": 0, "code": "picture", "words": f"{words}{name}"} for name in missing]
        raise Problem(422, "bad_pack", "The pack names pictures that are not here.", {"faults": faults})
    pack = Pack(loaded.hash, loaded.name, loaded.language or "", loaded.text, caller.player, gateway.micros())
    await gateway.store.add_pack(pack)
    return _shown(game, loader, loaded, shipped=False, text=True)


def _shipped(gateway: Gateway, text: bool = False) -> list[PackShown]:
    return [
        _shown(game, loader, loaded, shipped=True, text=text, name=name)
        for game, loader in loaders(gateway).items()
        for name, loaded in loader.shipped().items()
    ]


def _kept(gateway: Gateway, pack: Pack, text: bool = False) -> list[PackShown]:
    loaded = Loaded(pack.name, pack.language or None, pack.hash, pack.text)
    return [_shown(game, loader, loaded, shipped=False, text=text) for game, loader in loaders(gateway).items()][:1]


def _shown(game: str, loader: Loader, loaded: Loaded, shipped: bool, text: bool, name: str | None = None) -> PackShown:
    return PackShown(
        game=game, rule=loader.rule, hash=loaded.hash, name=name or loaded.name, language=loaded.language,
        shipped=shipped, pack=msgspec.json.decode(loaded.text) if text else None,
    )  # fmt: skip
