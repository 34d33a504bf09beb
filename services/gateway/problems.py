"""Every error over HTTP is RFC 9457 problem+json with a stable `code`; none tells what happened inside."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec
import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from shared.eventlog.port import Unreachable

MEDIA_TYPE = "application/problem+json"

ANSWERS: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "A problem (RFC 9457) with a stable `code`; some have further members.",
        "content": {
            MEDIA_TYPE: {
                "schema": {
                    "type": "object",
                    "required": ["type", "title", "status", "code", "detail"],
                    "properties": {
                        **{name: {"type": "string"} for name in ("type", "title", "code", "detail")},
                        "status": {"type": "integer"},
                        "faults": {"type": "array", "description": "all that is wrong, where there can be several"},
                    },
                }
            }
        },
    }
}
"""For OpenAPI: what any call answers that does not answer what was asked for."""

_CODES = {400: "not_json", 404: "not_found", 405: "method_not_allowed", 413: "too_large", 415: "bad_media_type"}

log = structlog.get_logger("gateway")


class Problem(Exception):
    """An answer that is not what was asked for. `more` are further members, `headers` further headers."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        more: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.detail = detail
        self.more = dict(more or {})
        self.headers = dict(headers or {})

    def body(self) -> bytes:
        """The JSON."""
        title = HTTPStatus(self.status).phrase
        shown = {"type": "about:blank", "title": title, "status": self.status, "code": self.code, "detail": self.detail}
        return msgspec.json.encode({**shown, **self.more})

    def response(self) -> Response:
        """The whole answer."""
        return Response(self.body(), self.status, self.headers, MEDIA_TYPE)


def too_many(what: str, seconds: int) -> Problem:
    """429: `what` in words, and when to try again."""
    return Problem(
        429, "too_many_requests", f"Too many {what}; try again later.", headers={"Retry-After": str(seconds)}
    )


def no_such_table() -> Problem:
    """404, also for what the caller may not know of."""
    return Problem(404, "no_such_table", "There is no such table.")


def unreachable() -> Problem:
    """503: what this gateway needs is away."""
    return Problem(503, "unavailable", "The service can't do this now; try again.", headers={"Retry-After": "1"})


def install(app: FastAPI) -> None:
    """Turn everything that can go wrong into problems."""
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Unreachable, _away)
    app.add_exception_handler(Exception, _broken)


async def _problem(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, Problem)
    return problem.response()


async def _invalid(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, RequestValidationError)
    found = fault.errors()
    if any(error["type"] == "json_invalid" for error in found):
        return Problem(400, "not_json", "The body is not JSON.").response()
    faults = [{"where": ".".join(str(part) for part in error["loc"]), "what": error["msg"]} for error in found]
    return Problem(422, "bad_request", "The request has not the shape it needs.", {"faults": faults}).response()


async def _http(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, HTTPException)
    code = _CODES.get(fault.status_code, f"http_{fault.status_code}")
    return Problem(fault.status_code, code, HTTPStatus(fault.status_code).phrase, headers=fault.headers).response()


async def _away(request: Request, fault: Exception) -> Response:
    route = getattr(request.scope.get("route"), "path", "")  # not the path itself: it may hold a private table's code
    log.warning("unreachable", route=route)
    return unreachable().response()


async def _broken(request: Request, fault: Exception) -> Response:
    """The fault goes on to uvicorn, which logs it, after this answer."""
    return Problem(500, "internal", "Something broke here; it is logged.").response()
