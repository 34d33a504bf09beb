"""A TCP proxy before Postgres that loses answers: what was sent arrives and is done, and nobody hears of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from sqlalchemy import make_url


class Proxy:
    """`url` goes through it. While `deaf` counts, that many answers are swallowed and their connection is cut."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = ""
        self.swallowed = 0
        self._deaf_to: bytes | None = None

    def lose_answer_to(self, part: bytes) -> None:
        """Of the next request that contains these bytes the answer is lost and its connection cut."""
        self._deaf_to = part

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One client."""
        assert self._url.host is not None
        up_reader, up_writer = await asyncio.open_connection(self._url.host, self._url.port)
        lost = asyncio.Event()
        pumps = {
            asyncio.create_task(self._requests(reader, up_writer, lost)),
            asyncio.create_task(self._answers(up_reader, writer, lost)),
        }
        self._tasks |= pumps
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for pump in pumps:
            pump.cancel()
        for end in (writer, up_writer):
            end.transport.abort()

    async def close(self) -> None:
        """Stop what still runs."""
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await task

    async def _requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, lost: asyncio.Event) -> None:
        with suppress(OSError):
            while sent := await reader.read(1 << 20):
                if self._deaf_to is not None and self._deaf_to in sent:
                    self._deaf_to = None
                    lost.set()
                writer.write(sent)
                await writer.drain()

    async def _answers(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, lost: asyncio.Event) -> None:
        with suppress(OSError):
            while answer := await reader.read(1 << 20):
                if lost.is_set():
                    self.swallowed += 1
                    return
                writer.write(answer)
                await writer.drain()


@asynccontextmanager
async def proxied(url: str) -> AsyncIterator[Proxy]:
    """A proxy before the database at `url`."""
    proxy = Proxy(url)
    async with await asyncio.start_server(proxy.serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        target = make_url(url).set(host="127.0.0.1", port=port)
        proxy.url = target.render_as_string(hide_password=False)
        try:
            yield proxy
        finally:
            await proxy.close()
