"""One game of Kwartet under a virtual clock, without the table's layer: due deadlines first, then the command."""

from collections.abc import Mapping

import msgspec

from shared import shuffle
from shared.games.kwartet import game
from shared.games.kwartet.commands import House, Own
from shared.games.kwartet.rules import Rules
from shared.games.kwartet.state import State
from shared.kernel import HOUSE, BadRules, By, Command, Decision, Event, Moment, Refused, Seat, Table

TABLE_ID = "019376e8-0000-7000-8000-000000000000"
START = 1_000_000_000
TINY = {
    "name": "Tiny",
    "families": [{"name": name, "members": [f"{name}{i}" for i in range(4)]} for name in ("ape", "bee", "cow")],
}
"""A themed pack of three families."""


def rules(players: int = 4, **given: object) -> Rules:
    """Checked house rules."""
    read = game.read_rules(given, players)
    assert not isinstance(read, BadRules), read.faults
    assert isinstance(read, Rules)
    return read


def table(players: int = 4, round: int = 1, bots: frozenset[int] = frozenset(), house: bytes = bytes(32)) -> Table:
    """A table of people, all connected, but for the bots; seat 0 is host; the key follows from round and bytes."""
    seats = tuple(
        Seat(player=f"p{seat}", bot="careful") if seat in bots else Seat(player=f"p{seat}", connected=True)
        for seat in range(players)
    )
    return Table(TABLE_ID, seats, 0, round, (0,) * players, shuffle.round_key(house, TABLE_ID, round, ()))


class Play:
    """A game that moves on by `send` and `until`; keeps every accepted record's events."""

    def __init__(self, table: Table, rules: Rules, at: int = START) -> None:
        self.table, self.version, self.at = table, 0, at
        self.state: State = game.begin(table, rules, None)
        self.events: list[tuple[Moment, Event]] = []

    def open(self) -> "Play":
        """The house opens the game now."""
        now = self._now(self.at)
        self._apply(game.open(self.table, self.state, now), now)
        return self

    def send(self, by: By, command: Own | House, at: int | None = None) -> Decision:
        """Decides a command at a time, after everything that is due."""
        at = self.at if at is None else at
        self.until(at)
        return self._decide(by, command, at)

    def until(self, at: int) -> None:
        """Decides all that is due up to a time, each at its own."""
        while due := [each for each in game.deadlines(self.table, self.state) if each.at <= at]:
            decided = self._decide(HOUSE, due[0].command, max(due[0].at, self.at))
            assert not isinstance(decided, Refused), "what is due is not refused"

    def public(self) -> dict[str, object]:
        """What everyone sees, with what the table adds for bots."""
        seats = [game.seat_view(self.table, self.state, seat) for seat in range(len(self.table.seats))]
        phase = "scoring" if self.state.stop else "playing" if self.state.open else "preparing"
        shown: Mapping[str, object] = game.public(self.table, self.state.rules, None, self.state)
        return {"phase": phase, "round": self.table.round, "seats": seats, **shown}

    def frame(self, seat: int | None) -> bytes:
        """The bytes that a seat, or a watcher, is sent."""
        view: dict[str, object] = {"public": self.public()}
        if seat is not None:
            view["own"] = {"seat": seat, **game.own(self.table, self.state, seat)}
        return msgspec.json.encode(view)

    def _decide(self, by: By, command: Command, at: int) -> Decision:
        now = self._now(at)
        decided = game.decide(self.table, self.state, by, command, now)
        if not isinstance(decided, Refused):
            self._apply(decided, now)
        return decided

    def _now(self, at: int) -> Moment:
        self.version, self.at = self.version + 1, at
        return Moment(self.version, at)

    def _apply(self, events: tuple[Event, ...], now: Moment) -> None:
        for event in events:
            self.state = game.evolve(self.table, self.state, event, now)
            self.events.append((now, event))
