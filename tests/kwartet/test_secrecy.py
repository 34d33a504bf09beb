"""What everyone sees and what one seat sees besides; two worlds that differ in what it may not see look the same."""

from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from shared.games.kwartet import events, game
from shared.games.kwartet.cards import Card, Hand
from shared.games.kwartet.commands import Ask
from shared.games.kwartet.state import State
from shared.kernel import Moment, Refused
from tests.kwartet.play import Play, rules, table
from tests.kwartet.scene import given
from tests.kwartet.test_laws import listed
from tests.rules import case, rule

THREE = """
turn 0 dealer 2
0  QS QD 7H
1  QH KS 7S
2  QC KH 7D
open  A:1
"""


@rule("K-VIEW-1", "K-ASK-6")
def test_what_everyone_sees() -> None:
    shown = msgspec.json.decode(given(THREE).when("0 asks 2 QH").play.frame(None))["public"]
    assert {name: shown[name] for name in shown if name != "pack"} == {
        "phase": "playing",
        "round": 1,
        "seats": [{"cards": 3}, {"cards": 3}, {"cards": 3}],
        "turn": 2,
        "deadline": 1_060_000_000,
        "dealer": 2,
        "stock": 0,
        "after_miss": "asked",
        "exposed": [{"family": "A", "seat": 1}],
        "asks": [{"by": 0, "to": 2, "card": {"family": "Q", "member": "H"}, "given": False}],
        "points": [0, 1, 0],
    }


@rule("K-ASK-6", "K-ASK-2")
def test_what_a_seat_sees_besides() -> None:
    scene = given(THREE)
    own = msgspec.json.decode(scene.play.frame(0))["own"]
    assert own["hand"] == [_card("7H"), _card("QS"), _card("QD")]
    missing = [_card(card) for card in ("7S", "7D", "7C", "QH", "QC")]
    assert own["can_ask"] == [{"seat": 1, "cards": missing}, {"seat": 2, "cards": missing}]
    assert own["can"] == ["Ask"]
    other = msgspec.json.decode(scene.play.frame(1))["own"]
    assert (other["can_ask"], other["can"]) == ([], [])


@rule("K-DISC-1")
def test_the_host_can_pass_a_turn_where_there_is_no_limit() -> None:
    frames = [msgspec.json.decode(given(THREE, turn_seconds=0).play.frame(seat))["own"] for seat in (0, 1)]
    assert [own["can"] for own in frames] == [["Ask", "PassAbsent"], []]


@rule("K-VIEW-1", "K-DEAL-1")
def test_before_the_deal_and_after_the_game_there_is_nothing_to_ask() -> None:
    play = Play(table(3), rules(3))
    shown = msgspec.json.decode(play.frame(0))
    assert (shown["own"]["hand"], shown["own"]["can"], shown["public"]["turn"]) == ([], [], None)
    assert "deadline" not in shown["public"]
    assert game.own(play.table, None, 0) == {"hand": [], "can_ask": [], "can": []}
    carry = game.carry_of(given(THREE).play.state)
    over = game.public(play.table, play.state.rules, carry, None)
    assert over["exposed"] == [{"family": "A", "seat": 1}]


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@rule("K-ASK-6", "K-DEAL-1", "K-VAR-2")
@case("C-11", "C-12")
def test_two_worlds_that_differ_in_hidden_cards_send_a_seat_the_same_bytes(players: int) -> None:
    random = Random(players)
    for _ in range(6):
        play = _midgame(players, random)
        for seat in (None, *range(players)):
            other = _copy(play, shuffled(play.state, seat, random))
            assert other.state != play.state
            assert other.frame(seat) == play.frame(seat)
            assert _refusals(other, seat) == _refusals(play, seat)


@rule("K-VAR-2", "K-DEAL-1")
@case("C-11")
def test_a_headline_tells_a_seat_nothing_of_a_card_that_it_may_not_see() -> None:
    secret = Card("Q", "H")
    hidden = [
        events.CardsDealt(0, ((secret,), ()), ()),
        events.CardsDealt(0, ((), ()), (secret,)),
        events.CardDrawn(0, secret),
    ]
    for event in hidden:
        for seat in (1, None):
            assert "Q" not in str(game.news(table(2), event, seat))


@rule("K-ASK-6", "K-SET-1", "K-TIME-1", "K-DISC-1", "K-EMPTY-1")
def test_the_headlines() -> None:
    told = [
        game.news(table(3), event, None)
        for event in (
            events.CardsDealt(1, ((), (), ()), ()),
            events.CardAsked(0, 1, Card("Q", "H"), True),
            events.FamilyExposed(0, "Q"),
            events.HandEmptied(1),
            events.TurnTimedOut(1),
            events.TurnPassed(1),
            events.TurnCame(2),
            events.GameEnded(0, "ask", True),
        )
    ]
    assert told == [
        {"type": "dealt", "dealer": 1},
        {"type": "asked", "by": 0, "to": 1, "card": {"family": "Q", "member": "H"}, "given": True},
        {"type": "family", "seat": 0, "family": "Q"},
        {"type": "out", "seat": 1},
        {"type": "timeout", "seat": 1},
        {"type": "passed", "seat": 1},
        {"type": "turn", "seat": 2},
        {"type": "ended", "how": "ask", "complete": True},
    ]


@rule("K-ASK-6")
@case("C-12")
def test_the_order_of_the_own_hand_does_not_tell_how_it_was_come_by() -> None:
    play = given(THREE).play
    hands = tuple(tuple(reversed(hand)) for hand in play.state.hands)
    assert _copy(play, replace(play.state, hands=hands)).frame(0) == play.frame(0)


def _midgame(players: int, random: Random) -> Play:
    """A game some requests on, with at least two hands that a seat can't see into."""
    play = Play(table(players, house=random.randbytes(32)), rules(players)).open()
    for _ in range(8):
        seat = play.state.turn or 0
        to, card = random.choice(sorted(listed(play, seat), key=str))
        assert not isinstance(play.send(seat, Ask(to, card), play.at + 1), Refused)
        if not play.state.open:
            return _midgame(players, random)
    return play


def shuffled(state: State, seat: int | None, random: Random) -> State:
    """Another world for this seat: the cards that it can't see lie elsewhere, hands and stock as large as before."""
    hidden = [card for number, hand in enumerate(state.hands) if number != seat for card in hand]
    hidden += state.stock
    random.shuffle(hidden)
    hands: list[Hand] = []
    for number, hand in enumerate(state.hands):
        hands.append(hand if number == seat else tuple(hidden.pop() for _ in hand))
    return replace(state, hands=tuple(hands), stock=tuple(hidden))


def _copy(play: Play, state: State) -> Play:
    other = Play(play.table, state.rules, play.at)
    other.version, other.state = play.version, state
    return other


def _refusals(play: Play, seat: int | None) -> list[object]:
    """What the seat would be told of every request that is refused; an answer may differ, that it comes may not."""
    if seat is None:
        return []
    asks = [Ask(to, card) for to in range(-1, 7) for card in play.state.rules.pack.cards()]
    decided = [game.decide(play.table, play.state, seat, ask, Moment(99, play.at + 5)) for ask in asks]
    return [each if isinstance(each, Refused) else None for each in decided]


def _card(text: str) -> dict[str, str]:
    return {"family": text[:-1], "member": text[-1]}
