"""What each event does to a game of Kwartet. It decides nothing; an event that can't be is a crash."""

from typing import assert_never

from msgspec.structs import replace

from shared.games.kwartet import events
from shared.games.kwartet.cards import Card, Hand
from shared.games.kwartet.state import ASKS_SHOWN, Asked, Exposed, Last, State
from shared.kernel import HOUSE, Moment, Stop, Table


def evolve(table: Table, play: State, event: events.Any, now: Moment) -> State:
    """The state after the event, which happened at `now`."""
    match event:
        case events.CardAsked():  # the most frequent first
            return _asked(play, event, now)
        case events.TurnCame(seat):
            return replace(play, turn=seat, since=now.at)
        case events.CardsDealt(dealer, hands, stock):
            last = Last(now.version, now.at, HOUSE, "dealt")
            return replace(play, dealer=dealer, hands=hands, stock=stock, last=last)
        case events.CardDrawn(seat, card):
            hands = _with(play.hands, seat, (*play.hands[seat], card))
            return replace(play, hands=hands, stock=_without(play.stock, card))
        case events.FamilyExposed(seat, family):
            return _exposed(play, seat, family)
        case events.HandEmptied(seat):
            return _out(play, seat)
        case events.TurnTimedOut():
            return _not_asked(play, "timeout", now)
        case events.TurnPassed():
            return _not_asked(play, "pass", now)
        case events.GameEnded(by, how, complete):
            return replace(play, stop=Stop(now.version, now.at, by, how), complete=complete)
        case _:
            assert_never(event)


def resume(table: Table, play: State, now: Moment) -> State:
    """T-LATE-1: a turn that came while nobody owned the table begins now; one that was running runs on."""
    last = play.last
    came_late = last is not None and last.why == "timeout" and last.version == now.version - 1
    overdue = play.deadline is not None and play.deadline <= now.at
    return replace(play, since=now.at) if play.open and (came_late or overdue) else play


def wake(table: Table, play: State, now: Moment) -> State:
    """T-IDLE-1: the turn begins anew."""
    return replace(play, since=now.at) if play.open else play


def _asked(play: State, event: events.CardAsked, now: Moment) -> State:
    by, to, card, at = event.by, event.to, event.card, now.at
    asks = (*play.asks[1 - ASKS_SHOWN :], Asked(by, to, card, event.given))
    last, barren = Last(now.version, at, by), play.barren + 1
    if not event.given:
        return replace(play, asks=asks, since=at, barren=barren, last=last)
    hands = list(play.hands)
    hands[to] = _without(hands[to], card)
    hands[by] = (*hands[by], card)
    return replace(play, hands=tuple(hands), asks=asks, since=at, barren=barren, last=last)


def _exposed(play: State, seat: int, family: str) -> State:
    held = play.hands[seat]
    left = tuple([card for card in held if card.family != family])
    if len(left) != len(held) - 4:
        raise ValueError(f"seat {seat} does not hold all of {family}")
    hands = _with(play.hands, seat, left)
    return replace(play, hands=hands, exposed=(*play.exposed, Exposed(family, seat)), barren=0)


def _out(play: State, seat: int) -> State:
    if play.hands[seat]:
        raise ValueError(f"seat {seat} still holds cards")
    return play


def _not_asked(play: State, why: str, now: Moment) -> State:
    return replace(play, barren=play.barren + 1, last=Last(now.version, now.at, HOUSE, why))


def _with(hands: tuple[Hand, ...], seat: int, hand: Hand) -> tuple[Hand, ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _without(hand: Hand, card: Card) -> Hand:
    """Raises ValueError: the card is not where the event takes it from."""
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]
