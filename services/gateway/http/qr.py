"""GET /api/qr/{code}.svg: the link to a table as a QR code, drawn here."""

import io
from typing import Annotated

import segno
from fastapi import APIRouter, Depends, Path, Request, Response

from services.gateway import codes
from services.gateway.gateway import Gateway
from services.gateway.http.caller import counted
from services.gateway.problems import Problem


def router(gateway: Gateway) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["tables"], dependencies=[Depends(counted(gateway))])

    @routes.get("/qr/{code}.svg", summary="A table's link as a QR code", response_model=None)
    async def qr(code: Annotated[str, Path(max_length=16)], request: Request) -> Response:
        read = codes.read(code)
        if read is None:
            raise Problem(404, "no_such_code", "This can't be a table's code.")
        site = gateway.settings.public_url.rstrip("/") or str(request.base_url).rstrip("/")
        drawn = io.BytesIO()
        try:
            made = segno.make(f"{site}/?join={read}", error="m")
        except segno.DataOverflowError:
            raise Problem(400, "bad_request", "The Host header is too long for a QR code.") from None
        made.save(drawn, kind="svg", border=4, xmldecl=False, svgclass=None)
        return Response(drawn.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})

    return routes
