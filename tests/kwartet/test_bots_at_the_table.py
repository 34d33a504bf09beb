"""Whole games of bots through the real table on a virtual clock: each sees its frame, thinks its time, and asks."""

from random import Random
from typing import Any

import msgspec
import pytest

from shared.games.kwartet import commands as k
from shared.games.kwartet import game
from shared.kernel import Refused
from shared.table import commands as t
from shared.table.view import own, public
from tests.kwartet.test_at_the_table import Desk, verified
from tests.rules import case, rule


class Bots:
    """Plays every seat of a desk with bots, on the desk's clock."""

    def __init__(self, desk: Desk, seed: int) -> None:
        self.desk, self.random = desk, Random(seed)
        self.memory: list[object | None] = [None] * len(desk.s.table.seats)
        self.delays: list[int] = []
        self.refused: list[str] = []

    def play(self) -> None:
        """Until the game is over: everyone thinks about the newest view, then whoever is quickest acts."""
        while self.desk.s.phase == "playing":
            at, seat, command = min(self._wishes(), key=lambda wish: wish[0])
            self.desk.wait(at - self.desk.now)
            if self.desk.s.phase == "playing":
                player = self.desk.s.table.seats[seat].player
                assert player is not None
                decided = self.desk.send(player, command)
                if isinstance(decided, Refused):
                    self.refused.append(decided.code)

    def _wishes(self) -> list[tuple[int, int, k.Ask]]:
        wishes = []
        for seat, each in enumerate(self.desk.s.table.seats):
            sent = msgspec.json.encode({"public": public(self.desk.s, {}, 0), "own": own(self.desk.s, seat)})
            view = msgspec.json.decode(sent, type=game.bot.view)
            thought = game.bot.think(view, self.memory[seat], self.desk.now, self.random, each.bot or "")
            self.memory[seat] = thought.memory
            if isinstance(thought.command, k.Ask):
                self.delays.append(thought.delay_us)
                wishes.append((self.desk.now + thought.delay_us, seat, thought.command))
        return wishes


def bots(players: int, seed: int = 1, **rules: Any) -> Bots:
    """An open game at which only bots sit; ann is host without a seat."""
    desk = Desk()
    desk.create("kwartet", players, sit=False, **rules)
    for seat in range(players):
        assert not isinstance(desk.send("ann", t.AddBot(seat, game.bot.levels[seat % 3])), Refused)
    assert not isinstance(desk.send("ann", t.StartGame()), Refused)
    desk.catch_up()
    assert desk.s.phase == "playing"
    return Bots(desk, seed)


@pytest.mark.parametrize(
    ("players", "rules"),
    [
        pytest.param(2, {}, id="two with a stock"),
        pytest.param(3, {"after_miss": "clockwise"}, id="three clockwise"),
        pytest.param(4, {"turn_seconds": 0}, id="four without a limit"),
        pytest.param(5, {"pack": "dutch-english"}, id="five with words"),
        pytest.param(6, {"pack": "capitals", "turn_seconds": 5}, id="six with capitals, quickly"),
    ],
)
@rule("K-END-1", "K-END-2", "K-END-3")
@case("C-27")
def test_bots_play_whole_games_that_are_scored_and_verify(players: int, rules: dict[str, Any]) -> None:
    table = bots(players, players, **rules)
    table.play()
    assert table.refused == []
    assert min(table.delays) >= 250_000
    assert table.desk.play.complete
    families = len(table.desk.play.rules.pack.families)
    table.desk.award()
    shown = public(table.desk.s, {}, 0)
    points = table.desk.s.table.points
    assert (shown["phase"], sum(points)) == ("over", families)
    assert shown["winners"] == [seat for seat in range(players) if points[seat] == max(points)]
    verified(table.desk)


@rule("K-DEAL-1")
@case("C-20")
def test_the_same_chance_and_the_same_bots_give_the_same_game_to_the_byte() -> None:
    tables = [bots(4, 7), bots(4, 7)]
    for table in tables:
        table.play()
    first, second = ([row.body for row in table.desk.rows] for table in tables)
    assert first == second
