"""What the server says on a socket, as types: the shape of its frames, for whoever writes or documents them."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType


class View(Struct, tag="view", frozen=True):
    """The newest view; a part that has not changed may be left out. `own` is for a seat only, null after leaving it.

    `n` counts for each audience, densely, within an epoch; `now` is the table's time in µs.
    """

    epoch: int
    n: int
    now: int
    public: dict[str, Any] | UnsetType = UNSET
    own: dict[str, Any] | UnsetType | None = UNSET
    news: list[dict[str, Any]] | UnsetType = UNSET


class Beat(Struct, tag="beat", frozen=True):
    """The newest (epoch, n) there is, every 5 s and as the answer to a ping, whose `t` it has."""

    epoch: int
    n: int
    now: int
    t: int | float | UnsetType = UNSET


class Unknown(Struct, tag="unknown", frozen=True):
    """No verdict came in 5 s: the same id may be sent again."""

    id: str


class Error(Struct, tag="error", frozen=True):
    """What no client of ours could send was sent; it reached no table. `id` is the command's, if it had one."""

    code: str
    detail: str
    id: str | UnsetType = UNSET


class Closing(Struct, tag="closing", frozen=True):
    """The server closes the socket next, on purpose; `retry_ms` is when to come back."""

    reason: str
    retry_ms: int | UnsetType = UNSET


class Token(Struct, tag="token", frozen=True):
    """A newer token for the same player, to be used from now on."""

    token: str
