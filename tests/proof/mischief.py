"""Games of players who do everything that can be done, right or wrong, in time and late: for verifiers to agree on.

A seed gives the same rows, always. `Mischief` knows what any table can be asked; its heirs know a game.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec.structs import replace

from shared.eventlog.port import Row
from shared.games.registry import GAMES
from shared.kernel import Command, Decision, Seat
from shared.shuffle import entropy_hash
from shared.table import commands as t
from shared.table.record import Record, Sender, Via
from shared.table.state import State
from tests.table.desk import Desk, S

Act = Callable[[], None]
STEPS_MAX = 3_000
PEOPLE = ("ada", "bea", "cas", "dov", "eva", "fay", "gus", "hal")
STRANGERS = ("xan", "yve")


class Busy(Desk):
    """A desk whose records say by which way they came."""

    def append(self, record: Record[Any, Any]) -> None:
        """With the claims of a gateway and a client (who is wrong about the time)."""
        if isinstance(record.by, Sender):
            sent = None if record.n % 3 else record.at - 40_000 + record.n
            record = replace(record, via=Via("gateway-1", record.at - 900, record.at - 200, sent))
        super().append(record)


class Mischief:
    """One table and everyone at it. `wanted` rounds are played if the table lives so long."""

    game = ""
    patience = 6 * S
    """The longest that people wait at once."""

    def __init__(self, seats: int, seed: int, wanted: int = 3) -> None:
        self.chance = Random(f"{self.game}/{seats}/{seed}")
        self.desk = Busy(seed=b"%d" % seed, table=f"0198c0de-0000-7000-8000-{seats:04}{seed % 10**8:08}")
        self.seats, self.wanted = seats, wanted
        self.entropy: dict[tuple[int, int], bytes] = {}
        self.slowed = [0] * seats
        self.floods = seed % 8 == 0

    # The course of a game

    def play(self) -> Desk:
        """From the creation until enough rounds were awarded, or nothing more comes."""
        self._gather()
        for _ in range(STEPS_MAX):
            if self.state.phase in ("closed", "stopped") or self.state.table.round > self.wanted:
                break
            self._time()
            self._act()
        return self.desk

    @property
    def state(self) -> State:
        return self.desk.s

    def _gather(self) -> None:
        rolls = self.chance.random()
        sits = rolls < 0.9
        self.desk.create(self.game, self.seats, PEOPLE[0], sit=sits, **self.rules())
        for person in PEOPLE[1 : self.chance.randrange(1, self.seats + 1)] if sits else ():
            self.desk.send(person, t.Sit())
        if not sits and rolls < 0.95:
            self.desk.send(PEOPLE[1], t.Sit())
        while any(seat.player is None for seat in self.state.table.seats):
            self.desk.send(PEOPLE[0], t.AddBot())
        self.desk.send(PEOPLE[0], t.StartGame())

    def _time(self) -> None:
        """Nothing, a moment, exactly a deadline, just before it; or nobody owned the table for a while."""
        rolls, due = self.chance.random(), self.state.next_due
        if rolls < 0.4:
            return
        if rolls < 0.92:
            self.desk.wait(self.chance.randrange(1, 200_000))
        elif rolls < 0.96 and due is not None and due - self.desk.now < self.patience:
            self.desk.wait(max(0, due - self.desk.now - self.chance.choice((0, 0, 1))))
        elif rolls < 0.98:
            self.desk.wait(self.chance.randrange(1, self.patience))
        elif rolls < 0.988:
            self.desk.sleep(self.chance.randrange(1, 2 * S + 2))
        elif rolls < 0.994:
            self.desk.sleep(self.chance.choice((2 * S + 1, 3 * S, 8 * S, 31 * S)))

    def _act(self) -> None:
        rolls, phase = self.chance.random(), self.state.phase
        if rolls < 0.04:
            self.presence()
        elif rolls < 0.06:
            self.chance.choice((*self.anytime(), *self.between(), *self.preparing(), *self.playing()))()
        elif phase == "playing" and self.floods:
            self.flood()
        elif phase == "scoring":
            self.scoring()
        else:
            doing = {"playing": self.playing, "preparing": self.preparing}.get(phase, self.between)
            self.chance.choice(doing())()

    def scoring(self) -> None:
        """The Award comes, at once or a little later."""
        if self.chance.random() < 0.5:
            stop = self.state.stop
            assert stop is not None, "scoring begins with a stop"
            at = self.chance.choice((stop.version, self.state.version))
            head = next(row.hash for row in self.desk.rows if row.version == at)
            points = GAMES[self.game].award(self.state.table, self.state.play)
            self.desk.catch_up()
            self.desk.slowed = tuple(self.slowed) if any(self.slowed) else None
            self.slowed = [0] * self.seats
            self.desk.record("scoring", t.Award(points, head.hex(), at))

    # Who, and how

    def somebody(self) -> str:
        """The player of a random seat, bots too; now and then somebody who has none."""
        players = [seat.player for seat in self.state.table.seats if seat.player]
        return self.chance.choice(STRANGERS if self.chance.random() < 0.03 or not players else players)

    def send(self, player: str, command: Command) -> Decision:
        """For the round that runs, or another, or whichever."""
        round = self.state.table.round
        meant = self.chance.choice((*(None,) * 14, *(round,) * 14, round - 1, round + 1))
        decision = self.desk.send(player, command, meant)
        if getattr(decision, "code", "") == "slow_down":
            self.slowed[self.seat_of(player)] += 1
        return decision

    def seat_of(self, player: str) -> int:
        players: list[str | None] = [seat.player for seat in self.state.table.seats]
        return players.index(player) if player in players else 0

    def any_seat(self) -> int:
        none = self.chance.choice((-1, self.seats, 2**53))
        seats: list[int] = [*range(self.seats), none]
        return self.chance.choice(seats)

    def said(self, command: Command, player: str | None = None) -> Act:
        return lambda: void(self.send(player or self.somebody(), command))

    def hosts(self, command: Command) -> Act:
        return self.said(command, self.state.host.player)

    # What can be wanted of any table

    def rules(self) -> dict[str, Any]:
        raise NotImplementedError

    def playing(self) -> tuple[Act, ...]:
        raise NotImplementedError

    def presence(self) -> None:
        """Somebody comes or goes; all go at once, now and then."""
        people = [seat.player for seat in self.state.table.seats if seat.player and not seat.bot and not seat.left]
        host = self.state.host.player
        if self.chance.random() < 0.1:
            for player in people:
                self.desk.disconnect(player)
        player = self.chance.choice([*people, host])
        change = self.desk.connect if self.chance.random() < 0.65 else self.desk.disconnect
        change(player)

    def flood(self) -> None:
        """So many refusals that no more are recorded (T-LIMIT-1)."""
        self.floods = False
        player = self.somebody()
        for _ in range(410):
            self.desk.now += 50_000 if self.state.next_due is None else 0
            self.send(player, t.FreeSeat(-1) if player == self.state.host.player else t.NewGame())

    def anytime(self) -> tuple[Act, ...]:
        return (self.said(t.Leave()), self.said(t.Sit(self.any_seat())), self.hosts(t.StartGame()))

    def between(self) -> tuple[Act, ...]:
        """In breaks and after the end: seats change hands, bots come and go, somebody goes on."""
        level = self.chance.choice((None, *GAMES[self.game].bot.levels, "?"))
        seat, stranger = self.any_seat(), self.chance.choice((*PEOPLE, *STRANGERS))
        fill = self.hosts(t.AddBot(self._empty(), level))
        return (
            self.said(t.Ready()), self.said(t.Ready()), self.said(t.Ready(), self._absent()),
            self.hosts(t.EndBreak()), self.hosts(t.NewGame()), self.hosts(t.NewGame()), self.said(t.NewGame()),
            self.said(t.EndBreak()), self.said(t.Sit(), stranger), self.said(t.Sit(seat), stranger),
            self.said(t.Sit(self._empty()), stranger), fill, fill, fill, self.hosts(t.AddBot(seat, level)),
            self.hosts(t.RemoveBot(seat)), self.hosts(t.FreeSeat(seat)), self.said(t.Leave()),
        )  # fmt: skip

    def _empty(self) -> int | None:
        return next((n for n, seat in enumerate(self.state.table.seats) if seat.player is None), None)

    def _absent(self) -> str:
        """Who sends by HTTP is connected first (T-PRES-1)."""
        away = [seat.player for seat in self.state.table.seats if self._is_away(seat) and seat.player]
        if not away:
            return self.somebody()
        player = self.chance.choice(away)
        self.desk.connect(player)
        return player

    @staticmethod
    def _is_away(seat: Seat) -> bool:
        return seat.human and not seat.connected

    def preparing(self) -> tuple[Act, ...]:
        """Bytes are committed to and revealed, in time or not, fitting or not (T-CHANCE-1)."""
        return (self.commit, self.commit, self.reveal, self.reveal, self.reveal, self.said(t.Ready()))

    def commit(self) -> None:
        player = self.somebody()
        seat, round = self.seat_of(player), self.state.table.round
        brought = self.chance.randbytes(self.chance.randrange(16, 33))
        self.entropy.setdefault((round, seat), brought)
        self.send(player, t.CommitEntropy(entropy_hash(self.desk.table, round, seat, brought).hex()))

    def reveal(self) -> None:
        player = self.somebody()
        brought = self.entropy.get((self.state.table.round, self.seat_of(player)))
        rolls = self.chance.random()
        if brought is None or rolls < 0.05:
            self.send(player, t.Ready())
        elif rolls < 0.3:
            self.send(player, t.Ready("ab" * 16))
        else:
            self.send(player, t.Ready(brought.hex().upper() if rolls < 0.6 else brought.hex()))


def void(decision: Decision) -> None:
    """What came of it shows in the log."""


def rounds_of(desk: Desk) -> list[tuple[tuple[Row, ...], bytes]]:
    """Every awarded round of a desk, with the hash before it."""
    found = []
    for number in range(1, desk.s.table.round):
        rows = tuple(row for row in desk.rows if row.round == number)
        found.append((rows, desk.rows[rows[0].version - 2].hash))
    return found
