"""What if the other had been first: the loser's command a microsecond before the winner's, then that, and no more."""

from functools import cache
from typing import Any

import pytest

from shared.games.quatro.commands import CallQuatro, SwapCard
from shared.games.quatro.events import CardSwapped, QuatroCalled
from shared.kernel import HOUSE, Refused
from shared.replay import verify_round
from shared.replay.whatif import WhatIf, whatif
from shared.table.commands import Ready, Sit, StartGame
from tests.proof.disputed import PLAYERS, disputed, lost
from tests.rules import rule
from tests.table.desk import Desk


def asked(desk: Desk, code: str) -> tuple[Any, Any, WhatIf]:
    """The first race with this refusal: loser, winner, and what if."""
    loser = lost(desk, code)
    winner = desk.records[loser.refused.lost_to.version - 1]
    found = whatif(desk.round(loser.round), loser.n, winner.n)
    assert found is not None
    return loser, winner, found


@rule("Q-SWAP-3")
def test_the_loser_of_a_card_would_have_had_it_and_the_winner_would_have_lost_by_a_microsecond() -> None:
    loser, winner, what = asked(disputed(), "card_gone")
    assert (what.loser.at, what.winner and what.winner.at) == (winner.at - 1, winner.at)
    assert what.loser.decision == (CardSwapped(0, 2, loser.command.card, loser.command.aimed_at),)
    assert what.winner is not None
    refused = what.winner.decision
    assert isinstance(refused, Refused)
    assert refused.code == "card_gone"
    assert refused.lost_to is not None
    assert (refused.lost_to.by, refused.lost_to.margin_us) == (0, 1)
    play: Any = what.state.play
    assert loser.command.aimed_at in play.hands[0]
    assert winner.command.card in play.hands[1]


@rule("Q-STOP-1")
def test_the_later_call_would_have_stopped_the_round_and_the_earlier_one_would_have_come_too_late() -> None:
    _, winner, what = asked(disputed(), "round_over")
    assert isinstance(what.loser.decision, tuple)
    assert isinstance(what.loser.decision[0], QuatroCalled)
    assert what.state.phase == "scoring"
    assert what.winner is not None
    assert isinstance(what.winner.decision, Refused)
    assert what.state.version == winner.n + 1


def test_nothing_later_is_decided_and_the_record_itself_is_as_it_was() -> None:
    desk = disputed()
    before = [row.hash for row in desk.rows]
    _, _, what = asked(desk, "card_gone")
    assert what.steps == (what.loser, what.winner)
    assert [row.hash for row in desk.rows] == before
    assert not hasattr(verify_round(desk.round(1)), "detail")


def test_a_call_that_came_after_the_clock_would_have_stopped_the_round_and_no_clock_would_have_run_out() -> None:
    desk = timed_out()
    _, winner, what = asked(desk, "round_over")
    assert winner.by == HOUSE
    assert isinstance(what.loser.decision, tuple)
    assert isinstance(what.loser.decision[0], QuatroCalled)
    assert what.winner is None
    assert what.state.stop is not None
    assert what.state.stop.by == 2


@cache
def timed_out() -> Desk:
    """A round that its clock stopped, and a call just after."""
    desk = Desk(seed=b"late").create("quatro", 4, sit=True, round_seconds=5)
    for player in PLAYERS[1:]:
        desk.send(player, Sit())
    desk.send("ann", StartGame())
    for player in PLAYERS:
        desk.send(player, Ready())
    desk.wait(5_000_300)
    desk.send("cas", CallQuatro(anyway=True))
    desk.award()
    return desk


@pytest.mark.parametrize(("loser", "winner"), [(13, 999), (999, 12), (13, 1)])
def test_records_that_are_not_there_have_no_other_order(loser: int, winner: int) -> None:
    assert whatif(disputed().round(1), loser, winner) is None


def test_a_command_that_would_have_been_refused_anyway_stays_refused() -> None:
    desk = Desk(seed=b"soon").create("quatro", 4, sit=True)
    for player in PLAYERS[1:]:
        desk.send(player, Sit())
    desk.send("ann", StartGame())
    for player in PLAYERS:
        desk.send(player, Ready())
    desk.wait(10_000)
    play: Any = desk.play
    first = play.centre[0]
    desk.send("ann", SwapCard(play.hands[0][0], 0, first))
    desk.now += 400
    desk.send("bob", SwapCard(play.hands[1][0], 1, play.centre[1]))
    desk.now += 400
    desk.send("ann", SwapCard(play.hands[0][1], 1, play.centre[1]))
    bob, ann = desk.records[-2].n, desk.records[-1].n
    what = whatif(desk.round(1), ann, bob)
    assert what is not None
    assert isinstance(what.loser.decision, Refused)
    assert what.loser.decision.code == "too_soon"
    assert what.winner is not None
    assert not isinstance(what.winner.decision, Refused)
