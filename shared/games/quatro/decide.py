"""What comes of a command in Quatro: events, or a refusal, in the order of the rules. The table checked the phase."""

from typing import assert_never

from shared.games.quatro import commands, events
from shared.games.quatro.award import call_counter, call_quatro
from shared.games.quatro.cards import PLACES, SIGNS, deal
from shared.games.quatro.state import State, passes, team
from shared.kernel import By, Decision, Moment, Refused, Table
from shared.shuffle import Stream

NOT_DUE = Refused("not_due")
"""The house asked for what is not due, or a seat for what is the house's: never in an honest log."""


def decide(
    table: Table, play: State, by: By, command: commands.SeatCommand | commands.HouseCommand, now: Moment
) -> Decision:
    """A seat's command, or the house's, at a moment. `by` is a seat's number for `commands.SeatCommand`."""
    if not isinstance(by, int):
        return _house(table, play, command, now)
    match command:
        case commands.SwapCard():
            return _swap(play, by, command, now)
        case commands.ShowEmoji(emoji):
            return _show(play, by, emoji)
        case commands.TakeChannel():
            return _take(play, by, now)
        case commands.GiveChannel():
            return _give(play, by, now)
        case commands.CallQuatro(anyway):
            return call_quatro(play, by, anyway)
        case commands.CallCounter(accused):
            return call_counter(play, by, accused)
        case commands.AskReshuffle():
            return _ask(table, play, by, now)
        case commands.AnswerReshuffle(agree):
            return _answer(table, play, by, agree)
        case commands.PickSign(sign):
            return _pick(play, by, sign)
        case commands.TimeUp() | commands.EndVote() | commands.Beat():
            return NOT_DUE
        case _:
            assert_never(command)


def _house(table: Table, play: State, command: commands.SeatCommand | commands.HouseCommand, now: Moment) -> Decision:
    match command:
        case commands.TimeUp():
            return (events.RoundDrawn(),) if play.ends is not None and now.at >= play.ends else NOT_DUE
        case commands.EndVote():
            return _end_vote(table, play, now)
        case commands.Beat(seat):
            return _beat(play, seat, now)
        case _:
            return NOT_DUE


def _pick(play: State, seat: int, sign: str) -> Decision:
    own = team(len(play.hands), seat)
    if sign not in SIGNS:
        return Refused("no_such_sign")
    if play.signs[own] is not None:
        return Refused("sign_already_set")
    if play.last_signs[own] == sign:
        return Refused("sign_used_last_round")
    return (events.SignPicked(seat, own, sign),)


def _swap(play: State, seat: int, swap: commands.SwapCard, now: Moment) -> Decision:
    """Q-SWAP-8: the order of the reasons."""
    if not 0 <= swap.place < PLACES:
        return Refused("no_such_place")
    if swap.card not in play.hands[seat]:
        return Refused("not_in_hand")
    ready = play.swap_ready[seat]
    if ready is not None and now.at < ready:
        return Refused("too_soon", wait_until=ready)
    if play.centre[swap.place] != swap.aimed_at:
        taken = play.taken[swap.place].get(swap.aimed_at)
        return Refused("card_gone", lost_to=taken.lost(now.at) if taken else None)
    return (events.CardSwapped(seat, swap.place, swap.card, swap.aimed_at),)


def _take(play: State, seat: int, now: Moment) -> Decision:
    if play.channels[seat].held:
        return Refused("already_in_control")
    return _channel_wait(play, seat, now) or (events.ChannelTaken(seat),)


def _give(play: State, seat: int, now: Moment) -> Decision:
    if not play.channels[seat].held:
        return Refused("not_in_control")
    return _channel_wait(play, seat, now) or (events.ChannelGiven(seat),)


def _channel_wait(play: State, seat: int, now: Moment) -> Refused | None:
    changed = play.channels[seat].changed
    ready = None if changed is None else changed + play.rules.channel_wait_ms * 1000
    return Refused("too_soon", wait_until=ready) if ready is not None and now.at < ready else None


def _show(play: State, seat: int, emoji: str) -> Decision:
    channel = play.channels[seat]
    if not channel.held:
        return Refused("not_in_control")
    if emoji not in SIGNS:
        return Refused("no_such_sign")
    first = channel.emoji is None
    return (events.EmojiShown(seat, emoji) if first else events.EmojiChosen(seat, emoji),)


def _ask(table: Table, play: State, seat: int, now: Moment) -> Decision:
    if not table.seats[seat].present:
        return Refused("not_connected")
    if play.reshuffled:
        return Refused("already_reshuffled")
    if play.vote:
        return Refused("vote_open")
    if play.vote_ready is not None and now.at < play.vote_ready:
        return Refused("too_soon", wait_until=play.vote_ready)
    return (events.ReshuffleAsked(seat, now.at + play.rules.vote_ms * 1000),)


def _answer(table: Table, play: State, seat: int, agree: bool) -> Decision:
    if not table.seats[seat].present:
        return Refused("not_connected")
    if not play.vote:
        return Refused("no_vote")
    if seat == play.vote.asker:
        return Refused("own_vote")
    if seat in play.vote.agreed:
        return Refused("already_answered")
    answered = events.ReshuffleAnswered(seat, agree)
    return (answered,) if agree else (answered, events.VoteFailed("no", seat))


def _end_vote(table: Table, play: State, now: Moment) -> Decision:
    if not play.vote:
        return NOT_DUE
    if passes(table, play.vote):
        assert table.key is not None, "an open round has its key"
        dealt = deal(Stream(table.key, "deal/1"), len(play.hands))
        return (events.CardsReshuffled(dealt.hands, dealt.centre, dealt.replaced),)
    return (events.VoteFailed("silence"),) if now.at >= play.vote.deadline else NOT_DUE


def _beat(play: State, seat: int, now: Moment) -> Decision:
    channel = play.channels[seat] if 0 <= seat < len(play.channels) else None
    if channel is None or channel.next_beat is None or now.at < channel.next_beat:
        return NOT_DUE
    emoji = channel.chosen or channel.emoji
    assert emoji is not None, "what beats shows something"
    return (events.EmojiRepeated(seat, emoji),)
