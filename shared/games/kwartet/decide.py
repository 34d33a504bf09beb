"""Kwartet's decisions: a request, a time-out, a pass, the deal -> events or a refusal, in the order of the rules."""

from typing import assert_never

from shared.games.kwartet import commands, deal, events
from shared.games.kwartet.cards import Card, Hand
from shared.games.kwartet.course import Course
from shared.games.kwartet.state import State, clockwise, next_with_cards
from shared.kernel import HOUSE, SECOND, By, Decision, Moment, Refused, Seat, Table

ABSENT_US = 60 * SECOND


def decide(table: Table, play: State, by: By, command: commands.Own | commands.House, now: Moment) -> Decision:
    """What comes of the command; phase, seat, host and round were checked by the table."""
    match command:
        case commands.Ask(seat, card):
            if by == HOUSE:
                raise ValueError("the house asks for no cards")
            code = refusal(play, by, seat, card)
            if code == "not_your_turn":
                return Refused(code, play.last.lost(now.at) if play.last else None)  # K-ASK-7
            return Refused(code) if code else _ask(table, play, by, command, now)
        case commands.PassAbsent():
            code = pass_refusal(table, play, now.at)
            return Refused(code) if code else _pass(table, play, now)
        case commands.EndTurn():
            return _time_out(table, play, now)
        case _:
            assert_never(command)


def open(table: Table, play: State, now: Moment) -> tuple[events.Any, ...]:
    """The deal from the committed bytes, what it exposes, and the first turn (K-DEAL-1 to 3)."""
    return lay_out(table, play, deal.deal(table, play.rules), now)


def lay_out(table: Table, play: State, dealt: events.CardsDealt, now: Moment) -> tuple[events.Any, ...]:
    """This deal and what follows from it."""
    course = Course(table, play, now)
    course.add(dealt)
    first = (dealt.dealer + 1) % len(table.seats)
    course.lay_down(clockwise(len(table.seats), first))
    course.refill(first)
    course.go_on(HOUSE, "dealt", first)
    return tuple(course.events)


def refusal(play: State, by: int, to: int, card: Card) -> str | None:
    """The first reason against this request, in the order of K-ASK-8."""
    if by != play.turn:
        return "not_your_turn"
    if not 0 <= to < len(play.hands):
        return "no_such_seat"
    if to == by:
        return "yourself"
    if not play.rules.pack.has(card):
        return "no_such_card"
    if card in play.hands[by]:
        return "own_card"
    if play.is_exposed(card.family):
        return "family_exposed"
    if not _holds(play.hands[by], card.family):
        return "family_not_held"
    return None if play.hands[to] else "no_cards"


def _holds(hand: Hand, family: str) -> bool:
    for held in hand:  # noqa: SIM110 - a loop is twice as fast as any()
        if held.family == family:
            return True
    return False


def pass_refusal(table: Table, play: State, at: int) -> str | None:
    """Why the host can't pass the turn at this time (K-DISC-1)."""
    if play.rules.turn_ms:
        return "turn_has_limit"
    silent = at - play.since >= ABSENT_US
    return None if silent or (play.turn is not None and _away(table.seats[play.turn], at)) else "not_absent"


def _away(seat: Seat, at: int) -> bool:
    return seat.bot is None and not seat.connected and at - seat.since >= ABSENT_US


def _ask(table: Table, play: State, by: int, ask: commands.Ask, now: Moment) -> tuple[events.Any, ...]:
    course = Course(table, play, now)
    given = ask.card in play.hands[ask.seat]
    course.add(events.CardAsked(by, ask.seat, ask.card, given))
    if not given and play.stock:
        course.draw(by)  # K-VAR-2
    if given or play.stock:  # else the hand is as it was
        course.lay_down((by,))
    course.refill(by)
    course.go_on(by, "ask", _next(course.play, by, ask.seat, given))
    return tuple(course.events)


def _next(play: State, by: int, to: int, given: bool) -> int:
    """Who is on turn after an answer, if they hold cards (K-ASK-4, K-ASK-5, K-VAR-1)."""
    if given:
        return by
    return to if play.rules.after_miss == "asked" else by + 1


def _pass(table: Table, play: State, now: Moment) -> tuple[events.Any, ...]:
    course, seat = Course(table, play, now), _on_turn(play)
    course.add(events.TurnPassed(seat))
    course.go_on(HOUSE, "pass", next_with_cards(play, seat))
    return tuple(course.events)


def _time_out(table: Table, play: State, now: Moment) -> tuple[events.Any, ...]:
    course, seat = Course(table, play, now), _on_turn(play)
    course.add(events.TurnTimedOut(seat))
    course.go_on(HOUSE, "timeout", next_with_cards(play, seat))
    return tuple(course.events)


def _on_turn(play: State) -> int:
    if play.turn is None:
        raise ValueError("nobody is on turn")
    return play.turn
