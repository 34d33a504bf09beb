"""Dash as its players see it, and a bot that plays it."""

from typing import assert_never

from msgspec import Struct

from shared.kernel import Command, Random, Stop, Table, Thought
from tests.toygame import messages as m
from tests.toygame.play import CHARMS, Carry, Play, Rules

View = dict[str, object]


def seat_view(table: Table, play: Play | None, seat: int) -> View:
    return {"field": play.fields[seat] if play and play.fields else None}


def public(table: Table, rules: Rules, carry: Carry | None, play: Play | None) -> View:
    if play is None or not play.hands:
        return {"turn": None, "grabbed": None, "line": rules.line}
    grabbed = play.grabbed[0] if play.grabbed else None
    return {"turn": play.turn, "grabbed": grabbed, "line": rules.line, "deadline": play.turn_ends, "ends": play.ends}


def own(table: Table, play: Play | None, seat: int) -> View:
    if play is None:
        return {"hand": [], "charm": None, "can": []}
    can = [] if play.hands or play.charms[seat] else ["PickCharm"]
    if play.hands and play.stop is None:
        can = [*(["Step"] if play.turn == seat else []), *([] if play.grabbed else ["Grab"])]
    return {"hand": list(play.hands[seat]) if play.hands else [], "charm": play.charms[seat], "can": can}


def last_round(table: Table, play: Play) -> View:
    how = play.stop.how if play.stop else None
    return {"how": how, "by": play.winner, "hands": play.hands, "charms": play.charms, "fields": play.fields}


def news(table: Table, event: m.AnyEvent, seat: int | None) -> View | None:
    match event:
        case m.CharmPicked():
            return {"type": "CharmPicked"} if event.seat == seat else None
        case m.Stepped(seat=runner, card=card, field=field):
            return {"type": "Stepped", "seat": runner, "card": card, "field": field}
        case m.ShortcutGrabbed(seat=runner) | m.LineReached(seat=runner) | m.TurnPassed(seat=runner):
            return {"type": type(event).__name__, "seat": runner}
        case m.GustBlew(seat=runner):
            return {"type": "GustBlew", "seat": runner}
        case m.CardsDealt() | m.TimeRanOut():
            return {"type": type(event).__name__}
        case _:
            assert_never(event)


class PublicSeen(Struct, frozen=True):
    phase: str
    turn: int | None = None


class OwnSeen(Struct, frozen=True):
    seat: int
    hand: tuple[int, ...]
    can: tuple[str, ...]


class Seen(Struct, frozen=True):
    public: PublicSeen
    own: OwnSeen


def think(view: Seen, memory: object, now: int, random: Random, level: str) -> Thought:
    """Runs as far as it can; a bold one grabs the shortcut too."""
    command: Command | None = None
    if "PickCharm" in view.own.can:
        command = m.PickCharm(CHARMS[random.randrange(len(CHARMS))])
    elif "Step" in view.own.can:
        command = m.Step(max(view.own.hand))
    elif "Grab" in view.own.can and level == "bold":
        command = m.Grab()
    return Thought(memory, command, 250_000 + random.randrange(500_000))


def carry_of(play: Play) -> Carry:
    return Carry(play.starter)


def stop_of(play: Play) -> Stop | None:
    return play.stop


def sleeps(command: Command) -> bool:
    return type(command) is m.EndTurn


def draw(play: Play, at: int) -> str:
    """The lanes, each with its runner."""
    fields = play.fields or (0,) * len(play.charms)
    return "\n".join(f"{seat} {'.' * field}>{'.' * (play.rules.line - field)}|" for seat, field in enumerate(fields))
