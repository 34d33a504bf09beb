"""What each audience of a table was last shown, and the frames that say what is new: each gets its own and no more."""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from services.table.presence import Presence
from shared.wire.messages import Answer, Frames, Part

WATCHERS = ""
"""The audience of everyone without a player's token."""

Own = Callable[[str], dict[str, object] | None]
"""player -> what their seat sees besides, None without a seat."""
Headlines = list[dict[str, object]]
Cache = list[tuple[Headlines, bytes]]
News = Callable[[str], Headlines]
"""player -> the headlines for them."""

_encoder = msgspec.json.Encoder()


class Audience:
    """Frame numbers count for each player, and for the watchers, densely: one more for each frame they are sent."""

    __slots__ = ("_n", "_own", "_public", "_stale")

    def __init__(self) -> None:
        self._public = b""
        self._n: dict[str, int] = {}
        self._own: dict[str, bytes] = {}
        self._stale: set[str] = set()

    def change(self, presence: Presence, public: dict[str, object], own: Own, news: News) -> dict[str, Frames]:
        """Gateway -> what is new for those it holds (nothing: no entry); the caller fills in table, epoch and now."""
        encoded = _encoder.encode(public)
        changed = encoded != self._public
        self._public = encoded
        frames: dict[str, Frames] = {}
        parts: dict[str, Part | None] = {}
        cache: Cache = []
        for gateway in presence.gateways():
            mine = [
                part
                for player in _audiences(presence, gateway)
                if (part := parts[player] if player in parts else self._part(parts, player, changed, own, news, cache))
            ]
            if mine:
                frames[gateway] = Frames("", 0, 0, encoded if changed else b"", tuple(mine))
        self._age(parts, changed)
        return frames

    def whole(self, players: Iterable[str], public: dict[str, object], own: Own) -> Frames:
        """Everything for these, as of now, for one who comes or came back."""
        parts = tuple(self._newest(player, own) for player in players)
        return Frames("", 0, 0, _encoder.encode(public), parts, whole=True)

    def _part(
        self,
        parts: dict[str, Part | None],
        player: str,
        changed: bool,
        own: Own,
        news: News,
        cache: Cache,
    ) -> Part | None:
        mine = self._encoded(own(player))
        known = self._own.get(player)
        headlines = news(player)
        if not changed and mine == known and not headlines and player not in self._stale:
            parts[player] = None
            return None
        self._own[player] = mine
        self._stale.discard(player)
        n = self._n[player] = self._n.get(player, 0) + 1
        part = parts[player] = Part(player, n, _told(mine, known), _news(headlines, cache))
        return part

    def _newest(self, player: str, own: Own) -> Part:
        mine = self._encoded(own(player))
        if player not in self._n or player in self._stale or mine != self._own.get(player):
            self._own[player] = mine
            self._stale.discard(player)
            self._n[player] = self._n.get(player, 0) + 1
        return Part(player, self._n[player], mine)

    def _encoded(self, own: dict[str, object] | None) -> bytes:
        return b"" if own is None else _encoder.encode(own)

    def _age(self, shown: dict[str, Part | None], changed: bool) -> None:
        """Whoever is held nowhere now missed this one: their next view is a new frame."""
        if changed and len(shown) < len(self._n):
            self._stale.update(self._n.keys() - shown.keys())


def with_answers(frames: Frames, table: str, epoch: int, now: int, answers: Sequence[Answer]) -> Frames:
    """The frames as they are sent."""
    return Frames(table, epoch, now, frames.public, frames.parts, tuple(answers), frames.whole)


def _told(mine: bytes, known: bytes | None) -> bytes:
    """One who lost their seat is told so."""
    if mine == known:
        return b""
    return mine or b"null" if known else mine


def _audiences(presence: Presence, gateway: str) -> list[str]:
    players = sorted(presence.players_at(gateway))
    return [WATCHERS, *players] if presence.watched_at(gateway) else players


def _news(headlines: Headlines, cache: Cache) -> bytes:
    """Most headlines are the same for everyone: encode those once."""
    if not headlines:
        return b""
    for known, encoded in cache:
        if known == headlines:
            return encoded
    cache.append((headlines, _encoder.encode(headlines)))
    return cache[-1][1]
