"""A player of a running service over HTTP and socket, for commands of this command line."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen
from uuid import uuid4

import msgspec
from msgspec import Struct
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

ANSWER_SECONDS = 10.0


class NoAnswer(Exception):
    """The service can't be reached, or refuses; the message says which."""


class Player(Struct):
    """Who we are there."""

    player_id: str
    token: str


class Opened(Struct):
    """A table of ours."""

    table_id: str
    code: str


class Verdict(Struct):
    """What became of a command."""

    accepted: bool
    refused: str | None = None


class Frame(Struct):
    """A frame of the socket, as far as the command line looks at it. Parts that did not change are absent."""

    type: str
    public: msgspec.Raw = msgspec.Raw()
    news: tuple[dict[str, Any], ...] = ()


class Client:
    """One player at one address; `token` once joined."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self.token: str | None = None

    async def answers(self) -> bool:
        """Whether a service is there."""
        try:
            await asyncio.to_thread(self._call, "GET", "/healthz", None, 1.0)
        except NoAnswer:
            return False
        return True

    async def join(self, name: str) -> None:
        """Become a player."""
        self.token = (await self.call(Player, "POST", "/api/players", {"name": name})).token

    async def open(self, game: str, seats: int, rules: Mapping[str, object]) -> Opened:
        """Open a table where we don't sit."""
        wish = {"game": game, "seats": seats, "rules": rules, "private": False, "sit": False}
        opened: Opened = await self.call(Opened, "POST", "/api/tables", wish)
        return opened

    async def send(self, table: str, command: Mapping[str, object]) -> None:
        """Send a command that must be accepted. Raises NoAnswer."""
        body = {"id": str(uuid4()), "command": command}
        verdict = await self.call(Verdict, "POST", f"/api/tables/{table}/commands", body)
        if not verdict.accepted:
            raise NoAnswer(f"{command['type']} was refused: {verdict.refused}")

    async def watch(self, table: str) -> AsyncIterator[Frame]:
        """The frames of a spectator, over as many connections as it takes."""
        address = f"{self.url.replace('http', 'ws', 1)}/api/tables/{table}/live"
        async for socket in connect(address, subprotocols=[Subprotocol("quartet.v1")]):
            try:
                await socket.send('{"type":"hello"}')
                async for text in socket:
                    yield msgspec.json.decode(text, type=Frame)
            except ConnectionClosed:
                continue

    async def call(self, kind: type[Any], method: str, path: str, body: object = None) -> Any:
        """One request and its decoded answer. Raises NoAnswer."""
        return msgspec.json.decode(await asyncio.to_thread(self._call, method, path, body, ANSWER_SECONDS), type=kind)

    def _call(self, method: str, path: str, body: object, seconds: float) -> bytes:
        headers = {"Content-Type": "application/json"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(self.url + path, data, headers, method=method), timeout=seconds) as answer:
                found: bytes = answer.read()
                return found
        except HTTPError as refused:
            raise NoAnswer(f"{method} {path}: {refused.code} {refused.read().decode(errors='replace')}") from refused
        except (URLError, OSError, ValueError, HTTPException) as fault:
            raise NoAnswer(f"{self.url} does not answer: {fault}") from fault
