"""Dash, its rules: turns have a clock, and whoever first reaches the line gets a point, as a hare two."""

from collections.abc import Mapping
from typing import Any, assert_never

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shared.kernel import (
    HOUSE,
    BadRules,
    By,
    Deadline,
    Decision,
    Event,
    LostTo,
    Moment,
    Order,
    Refused,
    Stop,
    Table,
)
from shared.shuffle import Stream
from tests.toygame import messages as m

CHARMS = ("hare", "tortoise")
HAND = 3


class Rules(Struct, frozen=True):
    """Spans in ms."""

    target_points: int = 2
    line: int = 12
    turn_ms: int = 10_000
    gust_ms: int = 7_000
    round_ms: int = 120_000
    prepare_ms: int = 30_000
    break_ms: int = 30_000


class Play(Struct, frozen=True):
    """One round. `charms` and `hands` are each seat's secret until the stop."""

    rules: Rules
    starter: int
    charms: tuple[str | None, ...]
    hands: tuple[tuple[int, ...], ...] = ()
    fields: tuple[int, ...] = ()
    turn: int = 0
    turn_ends: int = 0
    next_gust: int = 0
    gusts: int = 0
    draws: int = 0
    ends: int = 0
    grabbed: tuple[int, Moment] | None = None
    turned: tuple[By, str, Moment] | None = None
    winner: int | None = None
    stop: Stop | None = None


class Carry(Struct, frozen=True):
    starter: int


def read_rules(given: Mapping[str, object], seats: int) -> Rules | BadRules:
    try:
        return msgspec.convert(given, Rules)
    except msgspec.ValidationError as problem:
        return BadRules((str(problem),))


def begin(table: Table, rules: Rules, carry: Carry | None) -> Play:
    starter = 0 if carry is None else (carry.starter + 1) % len(table.seats)
    return Play(rules, starter, (None,) * len(table.seats))


def open_round(table: Table, play: Play, now: Moment) -> tuple[Event, ...]:
    assert table.key is not None
    stream = Stream(table.key, "deal/0")
    hands = tuple(tuple(1 + stream.draw(4) for _ in range(HAND)) for _ in table.seats)
    rules, turn = play.rules, _first_player(table, play.starter)
    return (m.CardsDealt(hands, turn, *(now.at + 1000 * ms for ms in (rules.turn_ms, rules.gust_ms, rules.round_ms))),)


def decide(table: Table, play: Play, by: By, command: m.AnyCommand, now: Moment) -> Decision:
    match command:
        case m.PickCharm(charm):
            return _pick(play, by, charm)
        case m.Step(card):
            return _step(table, play, by, card, now)
        case m.Grab():
            return _grab(play, by, now)
        case m.SkipTurn():
            return (_passed(table, play, "skip", now),)
        case m.EndTurn():
            return (_passed(table, play, "timeout", now),)
        case m.Gust():
            return (_gust(table, play),)
        case m.TimeUp():
            return (m.TimeRanOut(),)
        case _:
            assert_never(command)


def _pick(play: Play, by: By, charm: str) -> Decision:
    assert by != HOUSE
    if charm not in CHARMS:
        return Refused("no_such_charm")
    return Refused("charm_already_set") if play.charms[by] else (m.CharmPicked(by, charm),)


def _step(table: Table, play: Play, by: By, card: int, now: Moment) -> Decision:
    assert by != HOUSE
    if by != play.turn:
        return Refused("not_your_turn", _turned(play, now))
    if card not in play.hands[by]:
        return Refused("not_in_hand")
    assert table.key is not None
    drawn = 1 + Stream(table.key, f"draw/{play.draws}").draw(4)
    stepped = m.Stepped(by, card, min(play.fields[by] + card + _helped(play, by, card), play.rules.line), drawn)
    if stepped.field == play.rules.line:
        return (stepped, m.LineReached(by))
    return (stepped, _passed(table, play, "step", now))


def _helped(play: Play, seat: int, card: int) -> int:
    """A hare runs on after long steps, a tortoise after short ones."""
    return int((play.charms[seat], card) in (("hare", 4), ("tortoise", 1)))


def _turned(play: Play, now: Moment) -> LostTo | None:
    if play.turned is None:
        return None
    by, why, moment = play.turned
    return LostTo(moment.version, by, now.at - moment.at, why if by == HOUSE else None)


def _grab(play: Play, by: By, now: Moment) -> Decision:
    assert by != HOUSE
    if play.grabbed:
        seat, moment = play.grabbed
        return Refused("shortcut_gone", LostTo(moment.version, seat, now.at - moment.at))
    return (m.ShortcutGrabbed(by, min(play.fields[by] + 2, play.rules.line - 1)),)


def _gust(table: Table, play: Play) -> Event:
    assert table.key is not None
    seat = Stream(table.key, f"gust/{play.gusts}").draw(len(play.fields))
    return m.GustBlew(seat, max(play.fields[seat] - 1, 0), play.next_gust + 1000 * play.rules.gust_ms)


def _passed(table: Table, play: Play, why: str, now: Moment) -> m.TurnPassed:
    seat = _first_player(table, (play.turn + 1) % len(table.seats))
    return m.TurnPassed(seat, why, now.at + 1000 * play.rules.turn_ms)


def _first_player(table: Table, start: int) -> int:
    """An empty seat is played by nobody."""
    count = len(table.seats)
    turns = ((start + i) % count for i in range(count))
    return next((seat for seat in turns if table.seats[seat].player), start)


def evolve(table: Table, play: Play, event: m.AnyEvent, now: Moment) -> Play:
    match event:
        case m.CharmPicked(seat, charm):
            return replace(play, charms=_put(play.charms, seat, charm))
        case m.CardsDealt(hands, turn, turn_ends, next_gust, ends):
            fields = (0,) * len(hands)
            dealt = {"hands": hands, "fields": fields, "turn": turn, "turn_ends": turn_ends}
            return replace(play, **dealt, next_gust=next_gust, ends=ends)
        case m.Stepped(seat, card, field, drawn):
            hand = list(play.hands[seat])
            hand[hand.index(card)] = drawn
            hands = _put(play.hands, seat, tuple(hand))
            return replace(play, hands=hands, fields=_put(play.fields, seat, field), draws=play.draws + 1)
        case m.ShortcutGrabbed(seat, field):
            return replace(play, fields=_put(play.fields, seat, field), grabbed=(seat, now))
        case m.TurnPassed(seat, why, turn_ends):
            by: By = play.turn if why == "step" else HOUSE
            return replace(play, turn=seat, turn_ends=turn_ends, turned=(by, why, now))
        case m.GustBlew(seat, field, next_gust):
            return replace(play, fields=_put(play.fields, seat, field), next_gust=next_gust, gusts=play.gusts + 1)
        case m.LineReached(seat):
            return replace(play, winner=seat, stop=Stop(now.version, now.at, seat, "line"))
        case m.TimeRanOut():
            return replace(play, stop=Stop(now.version, now.at, HOUSE, "time"))
        case _:
            assert_never(event)


def _put(values: tuple[Any, ...], place: int, value: object) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def deadlines(table: Table, play: Play) -> tuple[Deadline, ...]:
    return (
        Deadline(play.ends, Order.END_OF_ROUND, m.TimeUp(), own_time=True),
        Deadline(play.next_gust, Order.BEAT, m.Gust()),
        Deadline(play.turn_ends, Order.END_OF_TURN, m.EndTurn(), own_time=True),
    )


def resume(table: Table, play: Play, now: Moment) -> Play:
    """The turn's clock begins now if it was due; a gust that was missed blows now."""
    turn_ends = play.turn_ends if play.turn_ends > now.at else now.at + 1000 * play.rules.turn_ms
    if play.turned and play.turned[1] == "timeout" and play.turned[2].version == now.version - 1:
        turn_ends = now.at + 1000 * play.rules.turn_ms
    return replace(play, turn_ends=turn_ends, next_gust=max(play.next_gust, now.at))


def wake(table: Table, play: Play, now: Moment) -> Play:
    rules = play.rules
    return replace(play, turn_ends=now.at + 1000 * rules.turn_ms, next_gust=now.at + 1000 * rules.gust_ms)


def award(table: Table, play: Play) -> tuple[int, ...]:
    points = [0] * len(play.fields)
    if play.winner is not None:
        points[play.winner] = 2 if play.charms[play.winner] == "hare" else 1
    return tuple(points)


def winners(rules: Rules, points: tuple[int, ...], play: Play) -> tuple[int, ...] | None:
    best = max(points)
    return tuple(side for side, has in enumerate(points) if has == best) if best >= rules.target_points else None
