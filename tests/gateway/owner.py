"""A scripted owner of all partitions on the bus: it speaks as a table service does, and says what the test wants."""

from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from shared.bus import subjects
from shared.bus.port import Bus
from shared.eventlog.port import PARTITIONS, partition_of
from shared.kernel import Refused
from shared.wire import messages, verdict
from shared.wire.messages import Answer, Envelope, Frames, Held, Owner, Part, View, Want, encode

Judge = Callable[[Envelope], bytes | None]
"""The verdict on a command; None: say nothing."""

RECEIPT = "ab" * 32


def accept(envelope: Envelope) -> bytes | None:
    """Everything is right."""
    return verdict.accepted(envelope.id, RECEIPT)


def refuse(code: str) -> Judge:
    """Everything is refused."""
    return lambda envelope: verdict.refused(envelope.id, Refused(code), RECEIPT)


def silent(envelope: Envelope) -> bytes | None:
    """Nothing is answered."""
    return None


@dataclass
class Table:
    """A table as the owner shows it; `held` is whom each gateway holds, `n` each audience's frame number."""

    id: str
    phase: str = "seating"
    seats: list[str | None] = field(default_factory=lambda: [None] * 4)
    held: dict[str, set[str]] = field(default_factory=dict)
    n: dict[str, int] = field(default_factory=dict)
    counter: int = 0
    filler: str = ""

    def public(self) -> bytes:
        seats = [{"player": player, "name": player, "host": seat == 0} for seat, player in enumerate(self.seats)]
        shown = {"game": "toy", "phase": self.phase, "round": 0, "counter": self.counter, "filler": self.filler}
        return msgspec.json.encode({**shown, "seats": seats})

    def own(self, player: str) -> bytes:
        return msgspec.json.encode({"seat": self.seats.index(player)}) if player and player in self.seats else b""


class ScriptedOwner:
    """Owns everything under one epoch."""

    def __init__(self, bus: Bus, epoch: int = 1) -> None:
        self.bus = bus
        self.epoch = epoch
        self.judge: Judge = accept
        self.tables: dict[str, Table] = {}
        self.commands: list[Envelope] = []
        self.holds: list[Held] = []
        self.wants: list[Want] = []
        self.listening = True

    async def start(self) -> None:
        await self.bus.subscribe(subjects.command("*", self.epoch, "player"), self._command)
        await self.bus.subscribe(subjects.want("*"), self._want)
        await self.bus.subscribe(subjects.who("*"), self._who)
        await self.bus.subscribe(subjects.held("*"), self._held)

    def seat(self, table_id: str, *players: str) -> Table:
        """A table with these players, as if they had sat down."""
        table = self.tables[table_id] = Table(table_id, seats=[*players, *[None] * (4 - len(players))])
        return table

    def announce(self, gateway: str) -> None:
        owner = Owner("owner", tuple((partition, self.epoch) for partition in range(PARTITIONS)))
        self.bus.publish(subjects.to(gateway, "owner"), encode(owner))

    def change(self, table: Table, news: bytes = b"", answer: tuple[str, Answer] | None = None) -> None:
        """Something public happened: each gateway gets each audience's part, and the answer after it."""
        table.counter += 1
        for gateway, players in table.held.items():
            parts = tuple(self._part(table, player, news) for player in sorted(players))
            answers = (answer[1],) if answer is not None and answer[0] == gateway else ()
            frames = Frames(table.id, self.epoch, table.counter, table.public(), parts, answers)
            self.bus.publish(subjects.to(gateway, "frames"), encode(frames))

    def _part(self, table: Table, player: str, news: bytes = b"") -> Part:
        table.n[player] = table.n.get(player, 0) + 1
        return Part(player, table.n[player], b"", news)

    def _who(self, subject: str, payload: bytes, reply: str | None) -> None:
        if self.listening:
            self.announce(messages.decoder(messages.Who).decode(payload).instance)

    def _command(self, subject: str, payload: bytes, reply: str | None) -> None:
        envelope = messages.decoder(Envelope).decode(payload)
        self.commands.append(envelope)
        if b'"CreateTable"' in envelope.command and envelope.table not in self.tables:
            self.seat(envelope.table, envelope.player)
        frame = self.judge(envelope)
        if frame is None:
            return
        answer = Answer(envelope.player, envelope.id, frame)
        table = self.tables[envelope.table]
        if table.held.get(envelope.gateway) and b'"accepted":true' in frame:
            return self.change(table, answer=(envelope.gateway, answer))
        frames = Frames(envelope.table, self.epoch, 1, answers=(answer,))
        self.bus.publish(subjects.to(envelope.gateway, "frames"), encode(frames))

    def _want(self, subject: str, payload: bytes, reply: str | None) -> None:
        want = messages.decoder(Want).decode(payload)
        self.wants.append(want)
        table = self.tables.get(want.table)
        if table is None:
            if want.request:
                view = View(want.request, want.table, found=False)
                self.bus.publish(subjects.to(want.gateway, "view"), encode(view))
            return
        n = table.n.setdefault(want.player, 1)
        own = table.own(want.player)
        if want.request:
            view = View(want.request, table.id, True, self.epoch, n, 1, table.public(), own)
            return self.bus.publish(subjects.to(want.gateway, "view"), encode(view))
        table.held.setdefault(want.gateway, set()).add(want.player)
        parts = (Part(want.player, n, own),)
        frames = Frames(table.id, self.epoch, 1, table.public(), parts, whole=True)
        self.bus.publish(subjects.to(want.gateway, "frames"), encode(frames))

    def _held(self, subject: str, payload: bytes, reply: str | None) -> None:
        held = messages.decoder(Held).decode(payload)
        self.holds.append(held)
        for table in self.tables.values():
            if partition_of(table.id) == int(subject.rpartition(".")[2]):
                found = [each for each in held.tables if each.table == table.id]
                watching = {""} if found and found[0].watching else set()
                table.held[held.gateway] = {*found[0].players, *watching} if found else set()
