"""Tables in every phase, with Ann as host in seat 0 and Bob, Cas and Dee after her, to begin a test with."""

from typing import Any

from shared.table.commands import CreateTable, NewGame, Ready, Sit, StartGame
from tests.table.desk import Desk, S
from tests.toygame.messages import Step

PEOPLE = ("ann", "bob", "cas", "dee")

__all__ = ["PEOPLE", "CreateTable", "NewGame", "awarded", "over", "playing", "preparing", "run", "seating", "stopped"]


def seating(seats: int = 2, **rules: Any) -> Desk:
    """Everybody sits and is connected."""
    desk = Desk().create(seats=seats, **rules)
    for player in PEOPLE[1:seats]:
        desk.send(player, Sit())
    return desk


def preparing(seats: int = 2, **rules: Any) -> Desk:
    """The first round is prepared, nobody is ready."""
    desk = seating(seats, **rules)
    desk.send("ann", StartGame())
    desk.catch_up()
    return desk


def playing(seats: int = 2, **rules: Any) -> Desk:
    """The first round is open; seat 0 is on turn."""
    desk = preparing(seats, **rules)
    ready(desk)
    return desk


def ready(desk: Desk) -> None:
    """Every human says so."""
    for seat in desk.s.table.seats:
        if seat.player and seat.bot is None:
            desk.send(seat.player, Ready())
    desk.catch_up()


def run(desk: Desk) -> None:
    """The round is played to its line, a step a second."""
    while desk.s.phase == "playing":
        desk.wait(S)
        play = desk.play
        player = desk.s.table.seats[play.turn].player
        if desk.s.phase == "playing" and player:
            desk.send(player, Step(max(play.hands[play.turn])))


def stopped(seats: int = 2, **rules: Any) -> Desk:
    """The first round reached its line."""
    desk = playing(seats, **rules)
    run(desk)
    return desk


def awarded(seats: int = 2, **rules: Any) -> Desk:
    """The break after the first round."""
    desk = stopped(seats, **({"target_points": 50} | rules))
    desk.award()
    return desk


def over(seats: int = 2) -> Desk:
    """The game was won in its first round."""
    return awarded(seats, target_points=1)
