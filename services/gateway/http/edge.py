"""What holds for every HTTP exchange: bodies have a bound, answers say how they may be used. Raw ASGI."""

from typing import Any

from starlette.requests import ClientDisconnect

from services.gateway.problems import Problem

TOKEN_HEADER = "X-Quartet-Token"
RENEWED = "quartet.token"
"""Where in a scope's state a newer token waits for its answer, whatever that turns out to be."""

_ALWAYS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_UNSAID = ((b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"), (b"cache-control", b"no-store"))
"""For answers that say nothing of it themselves."""


class Edge:
    """Around the whole HTTP application. `larger` names paths with a bound of their own."""

    def __init__(self, app: Any, bytes_max: int, larger: dict[str, int]) -> None:
        self._app = app
        self._bytes_max = bytes_max
        self._larger = larger

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One exchange; a body over its bound is answered 413."""
        most = self._larger.get(scope["path"], self._bytes_max)
        started = False
        taken = 0

        async def bounded() -> Any:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > most:
                raise _TooLarge
            return message

        async def dressed(message: Any) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                said = {name.lower() for name, _ in message["headers"]}
                more = [header for header in _UNSAID if header[0] not in said]
                message = {**message, "headers": [*message["headers"], *_ALWAYS, *more, *_renewed(scope)]}
            await send(message)

        try:
            if _length(scope) > most:
                raise _TooLarge
            await self._app(scope, bounded, dressed)
        except ClientDisconnect:
            return  # in the middle of their body: nobody is left to be answered, and nothing broke
        except _TooLarge:
            if not started:
                problem = Problem(413, "too_large", f"A body has at most {most} bytes here.")
                await problem.response()(scope, receive, dressed)


class _TooLarge(BaseException):
    """Passes every handler of ordinary exceptions on its way out."""


def _renewed(scope: Any) -> list[tuple[bytes, bytes]]:
    token = scope.get("state", {}).get(RENEWED)
    return [] if token is None else [(TOKEN_HEADER.lower().encode(), token.encode())]


def _length(scope: Any) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() else 0
    return 0
