"""One socket after its hello: what it says is checked for its shape and passed on, what it is told waits in one
bounded queue. Everything here runs on the event loop, in the callback of whoever has news."""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable
from functools import partial
from typing import Protocol

import msgspec

from services.gateway import frames, shape
from services.gateway.closing import Closing
from services.gateway.direct import Direct
from services.gateway.frames import CommandFrame, Hello, Ping, Resync
from services.gateway.limits import Meters
from services.gateway.shown import Audience
from shared.kernel import Command, Refused
from shared.wire import verdict
from shared.wire.courier import Outcome
from shared.wire.messages import Envelope

EARLY_MAX = 16
NOISE_MAX = 100


class Desk(Protocol):
    """What a line needs of its gateway."""

    instance: str
    requests: Meters
    frame_bytes_max: int
    unsent_bytes_max: int
    slow_seconds_max: float
    errors: Counter[str]
    closings: Counter[str]
    clock: Callable[[], float]

    def send(self, envelope: Envelope, command: Command, outcome: Outcome) -> str | None:
        """Send a command on its way; else a refusal's code, and `outcome` is never called."""

    def want(self, audience: Audience) -> None:
        """Ask for a whole view."""


class Line:
    """A socket at one table. What comes in first is `first` (None: nothing that could be a hello); until `open` the
    rest is kept. `player` is empty for a spectator; `signed`: verdicts come with signed receipts; limits hold for the
    `bounded`."""

    __slots__ = (
        "_behind_since", "_desk", "_early", "_name", "_noise", "_owed", "_owed_bytes", "_shapes",
        "audience", "bounded", "closing", "direct", "first", "hungry", "key", "player", "signed",
    )  # fmt: skip

    def __init__(self, desk: Desk, direct: Direct, address: str) -> None:
        self._desk = desk
        self.direct = direct
        self._early: list[bytes] | None = []
        self._owed: deque[bytes] | None = None
        self._owed_bytes = 0
        self._behind_since = 0.0
        self._noise = 0
        self._shapes: msgspec.json.Decoder[Command] | None = None
        self._name: str | None = None
        self.player = ""
        self.signed = False
        self.bounded = True
        self.key = address
        self.audience: Audience | None = None
        self.hungry = True
        self.first: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        self.closing: Closing | None = None

    def open(self, audience: Audience, shapes: msgspec.json.Decoder[Command], name: str | None) -> None:
        """From now on at a table, as one of an audience; what came early is taken now."""
        self.audience, self._shapes, self._name = audience, shapes, name
        self.player = audience.player
        self.key = self.player or self.key
        audience.lines[self] = None
        early, self._early = self._early or [], None
        for data in early:
            self.received(data)

    def received(self, data: bytes | None) -> None:
        """A message from the client."""
        if self._early is not None:
            return self._keep(data)
        if self.bounded and not self._desk.requests.take(self.key):
            self._noise += 1
            if self._noise > NOISE_MAX:
                return self.close(Closing.TOO_MANY_REQUESTS)
            return self._error("too_many_requests", "Too many requests in a second; wait a little.")
        if data is None:
            return self._error("not_text", "Only text frames are understood.")
        if len(data) > self._desk.frame_bytes_max:
            return self._error("too_long", f"A frame has at most {self._desk.frame_bytes_max} bytes.")
        try:
            frame = frames.client_frame.decode(data)
        except msgspec.ValidationError as fault:
            return self._error("bad_frame", str(fault))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return self._error("not_json", "A frame is one JSON object.")
        self._take(frame)

    def view(self, frame: bytes) -> None:
        """Send a view; one who reads slowly gets the newest when they have caught up, and none between."""
        if self._owed is None:
            self.direct.write(frame)

    def verdict(self, id: str, frame: bytes | None) -> None:
        """Send what became of a command, after its view."""
        self.send(frames.text(frames.unknown(id) if frame is None else frame))

    def send(self, frame: bytes) -> None:
        """Send a frame that must arrive; too much of it for one who does not read, and the socket is closed."""
        if self._owed is None:
            return self.direct.write(frame)
        self._owed.append(frame)
        self._owed_bytes += len(frame)
        if self._owed_bytes > self._desk.unsent_bytes_max:
            self.close(Closing.TOO_SLOW)

    def beat(self, t: int | float | None = None) -> None:
        """Say which view is the newest; nobody who is behind needs it."""
        if self._owed is not None:
            if self._desk.clock() - self._behind_since > self._desk.slow_seconds_max:
                self.close(Closing.TOO_SLOW)
        elif self.audience is not None and self.audience.whole:
            audience = self.audience
            self.direct.write(frames.text(frames.beat(audience.epoch, audience.n, audience.table.clock(), t)))

    def close(self, closing: Closing, retry_ms: int | None = None) -> None:
        """Close on purpose, saying why."""
        if self.closing is None:
            self.closing = closing
            self._desk.closings[closing.reason] += 1
            self.direct.write(frames.text(frames.closing(closing.reason, retry_ms)))
            self.direct.hang_up(closing.code, closing.reason)

    def stalled(self) -> None:
        """The peer's buffers are full: from now on the newest view is owed, not each."""
        if self._owed is None:
            self._owed = deque()
            self._owed_bytes = 0
            self._behind_since = self._desk.clock()

    def flowing(self) -> None:
        """The peer has caught up: the newest view, and the verdicts that waited."""
        owed, self._owed = self._owed, None
        if self.audience is not None:
            self.audience.feed(self)
        for frame in owed or ():
            self.send(frame)

    def lost(self) -> None:
        """The connection is gone; whoever waits for its first word needn't."""
        if not self.first.done():
            self.first.set_result(None)

    def _keep(self, data: bytes | None) -> None:
        if not self.first.done():
            return self.first.set_result(data)
        if data is None or len(self._early or ()) >= EARLY_MAX or len(data) > self._desk.frame_bytes_max:
            return self.close(Closing.BAD_HELLO)
        if self._early is not None:
            self._early.append(data)

    def _take(self, frame: frames.ClientFrame) -> None:
        match frame:
            case CommandFrame():
                self._command(frame)
            case Ping(t):
                self.beat(t)
            case Resync():
                self._resync()
            case Hello():
                self._error("bad_frame", "Hello is said once.")

    def _command(self, frame: CommandFrame) -> None:
        if not self.player or self.audience is None or self._shapes is None:
            return self._error("no_token", "Who only watches sends no commands.")
        command = shape.checked(self._shapes, frame.id, frame.command, frame.sent)
        if isinstance(command, shape.Unfit):
            return self._error(command.code, command.detail, frame.id[:64])
        desk = self._desk
        envelope = Envelope(
            self.audience.table.id, self.player, frame.id, shape.encode(command), desk.instance,
            time.time_ns() // 1000, frame.sent, frame.round, False, self._name, self.signed,
        )  # fmt: skip
        code = desk.send(envelope, command, partial(self.verdict, frame.id))
        if code is not None:
            self.verdict(frame.id, verdict.refused(frame.id, Refused(code), None))

    def _resync(self) -> None:
        if self.audience is not None:
            self.hungry = True
            if not (self._owed is None and self.audience.feed(self)):
                self._desk.want(self.audience)

    def _error(self, code: str, detail: str, id: str | None = None) -> None:
        self._desk.errors[code] += 1
        self.send(frames.text(frames.error(code, detail, id)))
