"""The bus as its users see it: fire-and-forget messages on dotted subjects. No delivery, order or truth is promised
beyond: between one publisher and one subscription, order holds."""

from collections.abc import Callable
from typing import Protocol

Callback = Callable[[str, bytes, str | None], None]
"""(subject, payload, reply subject or None); runs on the event loop and must not block."""


class Subscription(Protocol):
    """A running subscription."""

    async def stop(self) -> None:
        """No callback runs after this returns."""


class Bus(Protocol):
    """Subjects are NATS subjects: tokens joined by dots, `*` matches one token, a trailing `>` one or more."""

    @property
    def connected(self) -> bool:
        """Whether messages can be sent now. While False nothing is buffered and `publish` drops."""

    def publish(self, subject: str, payload: bytes, reply: str | None = None) -> None:
        """Send without waiting; dropped (and counted) while disconnected."""

    async def subscribe(self, subject: str, callback: Callback, queue: str | None = None) -> Subscription:
        """Call back for each message; with `queue` one subscriber of that queue group gets each message."""

    async def request(self, subject: str, payload: bytes, timeout: float) -> bytes:
        """One answer. Raises NoResponders at once if nobody listens, TimeoutError after `timeout` seconds."""

    def on_no_responders(self, callback: Callable[[str], None]) -> None:
        """Register for the reply subjects of published messages that had a `reply` and met no subscriber."""

    async def close(self) -> None:
        """Flush and disconnect."""


class NoResponders(Exception):
    """Nobody listens on that subject."""
