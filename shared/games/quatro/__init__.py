"""Quatro: real time, no turns. Collect four of a kind, sign to your partner, and let them call it."""

from typing import get_args

from shared.games.quatro import commands, events
from shared.games.quatro.award import award, winners
from shared.games.quatro.bot import bot
from shared.games.quatro.decide import decide
from shared.games.quatro.due import deadlines, open_round, resume, sleeps, wake
from shared.games.quatro.evolve import evolve
from shared.games.quatro.news import news
from shared.games.quatro.notation import draw
from shared.games.quatro.rules import Rules, read_rules, rules_schema
from shared.games.quatro.state import Carry, State, begin, carry_of, stop
from shared.games.quatro.view import last_round, own, public, seat_view
from shared.kernel import Game

game = Game(
    name="quatro",
    revision=1,
    seat_counts=(4, 6, 8),
    rules=Rules,
    play=State,
    carry=Carry,
    commands=get_args(commands.SeatCommand),
    preparing_commands=frozenset({commands.PickSign}),
    house_commands=get_args(commands.HouseCommand),
    events=get_args(events.QuatroEvent),
    read_rules=read_rules,
    rules_schema=rules_schema,
    prepare_us=lambda rules: rules.prepare_ms * 1000,
    break_us=lambda rules: rules.break_ms * 1000,
    sides=lambda seats: seats // 2,
    begin=begin,
    open=open_round,
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
    races={"card_gone": "Q-SWAP-3", "round_over": "Q-STOP-1"},
    telling=frozenset({"own_four", "not_in_hand", "sign_already_set", "sign_used_last_round"}),
    quiet=frozenset(
        {
            events.CardSwapped,
            events.ChannelTaken,
            events.ChannelGiven,
            events.EmojiShown,
            events.EmojiChosen,
            events.EmojiRepeated,
        }
    ),
    touches=lambda event: event.seat if type(event) is events.CardSwapped else None,
    alike=frozenset({events.CardSwapped}),
)
