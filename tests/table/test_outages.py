"""Quatro and Kwartet with people who come and go and owners who vanish at any moment: the rows still verify."""

from collections import Counter
from random import Random

import pytest

from shared.games.kwartet import commands as k
from shared.games.kwartet.cards import Card
from shared.games.quatro import commands as q
from shared.kernel import Command, Refused
from shared.replay import Verified, rebuild, verify_round
from shared.table.commands import EndBreak, Ready, Sit, StartGame
from tests.rules import case, rule
from tests.table.desk import Desk, S
from tests.table.scenes import PEOPLE

SPANS = (1, 400_000, S, 2 * S, 3 * S, 11 * S, 21 * S, 45 * S, 200 * S)


def wanted(desk: Desk, seat: int, chance: Random) -> Command:
    """Something that somebody might want now, sensible or not."""
    if desk.s.phase != "playing":
        return chance.choice((Ready(), EndBreak()))
    play = desk.play
    if desk.s.game == "kwartet":
        family = chance.choice(play.hands[seat]).family if play.hands[seat] else "7"
        return k.Ask(chance.randrange(4), Card(family, chance.choice("SHDC")))
    if chance.random() < 0.004:
        return q.CallQuatro(anyway=True)
    place = chance.randrange(4)
    aimed = chance.choice(play.centre)
    swap = q.SwapCard(play.hands[seat][chance.randrange(4)], place, aimed)
    talk = (q.TakeChannel(), q.ShowEmoji("🚀"), q.GiveChannel(), q.AskReshuffle(), q.AnswerReshuffle(True))
    return chance.choice((swap, swap, *talk))


def played(game: str, seed: int) -> Desk:
    desk, chance = Desk(seed=b"%d" % seed).create(game, 4), Random(seed)
    for player in PEOPLE[1:]:
        desk.send(player, Sit())
    desk.send("ann", StartGame())
    for _ in range(400):
        player = chance.choice(PEOPLE)
        match chance.randrange(12):
            case 0:
                desk.sleep(chance.choice(SPANS))
            case 1 | 2:
                desk.wait(chance.choice(SPANS[:6]))
            case 3:
                desk.disconnect(player)
            case 4 | 5:
                desk.connect(player)
            case _:
                desk.wait(200_000)
                desk.send(player, wanted(desk, PEOPLE.index(player), chance))
        if desk.s.phase == "scoring":
            desk.award()
    return desk


@rule("T-LATE-1", "T-LATE-2", "T-PRES-1")
@case("C-13", "C-20")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", ["quatro", "kwartet"])
def test_rows_verify_whoever_came_and_went(game: str, seed: int) -> None:
    desk = played(game, seed)
    found = verify_round(desk.rows)
    assert isinstance(found, Verified), (found, desk.records[found.version - 2 : found.version + 1])
    assert found.state == desk.s == rebuild(desk.rows)
    happened = Counter(
        type(record.command).__name__ for record in desk.records if not isinstance(record.refused, Refused)
    )
    assert happened["Resumed"] >= 1, happened
