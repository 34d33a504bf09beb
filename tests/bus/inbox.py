"""What a subscription heard, to be waited for."""

import asyncio
from collections.abc import Callable


class Inbox:
    """A callback that keeps what it is called with."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, bytes, str | None]] = []

    def __call__(self, subject: str, payload: bytes, reply: str | None) -> None:
        self.messages.append((subject, payload, reply))

    @property
    def payloads(self) -> list[bytes]:
        """The payloads in order of arrival."""
        return [payload for _, payload, _ in self.messages]

    async def holds(self, number: int) -> None:
        """Wait until that many messages are there."""
        await until(lambda: len(self.messages) >= number)


async def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait for a condition. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)
