"""What is seen of a table, and what is not: secrecy by two worlds, and a `can` that keeps its word."""

from typing import Any

from shared.kernel import Refused
from shared.shuffle import entropy_hash
from shared.table.commands import CommitEntropy, FreeSeat, Leave, Ready, Sit, StartGame
from shared.table.view import news, own, public
from tests.rules import case, rule
from tests.table.desk import TABLE, Desk, S, plain
from tests.table.scenes import awarded, over, playing, preparing, run, seating, stopped
from tests.toygame.messages import Grab, PickCharm, Step

NAMES = {"ann": "Ann", "bob": "Bob"}


def seen(desk: Desk, seat: int | None) -> list[Any]:
    """All that a seat, or a watcher, was ever sent."""
    pairs = zip(desk.states, desk.records, strict=True)
    return [(public(s, NAMES, 1), own(s, seat) if seat is not None else None, news(s, r, seat)) for s, r in pairs]


def world(charm: str) -> Desk:
    """Bob picks a charm and never gets to use it."""
    desk = preparing(line=4)
    desk.send("bob", PickCharm(charm))
    desk.send("bob", PickCharm("hare"))
    desk.send("ann", Ready())
    desk.send("bob", Ready())
    desk.send("ann", Grab())
    desk.send("bob", Grab())
    return desk


@rule("T-CHANCE-1")
@case("C-11", "C-12")
def test_two_worlds_that_differ_in_a_secret_of_bobs_look_the_same_to_ann_and_to_watchers() -> None:
    hare, tortoise = world("hare"), world("tortoise")
    assert seen(hare, 0) == seen(tortoise, 0)
    assert seen(hare, None) == seen(tortoise, None)
    assert seen(hare, 1) != seen(tortoise, 1)


@rule("T-CHANCE-1")
@case("C-11")
def test_until_the_deal_two_worlds_with_other_chance_differ_in_the_commitment_alone() -> None:
    worlds = []
    for seed in (b"one", b"two"):
        desk = Desk(seed=seed).create()
        desk.send("bob", Sit())
        desk.send("ann", StartGame())
        desk.catch_up()
        desk.send("bob", CommitEntropy(entropy_hash(TABLE, 1, 1, bytes(16)).hex()))
        desk.send("bob", Ready("00" * 16))
        worlds.append([str(shown).replace(str(desk.s.commitment), "commitment") for shown in seen(desk, 0)])
    assert worlds[0] == worlds[1]


@rule("T-CHANCE-1", "T-AWARD-1")
@case("C-11")
def test_no_key_no_house_bytes_and_no_versions_are_in_any_message_of_an_open_round() -> None:
    desk = preparing(target_points=50)
    assert desk.s.house is not None
    house = desk.s.house.hex()
    desk.send("ann", CommitEntropy(entropy_hash(TABLE, 1, 0, bytes(16)).hex()))
    desk.send("ann", Ready("00" * 16))
    desk.send("bob", Ready())
    desk.catch_up()
    assert desk.s.table.key is not None
    key = desk.s.table.key.hex()
    run(desk)
    shown = str([seen(desk, seat) for seat in (None, 0, 1)])
    assert house not in shown
    assert key not in shown
    assert "00" * 16 not in shown
    assert "version" not in shown


@rule("T-AWARD-1", "T-CHANCE-2")
def test_the_last_round_stays_in_view_until_the_next_one_stops() -> None:
    desk = awarded()
    last = public(desk.s, NAMES, 0)["last_round"]
    assert last is not None
    desk.wait(31 * S)
    desk.send("ann", Ready())
    desk.send("bob", Ready())
    desk.catch_up()
    assert desk.s.phase == "playing"
    assert public(desk.s, NAMES, 0)["last_round"] == last
    run(desk)
    newer: Any = public(desk.s, NAMES, 0)["last_round"]
    assert (newer["round"], newer["awarded"]) == (2, None)


@rule("T-PRES-1", "T-HOST-1")
def test_a_seat_shows_who_sits_there_and_nothing_else() -> None:
    desk = seating(3)
    desk.disconnect("bob")
    desk.send("ann", FreeSeat(2))
    seats: Any = public(desk.s, NAMES, 7)["seats"]
    ann, bob, empty = seats
    assert (ann["name"], ann["host"], ann["connected"]) == ("Ann", True, True)
    assert (bob["name"], bob["host"], bob["connected"]) == ("Bob", False, False)
    assert (empty["player"], empty["name"], empty["host"]) == (None, None, False)
    assert public(desk.s, {}, 7)["watching"] == 7
    assert public(desk.s, {}, 7)["seats"][0]["name"] is None  # type: ignore[index]


@rule("T-SEAT-2")
def test_one_who_left_a_round_shows_as_gone() -> None:
    desk = playing(3)
    desk.send("bob", Leave())
    seats: Any = public(desk.s, NAMES, 0)["seats"]
    assert (seats[1]["left"], seats[1]["connected"]) == (True, False)


def test_views_and_news_are_plain_json() -> None:
    for desk in (seating(), preparing(), playing(), stopped(), awarded(), over()):
        view = public(desk.s, NAMES, 0)
        assert plain(view) == plain(plain(view))
        for seat in (None, 0, 1):
            assert isinstance(plain(seen(desk, seat)), list)


@rule("T-PREP-1", "T-START-1", "T-SEAT-1")
def test_can_lists_the_commands_that_would_be_accepted() -> None:
    def can(desk: Desk, seat: int) -> Any:
        return own(desk.s, seat)["can"]

    assert can(seating(), 0) == ["Leave", "FreeSeat", "StartGame"]
    assert can(seating(), 1) == ["Leave"]
    assert can(preparing(), 1) == ["Leave", "CommitEntropy", "Ready", "PickCharm"]
    assert can(playing(), 0) == ["Leave", "Step", "Grab"]
    assert can(stopped(), 0) == ["Leave"]
    assert can(awarded(), 0) == ["Leave", "FreeSeat", "EndBreak", "Ready"]
    assert can(over(), 0) == ["Leave", "FreeSeat", "NewGame"]


def test_a_refused_command_makes_no_news() -> None:
    desk = playing()
    assert isinstance(desk.send("bob", Step(1)), Refused)
    assert news(desk.s, desk.records[-1], None) == []
