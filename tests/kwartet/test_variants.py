"""The two variants: clockwise after a miss (K-VAR-1), and two players with a stock (K-VAR-2)."""

from shared.games.kwartet import game
from shared.games.kwartet.commands import Ask
from shared.games.kwartet.deal import deal
from shared.games.kwartet.decide import lay_out
from shared.games.kwartet.events import CardsDealt
from shared.games.kwartet.notation import card
from shared.kernel import Moment, Refused
from tests.kwartet.play import START, TINY, Play, rules, table
from tests.kwartet.scene import given, told
from tests.rules import rule

CLOCKWISE = """
turn 0 dealer 3
0  QS QD 7H
1  -
2  QC KH 7D
3  QH 7S
"""


@rule("K-VAR-1")
def test_after_a_miss_the_next_clockwise_from_the_asker_has_the_turn() -> None:
    given(CLOCKWISE, after_miss="clockwise").when("0 asks 3 7D").then("0 asked 3 7D no", "turn 2")
    given(CLOCKWISE).when("0 asks 3 7D").then("0 asked 3 7D no", "turn 3")


@rule("K-VAR-1", "K-ASK-4")
def test_after_a_hit_the_turn_goes_on_all_the_same() -> None:
    given(CLOCKWISE, after_miss="clockwise").when("0 asks 3 QH").then("0 asked 3 QH given")


TWO = """
turn 0 dealer 1
0  QS QD 7H
1  QC KH
stock 7S QH KD 7D
"""


@rule("K-VAR-2")
def test_each_of_two_is_dealt_a_quarter_and_the_rest_is_the_stock() -> None:
    dealt = deal(table(2), rules(2))
    assert [len(hand) for hand in dealt.hands] == [8, 8]
    assert len(dealt.stock) == 16
    small = deal(table(2), rules(2, pack=TINY))
    assert [len(hand) for hand in small.hands] == [3, 3]
    assert len(small.stock) == 6


@rule("K-VAR-2")
def test_a_miss_draws_the_top_card_and_the_turn_goes_to_the_other() -> None:
    scene = given(TWO).when("0 asks 1 QH").then("0 asked 1 QH no", "0 draws 7S", "turn 1")
    assert scene.play.public()["stock"] == 3


@rule("K-VAR-2")
def test_a_drawn_card_that_was_asked_for_passes_the_turn_all_the_same() -> None:
    given(TWO).when("0 asks 1 7S").then("0 asked 1 7S no", "0 draws 7S", "turn 1")


@rule("K-VAR-2")
def test_a_hit_draws_nothing() -> None:
    given(TWO).when("0 asks 1 QC").then("0 asked 1 QC given")


@rule("K-VAR-2", "K-SET-1")
def test_a_drawn_card_that_completes_a_family_is_exposed_and_the_turn_goes_over() -> None:
    scene = given("""
        turn 0 dealer 1
        0  QS QD QC 7H
        1  KH
        stock QH KD
        """)
    scene.when("0 asks 1 7S").then("0 asked 1 7S no", "0 draws QH", "0 lays Q", "turn 1")


@rule("K-VAR-2")
def test_a_hand_that_empties_by_what_it_drew_draws_again() -> None:
    scene = given("""
        turn 0 dealer 1
        0  QS QD QC
        1  KH
        stock QH KD
        """)
    scene.when("0 asks 1 QH").then("0 asked 1 QH no", "0 draws QH", "0 lays Q", "0 draws KD", "turn 1")


@rule("K-VAR-2")
def test_an_asked_hand_that_empties_draws_at_once() -> None:
    scene = given("""
        turn 0 dealer 1
        0  QS QD
        1  QC
        stock QH KD
        """)
    scene.when("0 asks 1 QC").then("0 asked 1 QC given", "1 draws QH")


BOTH = """
turn 1 dealer 0
0  QC
1  QS QD QH
stock {}
"""


@rule("K-VAR-2", "K-EMPTY-2")
def test_of_two_empty_hands_the_one_on_turn_draws_first() -> None:
    two = given(BOTH.format("KH KD")).when("1 asks 0 QC")
    two.then("1 asked 0 QC given", "1 lays Q", "1 draws KH", "0 draws KD")
    one = given(BOTH.format("KH")).when("1 asks 0 QC")
    one.then("1 asked 0 QC given", "1 lays Q", "1 draws KH", "0 out")


@rule("K-VAR-2", "K-EMPTY-1")
def test_with_no_stock_left_nothing_is_drawn() -> None:
    scene = given("""
        turn 0 dealer 1
        0  QS QD
        1  QC QH 7S
        """)
    scene.when("0 asks 1 QC", "0 asks 1 QH").then(
        "0 asked 1 QC given", "0 asked 1 QH given", "0 lays Q", "0 out", "turn 1"
    )


@rule("K-VAR-2")
def test_a_time_out_draws_nothing() -> None:
    given(TWO).until(60).then("0 timed out", "turn 1")


@rule("K-VAR-2", "K-DEAL-3")
def test_a_hand_that_empties_at_the_deal_draws_before_the_first_turn() -> None:
    four = {"name": "Four", "families": [{"name": f, "members": [f + s for s in "0123"]} for f in "abcd"]}
    house_rules = rules(2, pack=four)
    begun = game.begin(table(2), house_rules, None)
    cards = {each.member: each for each in house_rules.pack.cards()}
    hands = tuple(tuple(cards[word] for word in words.split()) for words in ("a0 a1 a2 a3", "b0 b1 b2 b3"))
    stock = tuple(cards[word] for word in ("c0", "d0", "c1", "c2", "c3", "d1", "d2", "d3"))
    laid = lay_out(table(2), begun, CardsDealt(0, hands, stock), Moment(1, START))
    expected = ["0 deals", "1 lays b", "0 lays a", "1 draws c/c0", "0 draws d/d0", "turn 1"]
    assert [told(event) for event in laid] == expected


@rule("K-VAR-2", "K-ASK-6")
def test_all_see_that_a_card_was_drawn_and_only_its_player_which() -> None:
    play = given(TWO).play
    decided = play.send(0, Ask(1, card("QH")))
    assert not isinstance(decided, Refused)
    heard = {seat: [game.news(play.table, event, seat) for event in decided] for seat in (0, 1, None)}
    assert heard[0][1] == {"type": "drawn", "seat": 0, "card": {"family": "7", "member": "S"}}
    assert heard[1][1] == heard[None][1] == {"type": "drawn", "seat": 0}


@rule("K-VAR-2", "K-END-1")
def test_a_game_of_two_ends_with_all_families_open() -> None:
    play = Play(table(2), rules(2, pack=TINY)).open()
    while play.state.open:
        turn = play.state.turn
        assert turn is not None
        missing = [each for each in play.state.rules.pack.cards() if each not in play.state.hands[turn]]
        asked = next(
            each
            for each in (*(m for m in missing if m in play.state.hands[1 - turn]), *missing)
            if any(held.family == each.family for held in play.state.hands[turn])
        )
        assert not isinstance(play.send(turn, Ask(1 - turn, asked), play.at + 1), Refused)
    assert play.state.complete
    assert sum(play.state.points) == 3
