"""The whole ASGI application: sockets go to raw ASGI, everything else to FastAPI."""

from typing import Any

from fastapi import APIRouter, FastAPI

from services.gateway import problems
from services.gateway.gateway import Gateway
from services.gateway.http import audit, games, health, packs, pages, players, proof, qr, rounds, standings, tables
from services.gateway.http.edge import Edge
from services.gateway.live import Live

VERSION = "1"


def http(gateway: Gateway) -> FastAPI:
    """The HTTP half; its OpenAPI document is part of the product."""
    app = FastAPI(
        title="Quartet",
        version=VERSION,
        summary="Card games about four of a kind: people, tables, commands, finished rounds.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses=problems.ANSWERS,
    )
    api = APIRouter(prefix="/api")
    for routes in (players, games, tables, rounds, audit, standings, qr, packs, proof):
        api.include_router(routes.router(gateway))
    app.include_router(api)
    app.include_router(health.router(gateway))
    app.include_router(proof.published(gateway))
    app.include_router(pages.router())
    problems.install(app)
    return app


class Application:
    """What uvicorn serves."""

    def __init__(self, gateway: Gateway) -> None:
        self._live = Live(gateway)
        self._http = Edge(http(gateway), gateway.settings.body_bytes_max, packs.body_bounds(gateway))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One exchange or one socket."""
        await (self._live if scope["type"] == "websocket" else self._http)(scope, receive, send)
