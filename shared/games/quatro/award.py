"""Quatro! and Counter!: what stops a round, and what it is worth."""

from collections.abc import Iterator

from shared.games.quatro import events
from shared.games.quatro.cards import four
from shared.games.quatro.rules import Rules
from shared.games.quatro.state import State, partner, team
from shared.kernel import Decision, Refused, Table


def call_quatro(play: State, seat: int, anyway: bool) -> Decision:
    """Q-CALL-1 to Q-CALL-3: the partner's hand counts, the own only brings a reminder."""
    if four(play.hands[seat]) and not anyway:
        return Refused("own_four")
    seats = len(play.hands)
    right = four(play.hands[partner(seats, seat)]) is not None
    return (events.QuatroCalled(seat, team(seats, seat), right),)


def call_counter(play: State, seat: int, accused: int | None) -> Decision:
    """Q-COUNTER-1 to Q-COUNTER-3: either hand of the accused team counts."""
    seats = len(play.hands)
    own, teams = team(seats, seat), seats // 2
    if accused is None:
        if teams > 2:
            return Refused("name_a_team")
        accused = 1 - own
    if not 0 <= accused < teams:
        return Refused("no_such_team")
    if accused == own:
        return Refused("own_team")
    right = any(team(seats, holder) == accused for holder, _ in fours(play))
    return (events.CounterCalled(seat, accused, right),)


def fours(play: State) -> Iterator[tuple[int, str]]:
    """The seats that hold four of a kind now, with the rank."""
    for seat, hand in enumerate(play.hands):
        if rank := four(hand):
            yield seat, rank


def award(table: Table, play: State) -> tuple[int, ...]:
    """The points of a stopped round, one number a team (Q-CALL-1, Q-CALL-2, Q-COUNTER-2, Q-COUNTER-3, Q-TIME-1)."""
    verdict, seats = play.verdict, len(play.hands)
    assert verdict is not None, "only a stopped round is awarded"
    if verdict.team is None:
        return (0,) * (seats // 2)
    if verdict.stop.how == "call":
        return tuple(int((each == verdict.team) == verdict.right) for each in range(seats // 2))
    assert isinstance(verdict.stop.by, int)
    scorer = team(seats, verdict.stop.by) if verdict.right else verdict.team
    return tuple(int(each == scorer) for each in range(seats // 2))


def winners(rules: Rules, points: tuple[int, ...], play: State) -> tuple[int, ...] | None:
    """Q-WIN-1, Q-WIN-3: those with the top score, once that is at or above the target."""
    top = max(points)
    return tuple(side for side, score in enumerate(points) if score == top) if top >= rules.target_points else None
