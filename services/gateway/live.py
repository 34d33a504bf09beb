"""The socket at /api/tables/{id}/live, as raw ASGI: handshake, hello and end; between them a Line does the work."""

import asyncio
from typing import Any
from urllib.parse import urlsplit

import msgspec

from services.gateway import codes, frames, problems, shape
from services.gateway.closing import Closing
from services.gateway.direct import DIRECT, Direct
from services.gateway.frames import Hello
from services.gateway.gateway import Caller, Gateway
from services.gateway.line import Line
from services.gateway.store import TableCode
from shared.eventlog.port import Unreachable

UNREACHABLE_RETRY_MS = 1000
PREFIX, SUFFIX = "/api/tables/", "/live"

Scope = dict[str, Any]


class Live:
    """The ASGI application of all sockets."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        origins = (origin.strip().rstrip("/") for origin in gateway.settings.origins.split(","))
        self._origins = frozenset(origin for origin in (*origins, gateway.settings.public_url.rstrip("/")) if origin)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """One socket from its handshake to its end."""
        await receive()
        direct: Direct = scope["state"][DIRECT]
        refusal = self._refusal(scope)
        if refusal is not None:
            return await _deny(refusal, send)
        address = scope["client"][0] if scope["client"] else ""
        direct.sink = line = Line(self._gateway, direct, address)  # from here on only the end goes through ASGI
        await send({"type": "websocket.accept", "subprotocol": frames.PROTOCOL})
        try:
            await self._serve(line, scope["path"][len(PREFIX) : -len(SUFFIX)].lower(), address, receive)
        except Unreachable:
            line.close(Closing.OVERLOADED, UNREACHABLE_RETRY_MS)

    async def _serve(self, line: Line, table_id: str, address: str, receive: Any) -> None:
        hello = await self._hello(line)
        if hello is None:
            return
        caller = await self._caller(hello)
        if isinstance(caller, Closing):
            return line.close(caller)
        line.signed = hello.receipts == "signed"
        line.bounded = caller is None or not caller.operator
        player = caller.player if caller else ""
        if line.bounded and not self._gateway.requests.take(player or address):
            return line.close(Closing.OVERLOADED, UNREACHABLE_RETRY_MS)
        table = await self._table(table_id, player, hello.code, address)
        if isinstance(table, Closing):
            return line.close(table)
        if player and await self._gateway.name(player) is None:  # forgotten while it was looked for
            return line.close(Closing.BAD_TOKEN)
        await self._attend(line, table, caller, address, receive)

    async def _attend(self, line: Line, table: TableCode, caller: Caller | None, address: str, receive: Any) -> None:
        gateway = self._gateway
        key = caller.player if caller else f"address {address}"
        most = gateway.settings.sockets_player_max if caller else gateway.settings.watchers_address_max
        if line.bounded and gateway.lines_of.get(key, 0) >= most:
            return line.close(Closing.TOO_MANY_SOCKETS, 5000)
        gateway.lines_of[key] = gateway.lines_of.get(key, 0) + 1
        gateway.lines[line] = None
        audience = gateway.link.audience(table.table_id, caller.player if caller else "")
        try:
            if caller and caller.token:
                line.send(frames.text(frames.token(caller.token)))
            if caller:
                gateway.bots.look_soon(caller.player)
            line.open(audience, gateway.games[table.game].shapes, caller.name if caller else None)
            if not audience.feed(line) or len(audience.lines) == 1:
                gateway.want(audience)
            while (await receive())["type"] != "websocket.disconnect":
                pass
        finally:
            audience.lines.pop(line, None)
            gateway.link.dropped(audience)
            del gateway.lines[line]
            gateway.lines_of[key] -= 1
            if not gateway.lines_of[key]:
                del gateway.lines_of[key]

    async def _hello(self, line: Line) -> Hello | None:
        try:
            async with asyncio.timeout(self._gateway.settings.hello_seconds_max):
                data = await line.first
        except TimeoutError:
            line.close(Closing.HELLO_LATE)
            return None
        try:
            frame = frames.client_frame.decode(data or b"")
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            frame = None
        if not isinstance(frame, Hello):
            line.close(Closing.BAD_HELLO)
            return None
        return frame

    async def _caller(self, hello: Hello) -> Caller | Closing | None:
        if hello.token is None:
            return None
        return await self._gateway.caller(hello.token) or Closing.BAD_TOKEN

    async def _table(self, table_id: str, player: str, code: str | None, address: str) -> TableCode | Closing:
        gateway = self._gateway
        table = await gateway.table(table_id)
        if table is None or table.game not in gateway.games:
            return Closing.NO_SUCH_TABLE
        spent = code is not None and table.private and gateway.wrong_codes.spent(address)
        if await gateway.may_read(table, player, None if spent else codes.read(code or "")):
            return table
        if spent:
            return Closing.TOO_MANY_REQUESTS
        if code is not None:
            gateway.wrong_codes.take(address)
        return Closing.PRIVATE

    def _refusal(self, scope: Scope) -> problems.Problem | None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        path = scope["path"]
        if not (path.startswith(PREFIX) and path.endswith(SUFFIX) and shape.is_id(path[len(PREFIX) : -len(SUFFIX)])):
            return problems.Problem(404, "not_found", "There is no socket here.")
        if frames.PROTOCOL not in scope["subprotocols"]:
            return problems.Problem(400, "bad_subprotocol", f"The sub-protocol is {frames.PROTOCOL}.")
        if not self._welcome(headers.get(b"origin"), headers.get(b"host", "")):
            return problems.Problem(403, "bad_origin", "Pages of other sites may not open this socket.")
        if self._gateway.draining:
            return problems.Problem(503, "restarting", "This gateway is about to stop; try again.")
        return None

    def _welcome(self, origin: str | None, host: str) -> bool:
        """Programs send no origin; a page's is its own site's, or one that is configured."""
        return origin is None or origin in self._origins or _site(origin) == host.lower() != ""


def _site(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


async def _deny(problem: problems.Problem, send: Any) -> None:
    body = problem.body()
    headers = [(b"content-type", problems.MEDIA_TYPE.encode()), (b"content-length", b"%d" % len(body))]
    await send({"type": "websocket.http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body})
