"""Rounds of bots under a virtual clock: each sees its seat's frame, as decoded JSON, and sends what its mind says."""

from random import Random

import msgspec

from shared.games.quatro import game
from shared.games.quatro.rules import Rules
from shared.kernel import Command, Thought
from tests.quatro.play import Play, table


class Bots:
    """All seats of one table."""

    def __init__(self, play: Play, levels: tuple[str, ...], seed: int) -> None:
        self.play, self.levels = play, levels
        self.randoms = [Random(seed * 100 + seat) for seat in range(len(levels))]
        self.memories: list[object | None] = [None] * len(levels)
        self.next: list[tuple[int, Command | None]] = [(play.at, None)] * len(levels)
        self.sent: list[tuple[int, int, Command]] = []

    def step(self) -> None:
        """Whatever comes next: the house's or a bot's."""
        seat = min(range(len(self.levels)), key=lambda each: (self.next[each][0], each))
        at, command = self.next[seat]
        due = self.play.due()
        before = self.play.version, self.play.state
        if due is not None and due <= at:
            self.play.until(due)
        elif command:
            self.sent.append((at, seat, command))
            self.play.send(seat, command, at)
            self._think(seat, max(at, self.play.at))
        else:
            self._think(seat, at)
        if self.play.state is not before[1]:
            for each in range(len(self.levels)):
                self._think(each, self.play.at)

    def _think(self, seat: int, now: int) -> None:
        view = msgspec.convert(self.play.view(seat), game.bot.view)
        thought: Thought = game.bot.think(view, self.memories[seat], now, self.randoms[seat], self.levels[seat])
        self.memories[seat] = thought.memory
        self.next[seat] = (now + thought.delay_us, thought.command)


def play_round(levels: tuple[str, ...], seed: int, rules: Rules | None = None) -> Bots:
    """A whole round, played to its stop."""
    seats = len(levels)
    play = Play(table(seats, frozenset(range(seats)), seed), rules or Rules())
    play.open()
    bots = Bots(play, levels, seed)
    while play.state.open:
        bots.step()
    return bots
