"""What this gateway shows: of each table the newest public bytes, of each audience its newest own bytes and number."""

from collections.abc import Callable
from typing import Protocol

from services.gateway import frames
from shared.eventlog.port import partition_of
from shared.wire.messages import Frames, HeldTable, Part

WATCHERS = ""


class Line(Protocol):
    """One open socket, as its audience sees it."""

    hungry: bool
    """Waits for a whole view: just come, or asked to resync."""

    def view(self, frame: bytes) -> None:
        """Send a view that is encoded already, or note that the newest is owed."""


class Audience:
    """Those who see the same of a table: a player's sockets, or (`player` empty) all watchers."""

    __slots__ = ("epoch", "heard", "lines", "n", "own", "player", "table", "whole")

    def __init__(self, table: "ShownTable", player: str) -> None:
        self.table = table
        self.player = player
        self.lines: dict[Line, None] = {}
        self.epoch = 0
        self.n = 0
        self.own = b""
        self.whole = False
        self.heard = 0.0

    def take(self, message: Frames, part: Part) -> bool:
        """Show a part to everyone here; False: something was lost on the way, and a whole view is wanted."""
        whole = message.whole or bool(message.public and (part.own or not self.player))
        self.heard = self.table.heard
        if part.n <= self.n and message.epoch == self.epoch:
            return self._again(part) if whole and part.n == self.n else self.whole
        if not whole and (not self.whole or message.epoch != self.epoch or part.n != self.n + 1):
            self.whole = False
            return False
        self.epoch, self.n, self.whole = message.epoch, part.n, True
        if part.own or message.whole:
            self.own = part.own
        frame = frames.text(*frames.view(message.epoch, part.n, message.now, message.public, part.own, part.news))
        for line in self.lines:
            line.view(frame)
            if whole:
                line.hungry = False
        return True

    def feed(self, line: Line) -> bool:
        """Give one line the newest whole view; False if there is none yet."""
        frame = self.newest()
        line.hungry = frame is None
        if frame is None:
            return False
        line.view(frame)
        return True

    def newest(self) -> bytes | None:
        """The frame of the newest whole view; None while it is not known."""
        if not self.whole:
            return None
        table = self.table
        return frames.text(*frames.view(self.epoch, self.n, table.clock(), table.public, self.own, b""))

    def _again(self, part: Part) -> bool:
        """The same number once more: for those who wait for it."""
        self.own, self.whole = part.own, True
        for line in self.lines:
            if line.hungry:
                self.feed(line)
        return True


class ShownTable:
    """One table that is looked at through this gateway. `clock()` is the table's time in µs as far as we know it."""

    __slots__ = ("_monotonic", "_now", "audiences", "epoch", "heard", "id", "partition", "public")

    def __init__(self, id: str, monotonic: Callable[[], float]) -> None:
        self.id = id
        self.partition = partition_of(id)
        self.public = b""
        self.epoch = 0
        self.audiences: dict[str, Audience] = {}
        self.heard = 0.0
        self._now = 0
        self._monotonic = monotonic

    def clock(self) -> int:
        """The newest frame's time and what has passed since."""
        return self._now + round((self._monotonic() - self.heard) * 1_000_000)

    def take(self, message: Frames) -> list[Audience]:
        """Show a committed change to all it concerns; those who lost something on the way come back."""
        if message.epoch < self.epoch or self._late(message):
            return []
        self.epoch = message.epoch
        self.heard = self._monotonic()
        self._now = message.now
        if message.public:
            self.public = message.public
        lost = []
        for part in message.parts:
            audience = self.audiences.get(part.player)
            if audience is not None and not audience.take(message, part):
                lost.append(audience)
        return lost

    def _late(self, message: Frames) -> bool:
        """Whether all that it is for have seen a newer one: what was public then is no longer (C-16)."""
        found = ((self.audiences.get(part.player), part.n) for part in message.parts)
        known = [(audience, n) for audience, n in found if audience is not None]
        return bool(known) and all(audience.epoch == message.epoch and n < audience.n for audience, n in known)

    def held(self) -> HeldTable:
        """Whom we hold here, for the table's owner."""
        watchers = self.audiences.get(WATCHERS)
        players = tuple(player for player in self.audiences if player)
        return HeldTable(self.id, players, len(watchers.lines) if watchers else 0)
