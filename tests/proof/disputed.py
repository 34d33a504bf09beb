"""A round of Quatro with disputes: a race for a card, a call that came too late, and a swap behind the end."""

from functools import cache
from typing import Any

from shared.games.quatro.commands import CallQuatro, SwapCard
from shared.kernel import Refused
from shared.table.commands import Ready, Sit, StartGame
from tests.table.desk import Desk

PLAYERS = ("ann", "bob", "cas", "dee")


@cache
def disputed() -> Desk:
    """Played to its Award: `records` has it all."""
    desk = Desk(seed=b"disputed").create("quatro", 4, sit=True)
    for player in PLAYERS[1:]:
        desk.send(player, Sit())
    desk.send("ann", StartGame())
    for player in PLAYERS:
        desk.send(player, Ready())
    desk.wait(3_000_000)
    play: Any = desk.play
    aimed = play.centre[2]
    swap(desk, "bob", play.hands[1][0], 2, aimed)
    desk.now += 1_234
    swap(desk, "ann", play.hands[0][3], 2, aimed)
    desk.wait(5_000_000)
    desk.send("cas", CallQuatro(anyway=True))
    desk.now += 700
    assert isinstance(desk.send("dee", CallQuatro(anyway=True)), Refused)
    desk.now += 50
    swap(desk, "bob", play.hands[1][1], 0, play.centre[0])
    desk.wait(1_000)
    desk.award()
    assert desk.s.phase == "break", desk.s.phase
    return desk


def swap(desk: Desk, player: str, card: str, place: int, aimed: str) -> None:
    """A swap, whatever comes of it."""
    desk.send(player, SwapCard(card, place, aimed))


def lost(desk: Desk, code: str) -> Any:
    """The first record that lost a race with this refusal."""
    return next(r for r in desk.records if r.refused and r.refused.code == code and r.refused.lost_to)
