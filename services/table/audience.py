"""What each audience of a table was last shown, and the frames that say what is new: each gets its own and no more."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import msgspec

from services.table.presence import Presence
from shared.wire.messages import Answer, Frames, Part

WATCHERS = ""
"""The audience of everyone without a player's token."""

Own = Callable[[str], dict[str, object] | None]
"""player -> what their seat sees besides, None without a seat."""
Headlines = list[dict[str, object]]
Told = list[tuple[Headlines, bytes]]
"""Headlines encoded for one audience: most are the same for everyone."""
News = Callable[[str], Headlines]
"""player -> the headlines for them."""

_encoder = msgspec.json.Encoder()


@dataclass(slots=True)
class Change:
    """What was committed, as every audience may ask of it. Only the `touched` players' own views differ; None: any."""

    public: dict[str, object]
    own: Own
    news: News
    touched: frozenset[str] | None = None


class Audience:
    """Frame numbers count for each player, and for the watchers, densely: one more for each frame they are sent."""

    __slots__ = ("_n", "_own", "_public", "_stale")

    def __init__(self) -> None:
        self._public = b""
        self._n: dict[str, int] = {}
        self._own: dict[str, bytes] = {}
        self._stale: set[str] = set()

    def change(self, presence: Presence, change: Change) -> dict[str, Frames]:
        """Gateway -> what is new for those it holds (nothing: no entry); the caller fills in table, epoch and now."""
        encoded = _encoder.encode(change.public)
        changed = encoded != self._public
        self._public = encoded
        frames: dict[str, Frames] = {}
        parts: dict[str, Part | None] = {}
        told: Told = []
        for gateway in presence.gateways():
            mine = []
            for player in _audiences(presence, gateway):
                if player not in parts:
                    parts[player] = self._part(player, changed, change, told)
                part = parts[player]
                if part is not None:
                    mine.append(part)
            if mine:
                frames[gateway] = Frames("", 0, 0, encoded if changed else b"", tuple(mine))
        self._age(parts, changed)
        return frames

    def whole(self, players: Iterable[str], public: dict[str, object], own: Own) -> Frames:
        """Everything for these, as of now, for one who comes or came back."""
        parts = tuple(self._newest(player, own) for player in players)
        return Frames("", 0, 0, _encoder.encode(public), parts, whole=True)

    def _part(self, player: str, changed: bool, change: Change, told: Told) -> Part | None:
        known = self._own.get(player)
        same = known is not None and change.touched is not None and player not in change.touched
        stale = player in self._stale
        mine = known if same and known is not None and not stale else self._encoded(change.own(player))
        headlines = change.news(player)
        if not changed and mine == known and not headlines and not stale:
            return None
        self._own[player] = mine
        self._stale.discard(player)
        n = self._n[player] = self._n.get(player, 0) + 1
        return Part(player, n, _own_part(mine, known), _news(headlines, told))

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


def _own_part(mine: bytes, known: bytes | None) -> bytes:
    """Empty when unchanged; one who lost their seat is told so."""
    if mine == known:
        return b""
    return mine or b"null" if known else mine


def _audiences(presence: Presence, gateway: str) -> Iterable[str]:
    players = presence.players_at(gateway)
    return (WATCHERS, *players) if presence.watched_at(gateway) else players


def _news(headlines: Headlines, told: Told) -> bytes:
    if not headlines:
        return b""
    for known, encoded in told:
        if known == headlines:
            return encoded
    told.append((headlines, _encoder.encode(headlines)))
    return told[-1][1]
