"""What an event makes of the state. Total over the events that `decide` and `open` give; anything else is a crash."""

from typing import TypeVar, assert_never

from msgspec.structs import replace

from shared.games.quatro import events
from shared.games.quatro.cards import Card, Hand
from shared.games.quatro.state import Channel, State, Taken, Verdict, Vote
from shared.kernel import HOUSE, Moment, Stop, Table

T = TypeVar("T")


def evolve(table: Table, play: State, event: events.QuatroEvent, now: Moment) -> State:
    """The state after an event of the record at `now`."""
    match event:
        case events.CardSwapped():
            return _swapped(play, event, now)
        case events.EmojiRepeated() | events.EmojiShown() | events.EmojiChosen():
            return _emoji(play, event, now)
        case events.ChannelTaken(seat):
            return _channel(play, seat, Channel(held=True, changed=now.at))
        case events.ChannelGiven(seat):
            return _channel(play, seat, Channel(changed=now.at))  # Q-CHAN-2: choice and beat are forgotten
        case events.SignPicked(_, team, sign) | events.SignDrawn(team, sign):
            return replace(play, signs=put(play.signs, team, sign))
        case events.HandsDealt(hands, centre, replaced):
            ends = now.at + play.rules.round_ms * 1000
            return replace(play, hands=hands, centre=centre, replaced=replaced, ends=ends)
        case events.CardsReshuffled():
            return _reshuffled(play, event, now)
        case events.ReshuffleAsked() | events.ReshuffleAnswered() | events.VoteFailed():
            return _vote(play, event, now)
        case events.QuatroCalled() | events.CounterCalled() | events.RoundDrawn():
            return replace(play, verdict=_verdict(event, now), vote=None)  # Q-VOTE-7
        case _:
            assert_never(event)


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The tuple with one value replaced."""
    changed = list(values)
    changed[index] = value
    return tuple(changed)


def _swapped(play: State, event: events.CardSwapped, now: Moment) -> State:
    """Q-SWAP-2, Q-SWAP-4: the card taken stands where the one put down stood."""
    seat, place = event.seat, event.place
    hand = play.hands[seat]
    taken = play.taken[place].copy()
    taken[event.taken] = Taken(now.version, now.at, seat)
    return replace(
        play,
        hands=put(play.hands, seat, put(hand, hand.index(event.given), event.taken)),
        centre=put(play.centre, place, event.given),
        taken=put(play.taken, place, taken),
        swap_ready=put(play.swap_ready, seat, now.at + play.rules.swap_wait_ms * 1000),
    )


def _emoji(play: State, event: events.EmojiRepeated | events.EmojiShown | events.EmojiChosen, now: Moment) -> State:
    channel = play.channels[event.seat]
    if isinstance(event, events.EmojiChosen):
        return _channel(play, event.seat, replace(channel, chosen=event.emoji))
    beat = now.at + play.rules.beat_ms * 1000
    return _channel(play, event.seat, replace(channel, emoji=event.emoji, chosen=None, next_beat=beat))


def _channel(play: State, seat: int, channel: Channel) -> State:
    return replace(play, channels=put(play.channels, seat, channel))


def _reshuffled(play: State, event: events.CardsReshuffled, now: Moment) -> State:
    """Q-VOTE-6; Q-SWAP-3: the reshuffle took the four cards that lay in the centre."""
    taken: tuple[dict[Card, Taken], ...] = tuple({card: Taken(now.version, now.at, None)} for card in play.centre)
    hands: tuple[Hand, ...] = event.hands
    after = replace(play, hands=hands, centre=event.centre, replaced=event.replaced, taken=taken)
    return replace(after, vote=None, vote_ready=_gap(play, now), reshuffled=True)


def _vote(
    play: State, event: events.ReshuffleAsked | events.ReshuffleAnswered | events.VoteFailed, now: Moment
) -> State:
    if isinstance(event, events.ReshuffleAsked):
        return replace(play, vote=Vote(event.seat, (), event.deadline, now.at))
    assert play.vote is not None, "only an open vote is answered or ends"
    if isinstance(event, events.VoteFailed):
        return replace(play, vote=None, vote_ready=_gap(play, now))
    if not event.agree:
        return play  # the vote fails in the same record
    agreed = tuple(sorted((*play.vote.agreed, event.seat)))
    return replace(play, vote=replace(play.vote, agreed=agreed, moved=now.at))


def _gap(play: State, now: Moment) -> int:
    return now.at + play.rules.vote_gap_ms * 1000


def _verdict(event: events.QuatroCalled | events.CounterCalled | events.RoundDrawn, now: Moment) -> Verdict:
    match event:
        case events.QuatroCalled(seat, team, right):
            return Verdict(Stop(now.version, now.at, seat, "call"), team, right)
        case events.CounterCalled(seat, team, right):
            return Verdict(Stop(now.version, now.at, seat, "counter"), team, right)
        case events.RoundDrawn():
            return Verdict(Stop(now.version, now.at, HOUSE, "time"))
        case _:
            assert_never(event)
