"""The headlines of Quatro for animation and sound: for each event, what each audience may hear of it."""

from typing import assert_never

from shared.games.quatro import events
from shared.games.quatro.cards import Replaced
from shared.games.quatro.state import team
from shared.kernel import Table

Headline = dict[str, object]


def news(table: Table, event: events.QuatroEvent, seat: int | None) -> Headline | None:
    """The headline of an event for a seat (None: for watchers); None if it is not for them."""
    match event:
        case events.CardSwapped(by, place, given, taken):  # by far the most frequent
            return {"type": "swap", "seat": by, "place": place, "given": given, "taken": taken}
        case events.SignPicked() | events.SignDrawn() | events.EmojiChosen():
            return _private(event, seat, len(table.seats))
        case events.ChannelTaken(by):
            return {"type": "channel_taken", "seat": by}
        case events.ChannelGiven(by):
            return {"type": "channel_given", "seat": by}
        case events.EmojiShown(by, emoji):
            return {"type": "emoji", "seat": by, "emoji": emoji}
        case events.EmojiRepeated(by, emoji):
            return {"type": "beat", "seat": by, "emoji": emoji}
        case events.HandsDealt(_, _, replaced):
            return {"type": "dealt", "replaced": _replaced(replaced)}
        case events.CardsReshuffled(_, _, replaced):
            return {"type": "reshuffled", "replaced": _replaced(replaced)}
        case events.ReshuffleAsked() | events.ReshuffleAnswered() | events.VoteFailed():
            return _vote(event)
        case events.QuatroCalled() | events.CounterCalled() | events.RoundDrawn():
            return _stop(event)
        case _:
            assert_never(event)


def _private(
    event: events.SignPicked | events.SignDrawn | events.EmojiChosen, seat: int | None, seats: int
) -> Headline | None:
    """Q-SIGN-3: a sign is the team's; Q-CHAN-2: the next emoji is its chooser's."""
    if seat is None:
        return None
    if isinstance(event, events.EmojiChosen):
        return {"type": "emoji_next", "seat": seat, "emoji": event.emoji} if seat == event.seat else None
    if team(seats, seat) != event.team:
        return None
    if isinstance(event, events.SignDrawn):
        return {"type": "sign_drawn", "sign": event.sign}
    return {"type": "sign_set", "seat": event.seat, "sign": event.sign}


def _vote(event: events.ReshuffleAsked | events.ReshuffleAnswered | events.VoteFailed) -> Headline:
    match event:
        case events.ReshuffleAsked(seat, deadline):
            return {"type": "vote_asked", "seat": seat, "deadline": deadline}
        case events.ReshuffleAnswered(seat, agree):
            return {"type": "vote_answered", "seat": seat, "agree": agree}
        case events.VoteFailed(why, seat):
            return {"type": "vote_failed", "why": why, "seat": seat}
        case _:
            assert_never(event)


def _stop(event: events.QuatroCalled | events.CounterCalled | events.RoundDrawn) -> Headline:
    match event:
        case events.QuatroCalled(seat, team, right):
            return {"type": "quatro", "seat": seat, "team": team, "right": right}
        case events.CounterCalled(seat, team, right):
            return {"type": "counter", "seat": seat, "team": team, "right": right}
        case events.RoundDrawn():
            return {"type": "draw"}
        case _:
            assert_never(event)


def _replaced(replaced: tuple[Replaced, ...]) -> list[dict[str, int]]:
    return [{"seat": each.seat, "times": each.times} for each in replaced]
