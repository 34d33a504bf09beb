"""One table of Quatro under a virtual clock, without the table's layer: due deadlines first, then the command."""

from shared import shuffle
from shared.games.quatro import game
from shared.games.quatro.rules import Rules
from shared.games.quatro.state import Carry, State
from shared.kernel import HOUSE, By, Command, Decision, Event, Moment, Refused, Seat, Table

TABLE_ID = "019376e8-0000-7000-8000-000000000000"
START = 1_000_000_000


def table(seats: int = 4, bots: frozenset[int] = frozenset(), round: int = 1) -> Table:
    """A table of people, all connected, but for the bots; its key follows from the round."""
    sitting = tuple(
        Seat(player=f"p{seat}", bot="normal") if seat in bots else Seat(player=f"p{seat}", connected=True)
        for seat in range(seats)
    )
    key = shuffle.round_key(bytes(32), TABLE_ID, round, ())
    return Table(TABLE_ID, sitting, 0, round, (0,) * (seats // 2), key)


class Play:
    """A round that moves on by `send` and `until`. `heard` is told of every record's events."""

    def __init__(self, table: Table, rules: Rules, carry: Carry | None = None, at: int = START) -> None:
        self.table, self.version, self.at = table, 0, at
        self.state: State = game.begin(table, rules, carry)
        self.events: list[tuple[Moment, Event]] = []

    def open(self) -> None:
        """The house opens the round now."""
        now = self._now(self.at)
        self._apply(game.open(self.table, self.state, now), now)

    def send(self, by: By, command: Command, at: int) -> Decision:
        """Decides a command at a time, after everything that is due."""
        self.until(at)
        return self._decide(by, command, at)

    def until(self, at: int) -> None:
        """Decides all that is due up to a time, each at its own."""
        while due := [each for each in game.deadlines(self.table, self.state) if each.at <= at]:
            first = min(due, key=lambda each: (each.at, each.order, each.seat))
            decided = self._decide(HOUSE, first.command, max(first.at, self.at))
            assert not isinstance(decided, Refused), "what is due is not refused"

    def due(self) -> int | None:
        """When the house acts next."""
        return min((each.at for each in game.deadlines(self.table, self.state)), default=None)

    def view(self, seat: int) -> dict[str, object]:
        """A seat's frame, as plain values."""
        return {"public": self.public(), "own": {"seat": seat, **game.own(self.table, self.state, seat)}}

    def public(self) -> dict[str, object]:
        """What everyone sees, with what the table adds for bots."""
        seats = [
            {"player": each.player, "bot": each.bot, **game.seat_view(self.table, self.state, seat)}
            for seat, each in enumerate(self.table.seats)
        ]
        phase = "scoring" if self.state.verdict else "playing" if self.state.ends else "preparing"
        shown = game.public(self.table, self.state.rules, None, self.state)
        return {"phase": phase, "round": self.table.round, "deadline": None, "seats": seats, **shown}

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
