"""A table on a desk: commands in, rows out, on a clock that the test turns. Does what an owner does, alone."""

import hashlib
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from shared.eventlog.chain import genesis, link
from shared.eventlog.port import Row
from shared.games.registry import GAMES
from shared.kernel import HOUSE, Command, Decision, Moment, Refused
from shared.table import commands
from shared.table.boundary import boundary, canonical
from shared.table.decide import SCORING, decide
from shared.table.due import next_house
from shared.table.evolve import fold
from shared.table.limits import recordable, unrecorded
from shared.table.record import NO_CARRY, Record, Sender, encode
from shared.table.state import State, is_boundary, seat_of
from tests.toygame import game as dash

GAMES.setdefault(dash.name, dash)

TABLE = "0198c0de-0000-7000-8000-000000000001"
START = 1_700_000_000_000_000
S = 1_000_000


@dataclass
class Desk:
    """`now` is the clock in µs; `state`, `rows` and `records` are what came of it so far."""

    state: State | None = None
    now: int = START
    head: bytes = b""
    rows: list[Row] = field(default_factory=list)
    records: list[Record[Any, Any]] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    ids: int = 0
    seed: bytes = b"desk"
    slowed: tuple[int, ...] | None = None
    table: str = TABLE

    def __post_init__(self) -> None:
        self.head = self.head or genesis(self.table)

    @property
    def s(self) -> State:
        assert self.state is not None
        return self.state

    @property
    def play(self) -> Any:
        """The game's state of the round."""
        return self.s.play

    def create(self, game: str = "dash", seats: int = 2, by: str = "ann", sit: bool = True, **rules: Any) -> "Desk":
        made = GAMES[game].read_rules(rules, seats)
        assert isinstance(made, GAMES[game].rules), made
        raw = Raw(bytes(canonical(made)))
        self.record(Sender(by), commands.CreateTable(self.table, game, GAMES[game].revision, seats, raw, sit=sit))
        return self

    def send(self, player: str, command: Command, meant: int | None = None) -> Decision:
        """A player's command now, after everything that is due."""
        self.catch_up()
        return self.record(Sender(player, seat_of(self.s, player)), command, meant)

    def connect(self, player: str) -> Decision:
        self.catch_up()
        return self.record(HOUSE, commands.Connect(player, "socket"))

    def disconnect(self, player: str) -> Decision:
        self.catch_up()
        return self.record(HOUSE, commands.Disconnect(player, "socket"))

    def award(self, points: tuple[int, ...] | None = None, version: int | None = None) -> Decision:
        """What scoring sends: the right points, unless others are given."""
        self.catch_up()
        if points is None:
            points = GAMES[self.s.game].award(self.s.table, self.s.play) if self.s.phase == "scoring" else (0,)
        return self.record(SCORING, commands.Award(points, self.head.hex(), version or self.s.version))

    def wait(self, us: int) -> "Desk":
        """Time passes while the table has its owner: everything due is decided when it is due."""
        until = self.now + us
        while (due := self.s.next_due) is not None and due <= until:
            self.now = due
            self.catch_up()
        self.now = until
        return self

    def sleep(self, us: int) -> "Desk":
        """Time passes and nobody owns the table; then an owner finds what is due."""
        self.now += us
        self.catch_up()
        return self

    def catch_up(self) -> None:
        late: tuple[Command, ...] = ()
        while self.state and (step := next_house(self.state, self.now, late)):
            late, command = step.late, step.command
            if isinstance(command, commands.Prepare):
                command = commands.Prepare(self._chance(b"house").hex())
            decided = self.record(HOUSE, command, at=step.at)
            assert not isinstance(decided, Refused), (command, decided)

    def record(self, by: Sender | str, command: Command, meant: int | None = None, at: int | None = None) -> Decision:
        """Decide one command and keep what is to be kept of it."""
        state = self.state
        now = Moment(state.version + 1 if state else 1, self.now if at is None else at)
        decision = decide(state, by, command, now, meant)
        if not recordable(state, by, decision):
            return unrecorded(state, by, decision)
        self.ids += 1
        record: Record[Any, Any] = Record(
            v=1,
            table=self.table,
            n=now.version,
            round=state.table.round if state else 0,
            at=now.at,
            epoch=1,
            by=by,
            command=command,
            salt=self._chance(b"salt")[:16].hex(),
            id=f"id-{self.ids}" if isinstance(by, Sender) else "",
            meant=meant,
            events=None if isinstance(decision, Refused) else decision,
            refused=decision if isinstance(decision, Refused) else None,
            carry=Raw(boundary(state)) if state and is_boundary(state) else NO_CARRY,
        )
        self.append(record)
        return decision

    def append(self, record: Record[Any, Any]) -> None:
        after = fold(self.state, record)
        if self.slowed and is_boundary(after):
            record, self.slowed = replace(record, slowed=self.slowed), None
        body = encode(record)
        self.head = link(self.head, record.n, body)
        self.state = after
        self.rows.append(Row(self.table, record.n, record.round, record.at, body, self.head))
        self.records.append(record)
        self.states.append(after)

    def round(self, number: int) -> list[Row]:
        return [row for row in self.rows if row.round == number]

    def _chance(self, label: bytes) -> bytes:
        return hashlib.sha256(self.seed + label + len(self.rows).to_bytes(4, "big")).digest()


def kinds(decision: Decision) -> list[str]:
    """The names of the events, for tests that read like sentences."""
    assert not isinstance(decision, Refused), decision
    return [type(event).__name__ for event in decision]


def code(decision: Decision) -> str:
    assert isinstance(decision, Refused), decision
    return decision.code


def plain(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
