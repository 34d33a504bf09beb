"""Someone at the other end: over HTTP with a token, over sockets frame by frame."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError

PATIENCE_SECONDS = 5.0

Frame = dict[str, Any]


class Socket:
    """One open socket; what was read by `until` on the way is in `seen`."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.seen: list[Frame] = []

    async def say(self, frame: object) -> None:
        await self.connection.send(frame if isinstance(frame, str | bytes) else json.dumps(frame))

    async def hear(self) -> Frame:
        """The next frame; beats that come by themselves, as on a slow machine, are passed over."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            frame: Frame = json.loads(await self.connection.recv())
            while frame["type"] == "beat" and "t" not in frame:
                frame = json.loads(await self.connection.recv())
        self.seen.append(frame)
        return frame

    async def until(self, kind: str) -> Frame:
        while (frame := await self.hear())["type"] != kind:
            pass
        return frame

    async def command(self, command: Frame, id: str | None = None, **more: object) -> str:
        id = id or str(uuid4())
        await self.say({"type": "command", "id": id, "command": command, **more})
        return id

    async def closed(self) -> int | None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            with contextlib.suppress(ConnectionClosedError):
                async for text in self.connection:
                    self.seen.append(json.loads(text))
            await self.connection.wait_closed()
        return self.connection.close_code


@asynccontextmanager
async def open_socket(url: str, table_id: str, hello: Frame | None, **options: Any) -> AsyncIterator[Socket]:
    """A socket of anyone; `hello` None: nothing is said."""
    options = {"subprotocols": ["quartet.v1"], "compression": None, **options}
    async with connect(f"{url}/api/tables/{table_id}/live", **options) as connection:
        socket = Socket(connection)
        if hello is not None:
            await socket.say({"type": "hello", **hello})
        yield socket


class Person:
    """A player with a token."""

    def __init__(self, url: str, http: httpx.AsyncClient, player_id: str, name: str, token: str) -> None:
        self.url = url
        self.http = http
        self.player = player_id
        self.name = name
        self.token = token

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def make(self, **body: object) -> httpx.Response:
        wanted = {"game": "toy", "seats": 4, "rules": {}, "private": False, **body}
        return await self.http.post("/api/tables", json=wanted, headers=self.headers)

    async def table(self, **body: object) -> str:
        answer = await self.make(**body)
        assert answer.status_code == 201, answer.text
        table_id: str = answer.json()["table_id"]
        return table_id

    async def send(self, table_id: str, command: Frame, id: str | None = None) -> httpx.Response:
        body = {"id": id or str(uuid4()), "command": command}
        return await self.http.post(f"/api/tables/{table_id}/commands", json=body, headers=self.headers)

    async def get(self, path: str) -> httpx.Response:
        return await self.http.get(path, headers=self.headers)

    def socket(self, table_id: str, url: str | None = None, **hello: Any) -> Any:
        return open_socket(url or self.url, table_id, {"token": self.token, **hello})
