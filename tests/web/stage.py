"""A stage: serves the client's files and plays hand-written frames to it, for screens that are seldom seen.

It is no table and knows no rule; what a real service does is tested against the real service.
"""

import asyncio
import io
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import segno
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from services.gateway.http.pages import policy
from services.gateway.web import MEDIA_TYPES, content, public_files
from shared.games.quatro.rules import rules_schema
from tests.web import scenes

Frame = dict[str, Any]


class Stage:
    """What the page is shown. `scene` gives the first view; `answer` a verdict for a command, None for silence; if
    `single`, the page has no bundle."""

    def __init__(self) -> None:
        self.scene: Callable[[], tuple[object, object]] = lambda: scenes.seating(4)
        self.answer: Callable[[Frame], Frame | None] = lambda command: {"accepted": True}
        self.tables: list[Frame] = []
        self.late: list[Frame] = []
        self.join: tuple[int, Frame] = (404, {"code": "unknown_code"})
        self.heard: list[Frame] = []
        self.single = False
        self.url = ""
        self._n = 0
        self._sockets: set[WebSocket] = set()
        self._dead: set[WebSocket] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._files = public_files()

    @property
    def commands(self) -> list[Frame]:
        """What was commanded, in order."""
        return [frame["command"] for frame in self.heard if frame["type"] == "command"]

    def show(self, public: object, own: object, news: list[Frame] | None = None) -> None:
        """Sends a newer view to every open socket."""
        self._everyone(self._view(public, own, news or []))

    def lose(self) -> None:
        """Counts a frame that never arrives."""
        self._n += 1

    def send(self, **frame: object) -> None:
        """Sends a frame as it is; without a number it has the newest."""
        self._everyone({"epoch": 1, "n": self._n, "now": scenes.now(), **frame})

    def fall_silent(self) -> None:
        """Every socket that is open stays open, and nothing comes through it any more."""
        self._dead |= self._sockets
        self._sockets.clear()

    def close(self, code: int, reason: str = "restart") -> None:
        """Closes every socket on purpose, as a gateway that stops does."""
        for socket in list(self._sockets):
            self._run(socket.send_text(json.dumps({"type": "closing", "reason": reason, "retry_ms": 200})))
            self._run(socket.close(code))

    def app(self) -> Starlette:
        """The routes."""
        table = {"table_id": scenes.TABLE, "code": "TULP7", "game": "quatro", "seats": 4, "private": True}
        api = {
            "/api/games": lambda: [{"game": "quatro", "seats": [4, 6, 8], "rules": rules_schema()}],
            "/api/tables": lambda: self.tables,
            "/api/audit/search": lambda: {"hits": self.late, "next": None},
            f"/api/tables/{scenes.TABLE}": lambda: table,
        }

        def get(answer: Callable[[], object]) -> Callable[[Request], Response]:
            return lambda request: JSONResponse(answer())

        posts = {
            "/api/players": {"player_id": "p0", "name": "Ada", "token": "stage"},
            "/api/tables": table,
            f"/api/tables/{scenes.TABLE}/commands": {"accepted": True},
        }
        routes: list[Route | WebSocketRoute] = [
            Route(path, get(answer), methods=["GET"]) for path, answer in api.items()
        ]
        routes += [Route(path, get(partial(dict, body)), methods=["POST"]) for path, body in posts.items()]
        return Starlette(routes=[
            *routes,
            Route("/api/join/{code}", lambda request: JSONResponse(self.join[1], self.join[0])),
            Route("/api/qr/{code}.svg", lambda request: Response(_qr(), media_type="image/svg+xml")),
            WebSocketRoute(f"/api/tables/{scenes.TABLE}/live", self._live),
            Route("/{path:path}", self._file),
        ])  # fmt: skip

    async def _file(self, request: Request) -> Response:
        path = self._files.get(request.path_params["path"] or "index.html")
        if path is None:
            return Response(status_code=404)
        body = content(path, self.single)
        headers = {"Content-Security-Policy": policy(body), "Cache-Control": "no-store"}
        return Response(body, media_type=MEDIA_TYPES[path.suffix], headers=headers)

    async def _live(self, socket: WebSocket) -> None:
        self._loop = asyncio.get_running_loop()
        await socket.accept(subprotocol="quartet.v1")
        self._sockets.add(socket)
        try:
            while True:
                await self._read(socket, json.loads(await socket.receive_text()))
        except WebSocketDisconnect:
            pass
        finally:
            self._sockets.discard(socket)

    async def _read(self, socket: WebSocket, frame: Frame) -> None:
        if socket in self._dead:
            return
        self.heard.append(frame)
        match frame["type"]:
            case "hello" | "resync":
                public, own = self.scene()
                await socket.send_text(json.dumps(self._view(public, own, [])))
            case "ping":
                beat = {"type": "beat", "epoch": 1, "n": self._n, "now": scenes.now(), "t": frame["t"]}
                await socket.send_text(json.dumps(beat))
            case "command":
                if (verdict := self.answer(frame["command"])) is not None:
                    await socket.send_text(json.dumps({"type": "verdict", "id": frame["id"], **verdict}))
            case other:
                raise AssertionError(f"no client of ours sends {other}")

    def _view(self, public: object, own: object, news: list[Frame]) -> Frame:
        self._n += 1
        frame = {"type": "view", "epoch": 1, "n": self._n, "now": scenes.now(), "public": public, "news": news}
        return frame if own is None else {**frame, "own": own}

    def _everyone(self, frame: Frame) -> None:
        for socket in list(self._sockets):
            self._run(socket.send_text(json.dumps(frame)))

    def _run(self, what: Any) -> None:
        assert self._loop is not None, "nobody is at the stage"
        asyncio.run_coroutine_threadsafe(what, self._loop).result(5)


def _qr() -> bytes:
    picture = io.BytesIO()
    code = segno.make("http://localhost/?join=TULP7")
    code.save(picture, kind="svg", xmldecl=False, border=4, dark="#10203f", light="#ffffff")
    return picture.getvalue()


@contextmanager
def staged() -> Iterator[Stage]:
    """A stage on a free port of this machine, in a thread of its own."""
    stage = Stage()
    server = uvicorn.Server(uvicorn.Config(stage.app(), port=0, log_level="warning", ws="websockets-sansio"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            threading.Event().wait(0.01)
        stage.url = f"http://localhost:{server.servers[0].sockets[0].getsockname()[1]}"
        yield stage
    finally:
        server.should_exit = True
        thread.join(5)
