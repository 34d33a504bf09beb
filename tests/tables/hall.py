"""A hall of table services on memory adapters and virtual time, and the gateways that talk to them."""

import asyncio
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from services.table.office import Tables
from shared.bus import subjects
from shared.bus.memory import Fate, MemoryBus, MemoryNetwork, arrives
from shared.eventlog.memory import MemoryEventLog
from shared.eventlog.port import PARTITIONS, partition_of
from shared.games.registry import GAMES
from shared.kernel import BadRules
from shared.leases.memory import LeaseBook, MemoryLeases
from shared.leases.port import Leases
from shared.proof.note import Signer
from shared.table.codec import AnyRecord, codec
from shared.wire.courier import Courier
from shared.wire.messages import (
    Envelope,
    Frames,
    Held,
    HeldTable,
    Here,
    Owner,
    Seats,
    View,
    Want,
    decoder,
    encode,
)
from shared.wire.owners import Owners
from tests.virtual import database_micros, monotonic_micros

Json = dict[str, Any]
SHORT = {"prepare_seconds": 1, "break_seconds": 1, "swap_wait_seconds": 0, "vote_gap_seconds": 0}


class Nameless:
    """A book of names without one."""

    async def of(self, players: Iterable[str]) -> Mapping[str, str]:
        """Nobody."""
        return {}


@dataclass
class Seen:
    """What one player (or "": a watcher) was sent at one table."""

    frames: list[Json] = field(default_factory=list)
    public: Json | None = None
    own: Json | None = None


class Gateway:
    """A gateway that a test plays by hand: it keeps everything it is sent."""

    def __init__(self, name: str, bus: MemoryBus, kind: subjects.Kind = "player") -> None:
        self.name = name
        self.bus = bus
        seconds = asyncio.get_running_loop().time
        self.owners = Owners(bus, name, seconds)
        self.kind: subjects.Listener = "bots" if kind == "bot" else "gateway"
        self.courier = Courier(bus, self.owners, name, kind, seconds)
        self.seen: dict[tuple[str, str], Seen] = {}
        self.views: dict[int, View] = {}
        self.seats: list[Seats] = []
        self.holds: dict[str, set[str]] = {}
        self.order: list[str] = []
        self.raw: list[bytes] = []
        self._frames, self._owner = decoder(Frames), decoder(Owner)
        self._view, self._seats = decoder(View), decoder(Seats)

    async def run(self) -> None:
        """Say every second that it lives and whom it holds, until cancelled."""
        await self.bus.subscribe(subjects.to(self.name, ">"), self._hear)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.courier.run())
            tasks.create_task(self._beat())

    async def command(
        self,
        table: str,
        player: str,
        command: Json,
        id: str | None = None,
        round: int | None = None,
        http: bool = False,
        signed: bool = False,
        clock_error: int = 0,
    ) -> Json:
        """Send a command and wait for its verdict; None after 5 s becomes {"type": "unknown"}."""
        done: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        body = msgspec.json.encode(command)
        envelope = Envelope(
            table,
            player,
            id or str(uuid.uuid4()),
            body,
            self.name,
            database_micros() + clock_error,
            database_micros() + 2 * clock_error if clock_error else None,
            round,
            http,
            player.title(),
            signed,
        )
        if not self.courier.send(envelope, done.set_result):
            return {"type": "reused"}
        verdict = await done
        return {"type": "unknown"} if verdict is None else msgspec.json.decode(verdict)

    async def sit(self, table: str, player: str, seat: int) -> None:
        """Take a seat and hold a socket there."""
        assert (await self.command(table, player, {"type": "Sit", "seat": seat}))["accepted"]
        await self.come(table, player)

    async def come(self, table: str, player: str) -> Seen:
        """Open a socket ("": a watcher's) and wait for its first view."""
        self.holds.setdefault(table, set()).add(player)
        seen = self.seen.setdefault((table, player), Seen())
        self.bus.publish(subjects.want(partition_of(table)), encode(Want(self.name, table, player)))
        await until(lambda: seen.public is not None)
        return seen

    def go(self, table: str, player: str) -> None:
        """Close that socket."""
        self.holds[table].discard(player)
        self._say_held(partition_of(table))

    async def view(self, table: str, player: str) -> View:
        """The view by HTTP."""
        number = len(self.views) + 1
        self.bus.publish(subjects.want(partition_of(table)), encode(Want(self.name, table, player, number)))
        await until(lambda: number in self.views)
        return self.views[number]

    async def _beat(self) -> None:
        while True:
            self.bus.publish(
                subjects.here("bots" if self.courier._kind == "bot" else "gateway"), encode(Here(self.name))
            )
            for partition in {partition_of(table) for table in self.holds}:
                self._say_held(partition)
            await asyncio.sleep(1)

    def _say_held(self, partition: int) -> None:
        tables = tuple(
            HeldTable(table, tuple(sorted(players - {""})), int("" in players))
            for table, players in self.holds.items()
            if players and partition_of(table) == partition
        )
        self.bus.publish(subjects.held(partition), encode(Held(self.name, tables)))

    def _hear(self, subject: str, payload: bytes, _: str | None) -> None:
        self.raw.append(payload)
        match subjects.what(subject):
            case "owner":
                self.owners.heard(self._owner.decode(payload))
            case "frames":
                self._look(self._frames.decode(payload))
            case "view":
                view = self._view.decode(payload)
                self.views[view.request] = view
            case "seats":
                self.seats.append(self._seats.decode(payload))
            case _:
                pass

    def _look(self, frames: Frames) -> None:
        for part in frames.parts:
            self.order.append(f"view {part.player}")
            seen = self.seen.setdefault((frames.table, part.player), Seen())
            if frames.public:
                seen.public = msgspec.json.decode(frames.public)
            if part.own or frames.whole:
                seen.own = msgspec.json.decode(part.own or b"null")
            news = msgspec.json.decode(part.news or b"[]")
            seen.frames.append({"epoch": frames.epoch, "n": part.n, "news": news, "whole": frames.whole})
        for answer in frames.answers:
            self.order.append(f"verdict {answer.player}")
            self.courier.answered(answer)


class Hall:
    """Log, leases and bus in memory, and whoever is started on them."""

    def __init__(self, fate: Fate = arrives) -> None:
        self.network = MemoryNetwork(fate)
        self.log = MemoryEventLog(database_micros)
        self.book = LeaseBook(database_micros)
        self.running: dict[str, asyncio.Task[None]] = {}
        self.tables: dict[str, Tables] = {}

    async def open_tables(self, name: str, signer: Signer | None = None, leases: Leases | None = None) -> Tables:
        """Start a table service and wait until it holds its share."""
        leases = leases or MemoryLeases(self.book)
        tables = Tables(self.network.join(name), self.log, leases, Nameless(), name, monotonic_micros, signer)
        self.tables[name] = tables
        self.running[name] = asyncio.create_task(tables.run())
        await until(lambda: len(tables.held) >= PARTITIONS // len(self.tables) // 2)
        return tables

    async def open_gateway(self, name: str, kind: subjects.Kind = "player") -> Gateway:
        """Start a gateway."""
        gateway = Gateway(name, self.network.join(name), kind)
        self.running[name] = asyncio.create_task(gateway.run())
        await asyncio.sleep(0.1)
        return gateway

    async def kill(self, name: str) -> None:
        """As kill -9 does: nothing more is said or written, and the session at the database ends."""
        self.running[name].cancel()
        await asyncio.wait([self.running.pop(name)])
        self.book.end_session(name)
        self.tables.pop(name, None)
        for bus in [bus for bus in self.network._members if bus.name == name]:
            await bus.close()

    async def close(self) -> None:
        """End whatever runs; a bug in any of it comes out here."""
        for task in self.running.values():
            if task.done():
                task.result()
            task.cancel()
        if self.running:
            await asyncio.wait(self.running.values())

    async def records(self, table: str) -> list[AnyRecord]:
        """What the log has of a table, decoded."""
        rows = await self.log.table_rows(table)
        return [codec(GAMES["quatro"]).decode_record(row.body) for row in rows]


async def until(condition: Any, seconds: float = 30) -> None:
    """Let (virtual) time pass until it holds."""
    end = asyncio.get_running_loop().time() + seconds
    while not condition():
        assert asyncio.get_running_loop().time() < end, "waited in vain"
        await asyncio.sleep(0.005)


async def lay(
    gateway: Gateway, host: str, rules: Json | None = None, seats: int = 4, sit: bool = True, http: bool = False
) -> str:
    """Create a table of Quatro and return its id."""
    table = str(uuid.uuid4())
    game = GAMES["quatro"]
    checked = game.read_rules(SHORT | (rules or {}), seats)
    assert not isinstance(checked, BadRules)
    created = {
        "type": "CreateTable", "table": table, "game": "quatro", "revision": game.revision, "seats": seats,
        "rules": msgspec.to_builtins(checked), "private": False, "sit": sit,
    }  # fmt: skip
    assert (await gateway.command(table, host, created, id="create", http=http))["accepted"]
    return table


async def seat_four(gateway: Gateway, rules: Json | None = None) -> tuple[str, list[str]]:
    """A table of four persons, all with sockets, their game opened."""
    players = ["ada", "bo", "cas", "dee"]
    table = await lay(gateway, players[0], rules)
    await gateway.come(table, players[0])
    for seat, player in enumerate(players[1:], 1):
        await gateway.sit(table, player, seat)
    assert (await gateway.command(table, players[0], {"type": "StartGame"}))["accepted"]
    for player in players:
        assert (await gateway.command(table, player, {"type": "Ready"}))["accepted"]
    await until(lambda: gateway.seen[table, "ada"].public["phase"] == "playing")  # type: ignore[index]
    return table, players


def swap(seen: Seen, hand: int = 0, place: int = 0) -> Json:
    """The command that swaps this hand card with what lies there."""
    assert seen.own is not None
    assert seen.public is not None
    return {
        "type": "SwapCard", "card": seen.own["hand"][hand], "place": place, "aimed_at": seen.public["centre"][place]
    }  # fmt: skip
