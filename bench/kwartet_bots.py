"""Do Kwartet's bots order as their levels say? Plays games of bots through the pure rules and counts who wins.

python bench/kwartet_bots.py [GAMES] [SEED]
"""

import sys
from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table as Grid

from shared.games.kwartet import game
from shared.games.kwartet.rules import Rules
from shared.games.kwartet.state import State
from shared.kernel import BadRules, Moment, Refused, Seat, Table

STEP_US = 1_000_000


def rules_of(given: Mapping[str, object], players: int) -> Rules:
    """Checked house rules; bad ones are a mistake of the caller."""
    rules = game.read_rules(given, players)
    if isinstance(rules, BadRules):
        raise ValueError(rules.faults)
    assert isinstance(rules, Rules)
    return rules


def table_of(levels: tuple[str, ...], key: bytes) -> Table:
    """A table of bots."""
    seats = tuple(Seat(player=f"p{seat}", bot=level) for seat, level in enumerate(levels))
    return Table("0" * 36, seats, None, 1, (0,) * len(levels), key)


def views(table: Table, rules: Rules, play: State) -> list[bytes]:
    """What each seat would be sent."""
    seats = [game.seat_view(table, play, seat) for seat in range(len(table.seats))]
    public = {"phase": "playing", "round": 1, "seats": seats, **game.public(table, rules, None, play)}
    own = [{"seat": seat, **game.own(table, play, seat)} for seat in range(len(table.seats))]
    return [msgspec.json.encode({"public": public, "own": each}) for each in own]


def play_game(levels: tuple[str, ...], rules: Rules, random: Random) -> tuple[State, int]:
    """One game to its end -> the stopped state and the number of requests."""
    table = table_of(levels, random.randbytes(32))
    play: Any = game.begin(table, rules, None)
    now = Moment(1, STEP_US)
    for event in game.open(table, play, now):
        play = game.evolve(table, play, event, now)
    minds: list[object | None] = [None] * len(levels)
    while game.stop(play) is None:
        command = None
        for seat, sent in enumerate(views(table, rules, play)):
            view = msgspec.json.decode(sent, type=game.bot.view)
            thought = game.bot.think(view, minds[seat], now.at, random, levels[seat])
            minds[seat] = thought.memory
            command = thought.command or command
        now = Moment(now.version + 1, now.at + STEP_US)
        events = game.decide(table, play, play.turn, command, now)
        if isinstance(events, Refused):
            raise ValueError(f"a bot's request was refused: {events.code}")
        for event in events:
            play = game.evolve(table, play, event, now)
    return play, now.version - 1


def tally(games: int, seed: int, levels: tuple[str, ...], rules: Rules) -> tuple[dict[str, float], float]:
    """Share of wins (a shared win counts in parts) of each level, seats rotated; and requests a game."""
    random, wins, asked = Random(seed), dict.fromkeys(levels, 0.0), 0
    for number in range(games):
        seated = levels[number % len(levels) :] + levels[: number % len(levels)]
        play, asks = play_game(seated, rules, random)
        winners = game.winners(rules, game.award(table_of(seated, b""), play), play) or ()
        for seat in winners:
            wins[seated[seat]] += 1 / len(winners)
        asked += asks
    return {level: won / games for level, won in wins.items()}, asked / games


def main() -> None:
    """Prints one row a setting."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    forgetful, careful, perfect = game.bot.levels
    grid = Grid("players", "rules", forgetful, careful, perfect, "requests a game", title=f"{games} games each")
    for levels, given in (
        ((forgetful, careful, perfect), {}),
        ((forgetful, careful, perfect), {"after_miss": "clockwise"}),
        ((forgetful, careful), {}),
        ((careful, perfect), {}),
        ((forgetful, perfect), {}),
    ):
        shares, asks = tally(games, seed, levels, rules_of(given, len(levels)))
        cells = [f"{shares[level]:.1%}" if level in shares else "-" for level in game.bot.levels]
        grid.add_row(str(len(levels)), given.get("after_miss", "asked"), *cells, f"{asks:.1f}")
    Console().print(grid)


if __name__ == "__main__":
    main()
