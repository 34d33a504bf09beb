"""What the house has to do in a round of Quatro, and when: the opening, the beats, the vote's and the round's end."""

from msgspec.structs import replace

from shared.games.quatro import commands, events
from shared.games.quatro.cards import deal, draw_sign
from shared.games.quatro.state import Channel, State, Vote, passes
from shared.kernel import Deadline, Event, Moment, Order, Table
from shared.shuffle import Stream

_TIME_UP = commands.TimeUp()
_END_VOTE = commands.EndVote()
_BEATS = tuple(commands.Beat(seat) for seat in range(8))


def open_round(table: Table, play: State, now: Moment) -> tuple[Event, ...]:
    """The signs of the teams that picked none, and the deal (Q-SIGN-4, Q-OPEN-3)."""
    key, seats = table.key, len(table.seats)
    assert key is not None, "a round opens with its key"
    drawn = [
        events.SignDrawn(team, draw_sign(Stream(key, f"sign/{team}"), play.last_signs[team]))
        for team, sign in enumerate(play.signs)
        if sign is None
    ]
    dealt = deal(Stream(key, "deal/0"), seats)
    return (*drawn, events.HandsDealt(dealt.hands, dealt.centre, dealt.replaced))


def deadlines(table: Table, play: State) -> tuple[Deadline, ...]:
    """All that is due in an open round, nothing once it stopped."""
    if play.ends is None or play.verdict:
        return ()
    due = [Deadline(play.ends, Order.END_OF_ROUND, _TIME_UP, True)]
    if play.vote:
        due.append(_vote_ends(table, play.vote))
    for seat, channel in enumerate(play.channels):
        if channel.next_beat is not None:
            due.append(Deadline(channel.next_beat, Order.BEAT, _BEATS[seat], False, seat))
    return tuple(due)


def resume(table: Table, play: State, now: Moment) -> State:
    """T-LATE-1: beats that were missed go out once, now; the round's and the vote's ends stay what they were."""
    return replace(play, channels=tuple(_late(channel, now.at) for channel in play.channels))


def wake(table: Table, play: State, now: Moment) -> State:
    """A Quatro table sleeps between rounds only, so nothing was running (T-IDLE-1)."""
    return play


def sleeps(command: object) -> bool:
    """No deadline of an open round waits for anyone (Q-DISC-2)."""
    return False


def _late(channel: Channel, at: int) -> Channel:
    late = channel.next_beat is not None and channel.next_beat < at
    return replace(channel, next_beat=at) if late else channel


def _vote_ends(table: Table, vote: Vote) -> Deadline:
    """At the answer, disconnection or reconnection that made it pass (Q-VOTE-3), else when its time is over.

    A failure keeps its own time; a vote that passed deals, and nothing is dealt in the past (T-LATE-1).
    """
    if not passes(table, vote):
        return Deadline(vote.deadline, Order.END_OF_VOTE, _END_VOTE, True)
    moved = max(vote.moved, *(seat.since for seat in table.seats))
    return Deadline(min(moved, vote.deadline), Order.END_OF_VOTE, _END_VOTE)
