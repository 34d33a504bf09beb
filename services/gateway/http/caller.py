"""Who calls over HTTP, and what every call needs to know of them."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from services.gateway.gateway import Caller, Gateway
from services.gateway.http.edge import RENEWED
from services.gateway.problems import Problem, too_many

_bearer = HTTPBearer(auto_error=False, description="The token that POST /api/players gave.")
_Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]

Someone = Callable[..., Awaitable[Caller | None]]
Player = Callable[..., Awaitable[Caller]]


def address(request: Request) -> str:
    """Where a request comes from, as far as this gateway can know."""
    return request.client.host if request.client else ""


def someone(gateway: Gateway) -> Someone:
    """A dependency: the player who calls, None for anyone else. A token that is not good is refused (401)."""

    async def who(request: Request, credentials: _Credentials) -> Caller | None:
        caller = None
        if credentials is not None:
            caller = await gateway.caller(credentials.credentials)
            if caller is None:
                raise Problem(401, "bad_token", "This token is not, or no longer, good.", headers=_CHALLENGE)
            if caller.token:
                request.scope.setdefault("state", {})[RENEWED] = caller.token
        bounded = caller is None or not caller.operator
        if bounded and not gateway.requests.take(caller.player if caller else address(request)):
            raise too_many("requests", 1)
        return caller

    return who


def player(gateway: Gateway) -> Player:
    """A dependency: the player who calls; without a token the call is refused (401)."""

    async def who(caller: Annotated[Caller | None, Depends(someone(gateway))]) -> Caller:
        if caller is None:
            raise Problem(401, "no_token", "This needs a player's token.", headers=_CHALLENGE)
        return caller

    return who


def counted(gateway: Gateway) -> Callable[[Request], Awaitable[None]]:
    """A dependency for calls that nobody needs a token for: they count for the address."""

    async def count(request: Request) -> None:
        if not gateway.requests.take(address(request)):
            raise too_many("requests", 1)

    return count


_CHALLENGE = {"WWW-Authenticate": "Bearer"}
