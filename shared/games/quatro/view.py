"""What everyone sees of a round of Quatro, and what one seat sees besides: built from nothing, never by leaving out."""

from shared.games.quatro.award import fours
from shared.games.quatro.cards import HAND_CARDS
from shared.games.quatro.rules import Rules, unusual
from shared.games.quatro.state import Carry, State, Vote, team
from shared.kernel import Table

View = dict[str, object]


def seat_view(table: Table, play: State | None, seat: int) -> View:
    """What everyone sees at a seat."""
    own_team = team(len(table.seats), seat)
    if play is None or play.ends is None:
        return {"team": own_team, "cards": 0, "channel": _silent(), "swap_ready_at": None}
    channel = play.channels[seat]
    shown: View = {"held": channel.held, "emoji": channel.emoji, "next_beat": channel.next_beat}
    if play.verdict:
        shown = _silent()  # Q-CHAN-7: a channel ends with the round
    return {"team": own_team, "cards": HAND_CARDS, "channel": shown, "swap_ready_at": play.swap_ready[seat]}


def public(table: Table, rules: Rules, carry: Carry | None, play: State | None) -> View:
    """What everyone sees of the round; the carry (last signs) was shown at its stop and is not needed here."""
    house: View = {"rules": odd} if (odd := unusual(rules)) else {}
    if play is None or play.ends is None:
        return {"centre": [], "vote": None, "vote_ready_at": None, "reshuffled": False, "replaced": [], **house}
    seen: View = {
        **house,
        "centre": list(play.centre),
        "vote": _vote(play.vote) if play.vote else None,
        "vote_ready_at": play.vote_ready,
        "reshuffled": play.reshuffled,
        "replaced": [{"seat": each.seat, "times": each.times} for each in play.replaced],
    }
    if play.open:
        seen["deadline"] = play.ends
    return seen


def own(table: Table, play: State | None, seat: int) -> View:
    """What a seat sees besides: its hand, its team's sign, its waits, and what it can do now."""
    if play is None:
        return {"hand": [], "sign": None, "last_sign": None, "channel_ready_at": None, "emoji_next": None, "can": []}
    channel, own_team = play.channels[seat], team(len(play.hands), seat)
    changed, wait = channel.changed, play.rules.channel_wait_ms * 1000
    return {
        "hand": list(play.hands[seat]),
        "sign": play.signs[own_team],
        "last_sign": play.last_signs[own_team],
        "channel_ready_at": None if changed is None or play.verdict else changed + wait,
        "emoji_next": None if play.verdict else channel.chosen,
        "can": _can(table, play, seat),
    }


def last_round(table: Table, play: State) -> View:
    """How the round stopped, all hands, every four of a kind and all signs (Q-STOP-2, Q-SIGN-6)."""
    verdict = play.verdict
    assert verdict is not None, "shown from the stop on"
    return {
        "how": verdict.stop.how,
        "by": verdict.stop.by,
        "team": verdict.team,
        "right": verdict.right,
        "hands": [list(hand) for hand in play.hands],
        "centre": list(play.centre),
        "fours": [{"seat": seat, "rank": rank} for seat, rank in fours(play)],
        "signs": list(play.signs),
    }


def _silent() -> View:
    return {"held": False, "emoji": None, "next_beat": None}


def _vote(vote: Vote) -> View:
    return {"asker": vote.asker, "agreed": list(vote.agreed), "deadline": vote.deadline}


def _can(table: Table, play: State, seat: int) -> list[str]:
    """The commands that no reason this seat can know of forbids, time and races aside."""
    if play.verdict:
        return []
    if play.ends is None:
        return ["PickSign"] if play.signs[team(len(play.hands), seat)] is None else []
    channel = ["GiveChannel", "ShowEmoji"] if play.channels[seat].held else ["TakeChannel"]
    return ["SwapCard", *channel, "CallQuatro", "CallCounter", *_can_vote(table, play, seat)]


def _can_vote(table: Table, play: State, seat: int) -> list[str]:
    if not table.seats[seat].present:
        return []
    if play.vote is None:
        return [] if play.reshuffled else ["AskReshuffle"]
    answered = seat == play.vote.asker or seat in play.vote.agreed
    return [] if answered else ["AnswerReshuffle"]
