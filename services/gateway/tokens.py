"""Bearer tokens: player, time of issue and key, under an HMAC; those of auditors and operators say so. They hold
for 30 days and are renewed by use."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import jwt

SECONDS_MAX = 30 * 86_400
RENEW_AFTER_SECONDS = 86_400
_AHEAD_SECONDS = 300

Role = Literal["auditor", "operator"]
"""An auditor may read every finished round; an operator meets no limit of the gateway."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose token it is. `old`: it is time to hand out a new one."""

    player: str
    old: bool
    role: Role | None = None


class Tokens:
    """Signs with the first of `keys` (key id -> secret), believes them all."""

    def __init__(self, keys: Mapping[str, str]) -> None:
        if not keys:
            raise ValueError("at least one token key is needed")
        self._keys = dict(keys)
        self._newest = next(iter(self._keys))

    def issue(self, player: str, now: int, role: Role | None = None) -> str:
        """A token for a player; `now` in seconds."""
        claims = {"sub": player, "iat": now, **({"role": role} if role else {})}
        return jwt.encode(claims, self._keys[self._newest], algorithm="HS256", headers={"kid": self._newest})

    def holder(self, token: str, now: int) -> Holder | None:
        """Whose token it is; None for a forged, broken or outdated one."""
        try:
            kid = jwt.get_unverified_header(token).get("kid")
            key = self._keys.get(kid) if isinstance(kid, str) else None
            if key is None:
                return None
            options = {"require": ["sub", "iat"], "verify_iat": False}
            claims = jwt.decode(token, key, algorithms=["HS256"], options=options)  # type: ignore[arg-type]
        except (jwt.InvalidTokenError, ValueError):
            return None
        issued = claims["iat"]
        if not isinstance(issued, int) or not -_AHEAD_SECONDS <= now - issued <= SECONDS_MAX:
            return None
        old = kid != self._newest or now - issued > RENEW_AFTER_SECONDS
        role = claims.get("role")
        return Holder(claims["sub"], old, role if role in get_args(Role) else None)
