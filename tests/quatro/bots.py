"""Games of bots under a virtual clock: each sees its seat's frames and nothing else, and sends what its mind says."""

from random import Random

import msgspec

from shared.games.quatro import game
from shared.games.quatro.bot.view import View
from shared.games.quatro.rules import Rules
from shared.kernel import Command
from tests.quatro.house import START, House


class Bots:
    """Minds for some seats of a table. `sent` is (µs, seat, command); `frames` what each seat saw from when on."""

    def __init__(self, house: House, levels: dict[int, str], seed: int = 0, at: int = 0) -> None:
        self.house, self.levels, self.at = house, levels, at
        self.randoms = {seat: Random(seed * 100 + seat) for seat in levels}
        self.memories: dict[int, object | None] = dict.fromkeys(levels)
        self.plans: dict[int, tuple[int, Command | None]] = {}
        self.frames: dict[int, list[tuple[int, View]]] = {seat: [] for seat in levels}
        self.sent: list[tuple[int, int, Command]] = []
        self.look(at)

    def play(self, rounds: int, until: int = 4 * 3600 * 1_000_000) -> None:
        """Until so many rounds were awarded, or the game is over, or that time."""
        while self.house.table.table.round <= rounds and self.house.table.phase != "over" and self.at < until:
            self.step()

    def look(self, at: int) -> None:
        """All look at the table: somebody else did something."""
        self.at = at
        self._look(list(self.levels))

    def step(self) -> None:
        """Whatever comes next: the house's or a bot's."""
        seat = min(self.plans, key=lambda each: (self.plans[each][0], each))
        at, command = self.plans[seat]
        due = self.house.table.next_due
        before = len(self.house.records)
        if self.house.table.phase == "scoring" or (due is not None and due - START <= at):
            self.at = self.at if due is None else due - START
            self.house.until(self.at)
        else:
            self.at = at
            if command:
                self.sent.append((at, seat, command))
                self.house.send(seat, command, at)
        happened = any(record.events for record in self.house.records[before:])
        self._look(list(self.levels) if happened else [seat])

    def _look(self, seats: list[int]) -> None:
        for seat in seats:
            view = msgspec.convert(self.house.frame(seat), View)
            seen = self.frames[seat]
            if not seen or seen[-1][1] != view:
                seen.append((self.at, view))
            thought = game.bot.think(view, self.memories[seat], self.at + START, self.randoms[seat], self.levels[seat])
            self.memories[seat] = thought.memory
            self.plans[seat] = (self.at + thought.delay_us, thought.command)


def bots_only(levels: tuple[str, ...], seed: int = 0, rules: Rules | None = None) -> Bots:
    """A table full of bots, just begun."""
    house = House(seed)
    house.create(len(levels), rules, sit=False)
    house.seat_bots(levels)
    return Bots(house, dict(enumerate(levels)), seed)
