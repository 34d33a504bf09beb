"""Dash: a third game, here to show that a game is one folder. Two to four seats, turns with a clock, gusts, a shortcut
that is a race, secret hands and charms, several rounds."""

from shared.kernel import Bot, Game
from tests.toygame import messages as m
from tests.toygame import play, view

game = Game(
    name="dash",
    revision=1,
    seat_counts=(2, 3, 4),
    rules=play.Rules,
    play=play.Play,
    carry=play.Carry,
    commands=(m.PickCharm, m.Step, m.Grab, m.SkipTurn),
    preparing_commands=frozenset((m.PickCharm,)),
    host_commands=frozenset((m.SkipTurn,)),
    house_commands=(m.EndTurn, m.Gust, m.TimeUp),
    events=(
        m.CharmPicked,
        m.CardsDealt,
        m.Stepped,
        m.ShortcutGrabbed,
        m.TurnPassed,
        m.GustBlew,
        m.LineReached,
        m.TimeRanOut,
    ),
    read_rules=play.read_rules,
    rules_schema=lambda: {"type": "object", "properties": {"line": {"type": "integer", "default": 12}}},
    prepare_us=lambda rules: 1000 * rules.prepare_ms,
    break_us=lambda rules: 1000 * rules.break_ms,
    sides=lambda seats: seats,
    begin=play.begin,
    open=play.open_round,
    decide=play.decide,
    evolve=play.evolve,
    resume=play.resume,
    wake=play.wake,
    sleeps=view.sleeps,
    deadlines=play.deadlines,
    stop=view.stop_of,
    award=play.award,
    winners=play.winners,
    carry_of=view.carry_of,
    seat_view=view.seat_view,
    public=view.public,
    own=view.own,
    last_round=view.last_round,
    news=view.news,
    bot=Bot(levels=("shy", "bold"), view=view.Seen, think=view.think),
    draw=view.draw,
)
