"""/healthz and /readyz, without detail: alive, and fit to be sent people."""

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse

from services.gateway.gateway import Gateway


def router(gateway: Gateway) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["health"])

    @routes.get("/healthz", summary="Alive", response_class=PlainTextResponse)
    async def healthz() -> Response:
        return Response("ok", media_type="text/plain")

    @routes.get("/readyz", summary="Ready", response_class=PlainTextResponse)
    async def readyz() -> Response:
        ready = gateway.fit and await gateway.store.ready()
        return Response("ok" if ready else "not ready", 200 if ready else 503, media_type="text/plain")

    return routes
