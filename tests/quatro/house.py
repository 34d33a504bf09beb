"""A whole table of Quatro under a virtual clock: the table's own rules around the game's, the house and a scorer."""

import hashlib
from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from shared.games.quatro import commands as q
from shared.games.quatro import game
from shared.games.quatro.rules import Rules
from shared.games.quatro.state import State as Play
from shared.kernel import SECOND, Command, Decision, Moment, Refused
from shared.table import commands, view
from shared.table.boundary import canonical
from shared.table.decide import decide
from shared.table.due import next_house
from shared.table.evolve import fold
from shared.table.limits import recordable
from shared.table.record import Record, Sender
from shared.table.state import State, seat_of

TABLE_ID = "019376e8-0000-7000-8000-000000000000"
START = 1_000_000_000
AnyRecord = Record[Command, object]


class House:
    """A table of people `p0`, `p1`, … and bots. Times count from START."""

    def __init__(self, seed: int = 0) -> None:
        self.state: State | None = None
        self.seed = seed
        self.records: list[AnyRecord] = []
        self.sent: dict[int | None, list[tuple[bytes, bytes]]] = {}
        """What each audience (a seat; None: watchers) was sent since `listen`."""

    def listen(self, *audience: int | None) -> None:
        """From now on note what these are sent: a frame when it changed, and the news."""
        self.sent = {each: [self._message(each)] for each in audience}

    def create(self, seats: int, rules: Rules | None = None, sit: bool = True) -> Decision:
        """The first record, by p0, who sits in seat 0 if they sit at all."""
        wanted = commands.CreateTable(TABLE_ID, "quatro", game.revision, seats, canonical(rules or Rules()), sit=sit)
        return self.send(0, wanted, 0)

    def seat_bots(self, levels: tuple[str, ...]) -> None:
        """Bots everywhere, and they begin; p0 is host and watches."""
        for seat, level in enumerate(levels):
            self.record(Sender("p0"), commands.AddBot(seat, level), START)
        self.record(Sender("p0"), commands.StartGame(), START)

    def fill(self, bots: frozenset[int] = frozenset()) -> None:
        """Everyone sits down."""
        for seat in range(1, len(self.table.table.seats)):
            if seat in bots:
                self.send(0, commands.AddBot(seat, "normal"), 0)
            else:
                self.send(seat, commands.Sit(seat), 0)

    def send(self, person: int, command: Command, at: int, round: int | None = None) -> Decision:
        """A person's or a bot's command, after everything that is due."""
        self.until(at)
        player = f"p{person}"
        sitting = self.state.table.seats[person] if self.state else None
        if sitting and sitting.bot and sitting.player:
            player = sitting.player
        seat = seat_of(self.state, player) if self.state else None
        return self.record(Sender(player, seat), command, START + at, round)

    def until(self, at: int) -> None:
        """All that the house, and the scorer, does up to a time, each at its own."""
        while self.state:
            found = START + at
            if self.state.phase == "scoring":
                points = game.award(self.state.table, self.state.play)
                self.record("scoring", commands.Award(points, "0" * 64, self.state.version), self.state.at)
            elif step := next_house(self.state, min(self.state.next_due or found, found)):
                self.record("house", self._chance(step.command), step.at)
            else:
                return

    def presence(self, person: int, connected: bool, at: int) -> None:
        """The house notes that somebody is there, or gone."""
        self.until(at)
        kind = commands.Connect if connected else commands.Disconnect
        self.record("house", kind(f"p{person}", "socket"), START + at)

    def record(self, by: Sender | str, command: Command, at: int, round: int | None = None) -> Decision:
        """Decides and, if it is a record, folds it; whatever is due stays due."""
        version = self.state.version + 1 if self.state else 1
        decided = decide(self.state, by, command, Moment(version, at), round)
        if recordable(self.state, by, decided):
            self._fold(by, command, decided, version, at)
        return decided

    @property
    def table(self) -> State:
        """The state; there is one from the first record on."""
        assert self.state is not None
        return self.state

    @property
    def play(self) -> Play:
        """The round that is prepared, open or stopped."""
        assert isinstance(self.table.play, Play)
        return self.table.play

    def frame(self, seat: int | None) -> Mapping[str, object]:
        """What a seat, or a watcher, is sent of the state."""
        public = view.public(self.table, {}, 0)
        return {"public": public} if seat is None else {"public": public, "own": view.own(self.table, seat)}

    def headlines(self, seat: int | None) -> list[dict[str, object]]:
        """The news of the last record."""
        return view.news(self.table, self.records[-1], seat)

    def _chance(self, command: Command) -> Command:
        if not isinstance(command, commands.Prepare):
            return command
        return replace(command, house=hashlib.sha256(f"{self.seed}/{self.table.table.round}".encode()).hexdigest())

    def _fold(self, by: Sender | str, command: Command, decided: Decision, version: int, at: int) -> None:
        refused = decided if isinstance(decided, Refused) else None
        events = None if isinstance(decided, Refused) else decided
        round = self.state.table.round if self.state else 0
        record: AnyRecord = Record(
            v=1,
            table=TABLE_ID,
            n=version,
            round=round,
            at=at,
            epoch=1,
            by=by,
            command=command,
            salt="",
            events=events,
            refused=refused,
        )
        self.records.append(record)
        self.state = fold(self.state, record)
        for seat, messages in self.sent.items():
            message = self._message(seat)
            if message[0] != messages[-1][0] or self.headlines(seat):
                messages.append(message)

    def _message(self, seat: int | None) -> tuple[bytes, bytes]:
        return msgspec.json.encode(self.frame(seat)), msgspec.json.encode(self.headlines(seat))


def prepared(seats: int = 4, rules: Rules | None = None, bots: frozenset[int] = frozenset(), seed: int = 0) -> House:
    """A preparation that began at second 1."""
    house = House(seed)
    house.create(seats, rules)
    house.fill(bots)
    house.send(0, commands.StartGame(), SECOND)
    house.until(SECOND)
    return house


def opened(seats: int = 4, rules: Rules | None = None, bots: frozenset[int] = frozenset(), seed: int = 0) -> House:
    """A round that opened at second 1, everyone being ready."""
    house = prepared(seats, rules, bots, seed)
    for seat in set(range(seats)) - bots:
        house.send(seat, commands.Ready(), SECOND)
    house.until(SECOND)
    return house


def code(decision: object) -> str:
    """A refusal's code, or `ok`."""
    return decision.code if isinstance(decision, Refused) else "ok"


def a_swap(house: House, seat: int) -> q.SwapCard:
    """A swap that fits: the first card of the hand for the one in place 0."""
    return q.SwapCard(house.play.hands[seat][0], 0, house.play.centre[0])
