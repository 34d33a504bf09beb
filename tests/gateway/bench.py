"""What a move costs the gateway: sockets in one process, a scripted owner in another, a real NATS between.

`python -m tests.gateway.bench [--tables 50] [--seconds 5] [--profile FILE]`: closed loop, every socket sends its next
command when it has the verdict of the last; each move is one frame in, a view to each of four seats and a verdict out.
"""

import argparse
import asyncio
import cProfile
import json
import multiprocessing
import os
import time
from typing import cast
from uuid import uuid4

import uvloop

from services.gateway.gateway import Gateway
from services.gateway.memory import MemoryStore
from services.gateway.server import Server
from services.gateway.service import running
from services.gateway.settings import GatewaySettings
from services.gateway.store import TableCode
from services.gateway.tokens import Tokens
from shared.bus.nats import NatsBus
from tests import servers
from tests.gateway import toy
from tests.gateway.owner import ScriptedOwner

SEATS = 4
PUBLIC_BYTES = 1200
OWN_BYTES = 160
KEYS = {"k": "k" * 32}


class LoadedOwner(ScriptedOwner):
    """Answers with bytes of the size that a table of Quatro has."""

    def fill(self) -> None:
        public = b'{"game":"toy","filler":"' + b"x" * (PUBLIC_BYTES - 26) + b'"}'
        own = b'{"filler":"' + b"y" * (OWN_BYTES - 13) + b'"}'
        for table in self.tables.values():
            table.public = lambda: public  # type: ignore[method-assign]
            table.own = lambda player: own  # type: ignore[method-assign]


def owner(url: str, tables: dict[str, list[str]], ready: "multiprocessing.synchronize.Event") -> None:
    """The owner's process."""

    async def run() -> None:
        bus = await NatsBus.connect(url, "owner")
        played = LoadedOwner(bus)
        await played.start()
        for table, players in tables.items():
            played.seat(table, *players)
        played.fill()
        ready.set()
        while True:
            played.commands.clear()
            await asyncio.sleep(0.5)

    uvloop.run(run())


def gateway(url: str, tables: dict[str, list[str]], port: "multiprocessing.Queue[int]", profile: str) -> None:
    """The gateway's process; SIGTERM ends it."""

    async def run() -> None:
        store = MemoryStore()
        for table, players in tables.items():
            await store.reserve(table, TableCode(table, table[:5], "toy", False, players[0]), 0)
            for player in players:
                await store.add_player(player, player, 0)
        settings = GatewaySettings(port=0, requests_per_second=100_000, drain_seconds=0)
        served = Gateway(settings, await NatsBus.connect(url, "gateway"), store, Tokens(KEYS), {"toy": toy.served()})
        server = Server(served)
        async with running(served):
            serving = asyncio.create_task(server.serve())
            while not server.started:
                await asyncio.sleep(0.01)
            port.put(server.servers[0].sockets[0].getsockname()[1])
            await serving

    profiler = cProfile.Profile(time.process_time) if profile else None
    if profiler:
        profiler.enable()
    uvloop.run(run())
    if profiler:
        profiler.disable()
        profiler.dump_stats(profile)


class Seat(asyncio.Protocol):
    """One socket, as cheap as it can be: it looks for its verdict and sends the next command."""

    def __init__(self, table: str, token: str, tally: list[float]) -> None:
        self._table, self._token, self._tally = table, token, tally
        self._buffer = b""
        self._open = False
        self._id = b""
        self._sent = 0.0
        self.ready = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is none by descent
        self._transport.write(
            f"GET /api/tables/{self._table}/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: quartet.v1\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._open:
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            assert b" 101 " in head, head
            self._open, self._buffer = True, rest
            self._write(json.dumps({"type": "hello", "token": self._token}).encode())
        while (frame := self._frame()) is not None:
            if not self.ready.done():
                self.ready.set_result(None)
            if frame.startswith(b'{"type":"verdict"') and self._id in frame:
                self._tally.append(time.perf_counter() - self._sent)
                self.move()

    def move(self) -> None:
        """The next command."""
        self._id = str(uuid4()).encode()
        self._sent = time.perf_counter()
        self._write(b'{"type":"command","id":"%s","round":1,"command":{"type":"Poke","place":1}}' % self._id)

    def _frame(self) -> bytes | None:
        buffer = self._buffer
        if len(buffer) < 4:
            return None
        size, start = buffer[1], 2
        if size == 126:
            size, start = int.from_bytes(buffer[2:4]), 4
        if len(buffer) < start + size:
            return None
        self._buffer = buffer[start + size :]
        return buffer[start : start + size] if buffer[0] == 0x81 else b""

    def _write(self, payload: bytes) -> None:
        size = len(payload)
        head = bytes((0x81, 0x80 | size)) if size < 126 else b"\x81\xfe" + size.to_bytes(2)
        self._transport.write(head + b"\0\0\0\0" + payload)  # masked with zeros


async def play(port: int, tables: dict[str, list[str]], seconds: float, pids: list[int]) -> None:
    """Play and report."""
    loop = asyncio.get_running_loop()
    tokens = Tokens(KEYS)
    tally: list[float] = []
    seats = []
    for table, players in tables.items():
        for player in players:
            token = tokens.issue(player, int(time.time()))
            _, seat = await loop.create_connection(lambda t=table, k=token: Seat(t, k, tally), "127.0.0.1", port)  # type: ignore[misc]
            seats.append(seat)
    async with asyncio.timeout(10):
        await asyncio.gather(*(seat.ready for seat in seats))
    for seat in seats:
        seat.move()
    await asyncio.sleep(0.5)
    tally.clear()
    before, began = [_times(pid) for pid in pids], time.perf_counter()
    await asyncio.sleep(seconds)
    moves, passed = len(tally), time.perf_counter() - began
    used = [_cpu(pid, at, moves) for pid, at in zip(pids, before, strict=True)]
    latency = sorted(tally[:moves])
    p50, p99 = (latency[moves * part // 100] * 1000 for part in (50, 99))
    print(f"{moves / passed:.0f} moves/s, p50 {p50:.1f} ms, p99 {p99:.1f} ms")
    print(f"CPU a move: gateway {used[0]}, scripted owner {used[1]}")


def _cpu(pid: int, before: tuple[float, float], moves: int) -> str:
    user, system = ((now - at) / max(1, moves) * 1e6 for now, at in zip(_times(pid), before, strict=True))
    return f"{user + system:.1f} µs ({user:.1f} in Python, {system:.1f} in the system)"


def _times(pid: int) -> tuple[float, float]:
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    tick = os.sysconf("SC_CLK_TCK")
    return int(fields[11]) / tick, int(fields[12]) / tick


def main() -> None:
    """Start everything, play, stop everything."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--profile", default="")
    asked = parser.parse_args()
    tables = {str(uuid4()): [f"p{table}-{seat}" for seat in range(SEATS)] for table in range(asked.tables)}
    context = multiprocessing.get_context("spawn")
    nats = servers.new_nats()
    ready, port = context.Event(), context.Queue()
    played = context.Process(target=owner, args=(nats.url("test"), tables, ready), daemon=True)
    served = context.Process(target=gateway, args=(nats.url("test"), tables, port, asked.profile), daemon=True)
    played.start()
    ready.wait()
    served.start()
    try:
        assert served.pid
        assert played.pid
        uvloop.run(play(port.get(), tables, asked.seconds, [served.pid, played.pid]))
    finally:
        served.terminate()
        served.join(10)
        played.terminate()
        nats.stop()


if __name__ == "__main__":
    main()
