"""Every game, the third one too, played by its own bots through the table, then proven from its rows."""

from random import Random
from typing import Any

import msgspec
import pytest

from shared.games.registry import GAMES
from shared.kernel import Game, Refused
from shared.replay import Verified, rebuild, verify_round
from shared.table.boundary import boundary, canonical, restore
from shared.table.codec import codec
from shared.table.commands import AddBot, CreateTable, StartGame
from shared.table.record import Sender, encode
from shared.table.view import news, own, public
from tests.rules import case, rule
from tests.table.desk import TABLE, Desk, code
from tests.toygame import game as dash

STEPS_MAX = 4_000


def played(game: Game, seats: int, seed: int) -> Desk:
    """One game of bots, each of which sees its own seat's view and nothing else."""
    desk, chance = Desk(seed=b"%d" % seed).create(game.name, seats, sit=False), Random(seed)
    for _ in range(seats):
        desk.send("ann", AddBot())
    desk.send("ann", StartGame())
    memories: list[Any] = [None] * seats
    for _ in range(STEPS_MAX):
        if desk.s.phase == "over":
            return desk
        if desk.s.phase == "scoring":
            desk.award()
        act(desk, game, memories, chance)
    raise AssertionError("this game does not end")


def act(desk: Desk, game: Game, memories: list[Any], chance: Random) -> None:
    """One seat looks, thinks, and sends what it thought of."""
    number = chance.randrange(len(memories))
    seat = desk.s.table.seats[number]
    assert seat.player is not None
    assert seat.bot is not None
    seen = msgspec.json.encode({"public": public(desk.s, {}, 0), "own": own(desk.s, number)})
    view = msgspec.json.decode(seen, type=game.bot.view)
    thought = game.bot.think(view, memories[number], desk.now, chance, seat.bot)
    memories[number] = thought.memory
    desk.wait(max(thought.delay_us // len(memories), 1) if thought.command else 300_000)
    if thought.command is not None:
        decided = desk.send(seat.player, thought.command)
        assert not isinstance(decided, Refused) or decided.code not in ("not_yours", "not_seated"), decided


@rule("T-IDLE-1", "T-AWARD-1")
@case("C-20")
@pytest.mark.parametrize("game", [dash, *(game for game in GAMES.values() if game is not dash)], ids=lambda g: g.name)
@pytest.mark.parametrize("seed", [1, 2])
def test_bots_play_a_game_to_its_end_and_its_rows_prove_it(game: Game, seed: int) -> None:
    seats = game.seat_counts[min(seed, len(game.seat_counts) - 1)]
    desk = played(game, seats, seed)
    assert desk.s.winners is not None
    whole = verify_round(desk.rows)
    assert isinstance(whole, Verified), whole
    assert whole.state == desk.s == rebuild(desk.rows) == restore(TABLE, boundary(desk.s))
    for number in range(desk.s.table.round):
        alone = verify_round(desk.round(number))
        assert isinstance(alone, Verified), alone
    read = codec(game)
    assert all(encode(read.decode_record(row.body)) == row.body for row in desk.rows)


@case("C-11")
@pytest.mark.parametrize("game", [dash, *(game for game in GAMES.values() if game is not dash)], ids=lambda g: g.name)
def test_watchers_never_see_the_houses_bytes_or_the_key_of_an_open_round(game: Game) -> None:
    desk = played(game, game.seat_counts[0], 3)
    for state, record in zip(desk.states, desk.records, strict=True):
        shown = str(public(state, {}, 0)) + str(news(state, record, None))
        assert state.house is None or state.house.hex() not in shown
        assert state.table.key is None or state.table.key.hex() not in shown


@rule("T-START-1")
@pytest.mark.parametrize("game", [dash, *(game for game in GAMES.values() if game is not dash)], ids=lambda g: g.name)
def test_a_table_has_a_number_of_seats_that_its_game_knows(game: Game) -> None:
    assert code(seats_of(game, max(game.seat_counts) + 1)) == "bad_seat_count"
    assert code(seats_of(game, 0)) == "bad_seat_count"


def seats_of(game: Game, seats: int) -> Any:
    rules = canonical(game.read_rules({}, game.seat_counts[0]))
    return Desk().record(Sender("ann"), CreateTable(TABLE, game.name, game.revision, seats, rules))
