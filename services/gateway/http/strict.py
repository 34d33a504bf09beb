"""Bodies that are JSON as RFC 8259 has it, in UTF-8: no NaN, no half characters, no nesting without end."""

import json
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
from fastapi import Request, Response
from fastapi.routing import APIRoute


class Strict(APIRoute):
    """A route whose body is read strictly: what is no JSON is answered 400 `not_json`."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            return await handle(_Read(request.scope, request.receive))

        return strictly


class _Read(Request):
    async def json(self) -> Any:
        try:
            return _decode(await self.body())
        except (msgspec.DecodeError, RecursionError) as fault:
            raise json.JSONDecodeError(str(fault), "", 0) from None


_decode = msgspec.json.Decoder().decode
