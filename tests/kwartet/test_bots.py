"""Bots: what they remember, how they choose, that their levels order, and that they are never faster than people."""

from random import Random

import msgspec
import pytest

from bench.kwartet_bots import play_game, rules_of, tally
from shared.games.kwartet import game
from shared.games.kwartet.bot import guess
from shared.games.kwartet.bot.memory import Memory, Some, fresh, learn
from shared.games.kwartet.bot.view import View
from shared.games.kwartet.cards import Card
from shared.games.kwartet.commands import Ask
from shared.games.kwartet.notation import card, write
from shared.games.kwartet.state import Asked
from tests.kwartet.play import START, TINY, rules
from tests.kwartet.scene import Scene, given
from tests.rules import case, rule

FOUR = """
turn 2 dealer 3
0  QS 7H 8S KS
1  QH 7S 9S KH
2  QD 7D 8H KD
3  QC 7C 9H KC
"""


def seen(scene: Scene, seat: int) -> View:
    """What a bot in this seat sees."""
    return msgspec.json.decode(scene.play.frame(seat), type=View)


def remembered(scene: Scene, seat: int, *sentences: str) -> Memory:
    """What a bot in this seat remembers that looked after each of these requests."""
    known = learn(Memory(), seen(scene, seat))
    for sentence in sentences:
        scene.when(sentence)
        known = learn(known, seen(scene, seat))
    return known


@rule("K-ASK-6")
def test_it_keeps_who_has_a_card_and_who_has_not() -> None:
    known = remembered(given(FOUR), 0, "2 asks 1 QH", "2 asks 3 7H")
    assert known.holds == {card("QH"): 2}
    assert known.lacks == {(1, card("QH")): 0, (2, card("7H")): 0, (3, card("7H")): 0}


@rule("K-ASK-2")
def test_who_asks_holds_another_card_of_the_family() -> None:
    known = remembered(given(FOUR), 0, "2 asks 3 7H")
    assert known.some == (Some(2, frozenset({card("7S"), card("7D"), card("7C")})),)
    given_away = remembered(given(FOUR), 0, "2 asks 3 7H", "3 asks 2 7D")
    assert all(each.seat != 2 for each in given_away.some)


@rule("K-SET-1")
def test_what_lies_open_is_forgotten() -> None:
    scene = given("""
        turn 0 dealer 2
        0  QS QD QC 7S
        1  QH 7D
        2  7H
        """)
    known = remembered(scene, 2, "0 asks 1 QH")
    assert (known.holds, known.lacks, known.some) == ({}, {}, ())


@rule("K-VAR-2")
def test_who_drew_from_the_stock_may_have_what_they_lacked() -> None:
    scene = given("""
        turn 0 dealer 1
        0  QS QD 7H
        1  QC KH
        stock 7S QH KD 7D
        """)
    known = remembered(scene, 1, "0 asks 1 QH")
    assert known.lacks == {(0, card("QH")): 1, (1, card("QH")): 0}
    assert 0 < guess.places(known, seen(scene, 1))[card("QH")][0] < 1


def test_a_new_game_begins_with_nothing_remembered() -> None:
    scene = given(FOUR)
    known = remembered(scene, 0, "2 asks 1 QH")
    view = seen(given(FOUR), 0)
    again = msgspec.structs.replace(view, public=msgspec.structs.replace(view.public, round=2))
    assert learn(known, again) == Memory(round=2)


@pytest.mark.parametrize("window", [3, 20])
def test_of_a_window_of_requests_only_the_new_ones_are_learnt(window: int) -> None:
    random = Random(window)
    asks = [Asked(random.randrange(2), 2, Card("Q", random.choice("SH")), False) for _ in range(60)]
    known: tuple[Asked, ...] = ()
    for end in range(0, 61, 2):
        shown = tuple(asks[max(0, end - window) : end])
        new = fresh(known, shown)
        assert shown[len(shown) - len(new) :] == new
        assert known[len(known) - (len(shown) - len(new)) :] == shown[: len(shown) - len(new)]
        known = shown


def test_perfect_inference_finds_what_must_be() -> None:
    scene = given("""
        turn 1 dealer 2
        0  QS 7H
        1  QH 7S 7D
        2  QD QC 7C
        open  8:0 9:0 10:0 J:0 K:0 A:0
        """)
    known = remembered(scene, 0, "1 asks 2 QC", "1 asks 2 7C")
    chances = guess.infer(known, seen(scene, 0))
    assert {write(each): set(where) for each, where in chances.items()} == {
        "7S": {1, 2}, "7D": {1, 2}, "7C": {1}, "QH": {1, 2}, "QD": {1, 2}, "QC": {1},
    }  # fmt: skip
    assert all(abs(sum(where.values()) - 1) < 1e-6 for where in chances.values())
    known = remembered(scene, 0, "1 asks 2 QD")
    assert guess.infer(known, seen(scene, 0))[card("QH")] == {1: 1.0}


def test_perfect_inference_knows_a_hand_that_can_hold_nothing_else() -> None:
    scene = given("""
        turn 1 dealer 2
        0  QS QC 7H 7S 7D
        1  QH
        2  QD 7C
        open  8:0 9:0 10:0 J:0 K:0 A:0
        """)
    known = remembered(scene, 0, "1 asks 0 QD")
    chances = guess.infer(known, seen(scene, 0))
    assert chances == {card("7C"): {2: 1.0}, card("QH"): {1: 1.0}, card("QD"): {2: 1.0}}


def test_certain_cards_are_asked_for_first() -> None:
    scene = given(FOUR)
    known = remembered(scene, 3, "2 asks 1 QH", "2 asks 3 7H")
    view = seen(scene, 3)
    for level in ("careful", "perfect"):
        asked = {game.bot.think(view, known, START, Random(seed), level).command for seed in range(20)}
        assert asked == {Ask(2, card("QH"))}, level


@case("C-27")
@pytest.mark.parametrize("level", game.bot.levels)
@pytest.mark.parametrize("left", [None, 1, 400_000, 60_000_000])
def test_no_bot_is_faster_than_a_quarter_of_a_second_nor_dawdles_its_turn_away(level: str, left: int | None) -> None:
    view = seen(given(FOUR), 2)
    deadline = None if left is None else START + left
    view = msgspec.structs.replace(view, public=msgspec.structs.replace(view.public, deadline=deadline))
    delays = [game.bot.think(view, None, START, Random(seed), level).delay_us for seed in range(300)]
    assert min(delays) >= 250_000
    assert left is None or max(delays) <= max(250_000, left // 2)
    if left in (None, 60_000_000):
        assert len(set(delays)) == 300
        assert 1_000_000 < sorted(delays)[150] < 2_000_000


@case("C-27")
def test_a_bot_out_of_turn_or_before_the_game_sends_nothing() -> None:
    scene = given(FOUR)
    assert game.bot.think(seen(scene, 0), None, START, Random(1), "perfect").command is None
    empty = msgspec.json.decode(b'{"public":{},"own":{}}', type=game.bot.view)
    assert game.bot.think(empty, None, START, Random(1), "perfect").command is None


@case("C-27")
def test_a_bot_sees_what_its_seat_sees_and_draws_alike_from_the_same_bytes() -> None:
    view, again = seen(given(FOUR), 2), seen(given(FOUR), 2)
    first = game.bot.think(view, None, START, Random(5), "perfect")
    assert first == game.bot.think(again, None, START, Random(5), "perfect")


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@rule("K-END-1")
def test_a_game_of_bots_alone_ends_with_every_family(players: int) -> None:
    levels = (game.bot.levels * 2)[:players]
    for more in ({}, {"after_miss": "clockwise"}, {"pack": "animals"}, {"pack": TINY} if players < 4 else {}):
        play, _ = play_game(levels, rules(players, **more), Random(players))
        assert play.complete


def test_the_levels_order_as_they_should() -> None:
    """A small form of bench/kwartet_bots.py; the seed is fixed, so that it can't fail by chance."""
    shares, _ = tally(90, 3, game.bot.levels, rules_of({}, 3))
    forgetful, careful, perfect = (shares[level] for level in game.bot.levels)
    assert forgetful + 0.05 < careful < perfect - 0.05
