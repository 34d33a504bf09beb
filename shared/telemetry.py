"""Logs and metrics as every service has them: one JSON object a line on stderr, metrics and health on a loopback port.
Lines about play name table, seat, command and record; nothing secret and no hidden card is in them."""

import asyncio
import logging
import re
import sys
from collections.abc import AsyncIterator, Callable, MutableMapping
from contextlib import asynccontextmanager, suppress
from typing import Final

import msgspec
import structlog
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest

LOOPBACK = "127.0.0.1"
_PLAY = ("hand", "hands", "own", "sign", "signs", "card", "cards", "deck", "stock", "entropy", "chance", "seed", "salt")
_KEYS = ("password", "token", "token_keys", "secret")
HIDDEN: Final = frozenset((*_PLAY, *_KEYS))
"""Names whose values no log line may hold, whoever wrote them there."""

_PASSWORD = re.compile(r"(://[^:/@\s]*):[^@\s]+@")

Line = MutableMapping[str, object]


class _Logger(structlog.PrintLogger):
    """On a full disk a line is lost, and not what wanted to write it."""

    def msg(self, message: str) -> None:
        """Write a line."""
        with suppress(OSError):
            super().msg(message)

    log = debug = info = warn = warning = fatal = failure = err = error = critical = exception = msg


def configure(service: str, level: str = "info") -> None:
    """Send all logs of this process, ours and the libraries', to stderr as JSON lines."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.ExceptionRenderer(structlog.tracebacks.ExceptionDictTransformer(show_locals=False)),
        hide,
    ]
    least = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer(serializer=_json)],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=lambda *_: _Logger(sys.stderr),  # as it is then: callers in-process may change it
    )
    handler = logging.StreamHandler(sys.stderr)
    renderer = structlog.processors.JSONRenderer(serializer=_json)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processor=renderer, foreign_pre_chain=shared))
    logging.basicConfig(handlers=[handler], level=max(least, logging.WARNING), force=True)
    structlog.contextvars.bind_contextvars(service=service)


def about(
    log: structlog.typing.FilteringBoundLogger,
    table: str,
    seat: int | None = None,
    command: str | None = None,
    record: int | None = None,
) -> structlog.typing.FilteringBoundLogger:
    """A logger whose lines name what they are about; `command` is its id, `record` the version."""
    named = {"table": table, "seat": seat, "command": command, "record": record}
    return log.bind(**{name: value for name, value in named.items() if value is not None})


def hide(_logger: object, _method: str, line: Line) -> Line:
    """A structlog processor: values under names that may hold secrets are masked, passwords cut out of addresses."""
    for name, value in line.items():
        if name in HIDDEN:
            line[name] = "(hidden)"
        elif isinstance(value, str) and "://" in value:
            line[name] = _PASSWORD.sub(r"\1:(hidden)@", value)
    return line


@asynccontextmanager
async def listening(port: int, ready: Callable[[], bool] = lambda: True) -> AsyncIterator[int]:
    """Serve /metrics, /healthz and /readyz on loopback while inside; yields the port (0: any free one)."""
    server = await asyncio.start_server(lambda r, w: _serve(r, w, ready), LOOPBACK, port)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await server.wait_closed()


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, ready: Callable[[], bool]) -> None:
    try:
        async with asyncio.timeout(5):
            head = await reader.readuntil(b"\r\n\r\n")
        path = head.split(b" ", 2)[1].split(b"?")[0]
        writer.write(_answer(path, ready))
        await writer.drain()
    except (OSError, TimeoutError, IndexError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        pass
    finally:
        writer.close()


def _answer(path: bytes, ready: Callable[[], bool]) -> bytes:
    match path:
        case b"/metrics":
            return _response("200 OK", CONTENT_TYPE_LATEST, generate_latest(REGISTRY))
        case b"/healthz":
            return _response("200 OK", "text/plain", b"ok\n")
        case b"/readyz":
            is_ready = ready()
            status = "200 OK" if is_ready else "503 Service Unavailable"
            return _response(status, "text/plain", b"ready\n" if is_ready else b"not ready\n")
        case _:
            return _response("404 Not Found", "text/plain", b"not found\n")


def _response(status: str, kind: str, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return head.encode() + body


def _json(line: object, **_: object) -> str:
    return msgspec.json.encode(line, enc_hook=repr).decode()
