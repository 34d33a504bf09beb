"""Kwartet: ask a player for one exact card of a family you hold; four of a family lie open and count a point."""

from typing import get_args

from shared.games.kwartet import commands, events, pack
from shared.games.kwartet.award import award, sides, winners
from shared.games.kwartet.bot import bot
from shared.games.kwartet.decide import decide, open
from shared.games.kwartet.due import deadlines, sleeps
from shared.games.kwartet.evolve import evolve, resume, wake
from shared.games.kwartet.news import news
from shared.games.kwartet.notation import draw
from shared.games.kwartet.rules import Rules, read_rules, rules_schema
from shared.games.kwartet.shelf import shipped
from shared.games.kwartet.state import Carry, State, begin, carry_of, stop
from shared.games.kwartet.view import last_round, own, public, seat_view
from shared.kernel import SECOND, Game, Loader

BREAK_US = 30 * SECOND
"""A game is one round, so that no break ever comes; the table wants a length all the same."""

game = Game(
    name="kwartet",
    revision=1,
    seat_counts=(2, 3, 4, 5, 6),
    rules=Rules,
    play=State,
    carry=Carry,
    commands=get_args(commands.Own),
    preparing_commands=frozenset(),
    house_commands=(commands.EndTurn,),
    events=get_args(events.Any),
    read_rules=read_rules,
    rules_schema=rules_schema,
    prepare_us=lambda rules: rules.prepare_ms * 1000,
    break_us=lambda rules: BREAK_US,
    sides=sides,
    begin=begin,
    open=open,
    decide=decide,
    evolve=evolve,
    resume=resume,
    wake=wake,
    sleeps=sleeps,
    deadlines=deadlines,
    stop=stop,
    award=award,
    winners=winners,
    carry_of=carry_of,
    seat_view=seat_view,
    public=public,
    own=own,
    last_round=last_round,
    news=news,
    bot=bot,
    draw=draw,
    host_commands=frozenset({commands.PassAbsent}),
    loads=Loader(rule="pack", kinds=pack.KINDS, bytes_max=pack.FILE_BYTES_MAX, check=pack.check, shipped=shipped),
    telling=frozenset({"own_card", "family_not_held"}),
    races={"not_your_turn": "K-ASK-7", "round_over": "K-ASK-8"},
)
