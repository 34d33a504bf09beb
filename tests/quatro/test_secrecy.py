"""Two worlds that differ only in what a seat may not see: it gets the same frames, news and refusals, at every step."""

from collections.abc import Iterator, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from shared.games.quatro import commands as q
from shared.games.quatro.cards import SIGNS, Card, Deal, deal, deck
from shared.games.quatro.events import CardsReshuffled, HandsDealt
from shared.games.quatro.news import news
from shared.games.quatro.state import State, team
from shared.kernel import SECOND, Command
from shared.shuffle import Stream
from tests.quatro.house import House, opened, prepared
from tests.rules import case, rule

Step = tuple[int, int, str, int, int]
"""Milliseconds since the last step, seat, what, and two choices."""

steps = st.lists(
    st.tuples(
        st.integers(0, 2_500),
        st.integers(0, 7),
        st.sampled_from(["swap", "swap", "swap", "take", "give", "show", "whisper", "ask", "refuse", "whisper"]),
        st.integers(0, 3),
        st.integers(0, 3),
    ),
    max_size=25,
)


@case("C-11", "C-12")
@rule("Q-DEAL-4", "Q-CHAN-2", "Q-SIGN-3")
@settings(max_examples=60, deadline=None)
@given(
    seats=st.sampled_from([4, 6, 8]), observer=st.integers(0, 7), script=steps, chance=st.randoms(use_true_random=False)
)
def test_a_seat_sees_nothing_of_what_it_may_not_see(
    seats: int, observer: int, script: list[Step], chance: Random
) -> None:
    observer %= seats
    on_air = [(100, seat, what, seat % 4, 0) for seat in range(seats) for what in ("take", "show")]
    commands = list(written(opened(seats), observer, on_air + script))
    one, other = opened(seats), opened(seats)
    other.state = replace(other.table, play=otherwise(one.play, observer, revealed(commands), chance))
    other.state = replace(other.table, table=replace(other.table.table, key=bytes(32)), house=bytes(32))
    one.listen(observer, None)
    other.listen(observer, None)
    for at, seat, in_one, in_other in commands:
        decided = one.send(seat, in_one, at), other.send(seat, in_other, at)
        assert seat != observer or decided[0] == decided[1]
    assert one.sent == other.sent


@case("C-11")
@rule("Q-SIGN-3", "Q-SIGN-2")
@pytest.mark.parametrize(
    ("in_one", "in_other"),
    [
        pytest.param([(1, "🍍")], [(1, "🚀")], id="another sign"),
        pytest.param([(1, "🍍")], [], id="picked or not"),
        pytest.param([(1, "🍍")], [(4, "🍍")], id="by the other partner"),
        pytest.param([(1, "🍍"), (4, "🚀")], [(4, "🔔"), (1, "🚀"), (1, "x")], id="refused or not"),
    ],
)
def test_nobody_outside_a_team_learns_its_sign_or_who_picked_it(
    in_one: list[tuple[int, str]], in_other: list[tuple[int, str]]
) -> None:
    one, other = prepared(6), prepared(6)
    for house, picks in ((one, in_one), (other, in_other)):
        house.listen(None, 0, 2, 3, 5)
        for seat, sign in picks:
            house.send(seat, q.PickSign(sign), 2 * SECOND)
    pick = q.PickSign("🍍")
    assert one.send(0, pick, 3 * SECOND) == other.send(0, pick, 3 * SECOND)
    one.until(32 * SECOND)
    other.until(32 * SECOND)
    assert one.sent == other.sent
    assert one.send(0, pick, 32 * SECOND) == other.send(0, pick, 32 * SECOND)


@rule("Q-SIGN-3")
def test_the_first_pick_of_another_team_changes_no_refusal_of_mine() -> None:
    one, other = prepared(), prepared()
    one.send(1, q.PickSign("🍍"), 2 * SECOND)
    assert one.send(0, q.PickSign("🍍"), 3 * SECOND) == other.send(0, q.PickSign("🍍"), 3 * SECOND)


class Stacked(Stream):
    """A stream whose shuffles give these orders, one after another."""

    def __init__(self, *orders: Sequence[Card]) -> None:
        super().__init__(b"", "")
        self.orders = list(orders)

    def shuffle(self, things: Sequence[Card]) -> list[Card]:  # type: ignore[override]
        assert sorted(self.orders[0]) == sorted(things)
        return list(self.orders.pop(0))


def stacked(first: str) -> Deal:
    """Seat 0 is dealt `first`, almost won, and then the same as ever."""
    hand = first.split()
    rest = sorted(set(deck(4)) - set(hand))
    final = [rank + suit for suit in "SHDC" for rank in ("A", "K", "Q", "J", "10")]
    return deal(Stacked([*hand, *rest], final), 4)


@case("C-11")
@rule("Q-DEAL-3", "Q-DEAL-2")
@pytest.mark.parametrize("other", ["KS KH KD QS", "10S 10H 10D 10C", "AS AH AC AD"])
def test_of_a_replaced_hand_nothing_is_left_but_whose_and_how_often(other: str) -> None:
    one, another = stacked("QS QH QD JS"), stacked(other)
    assert one == another
    assert [(each.seat, each.times) for each in one.replaced] == [(0, 1)]


@rule("Q-DEAL-3", "Q-VOTE-6")
def test_the_table_is_told_who_was_dealt_again_but_not_the_rank() -> None:
    dealt = stacked("QS QH QD JS")
    house = opened()
    told = [{"seat": 0, "times": 1}]
    for event in (
        HandsDealt(dealt.hands, dealt.centre, dealt.replaced),
        CardsReshuffled(dealt.hands, dealt.centre, dealt.replaced),
    ):
        for seat in (None, 0, 1):
            heard = news(house.table.table, event, seat)
            assert heard is not None
            assert heard == {"type": heard["type"], "replaced": told}


@case("C-11")
@rule("Q-CALL-3", "Q-DEAL-4")
def test_a_reminder_is_told_to_nobody_else() -> None:
    house = opened()
    state = house.play
    four = sorted((card for card in deck(4) if card[0] == "Q"), key=str)
    house.state = replace(house.table, play=exchanged(state, list(zip(state.hands[0], four, strict=True))))
    house.listen(None, 0, 1, 2, 3)
    refused = house.send(0, q.CallQuatro(), 2 * SECOND)
    assert getattr(refused, "code", None) == "own_four"
    assert [len(messages) for messages in house.sent.values()] == [1] * 5


def written(house: House, observer: int, script: list[Step]) -> Iterator[tuple[int, int, Command, Command]]:
    """The script as commands, one for each world: others' choices that are taken back before a beat may differ."""
    at = SECOND
    for wait, seat, what, one, two in script:
        at, seat = at + wait * 1_000, seat % len(house.play.hands)
        house.until(at)
        whispers = house.play.channels[seat].emoji is not None and seat != observer
        for command, other in _written(house.play, seat, what, one, two, whispers):
            house.send(seat, command, at)
            yield at, seat, command, other


def _written(play: State, seat: int, what: str, one: int, two: int, on_air: bool) -> list[tuple[Command, Command]]:
    """No one agrees to a reshuffle: its cards follow from the key, and so they would differ."""
    final = q.ShowEmoji(SIGNS[one])
    if what == "swap":
        swap = q.SwapCard(play.hands[seat][one], two, play.centre[two])
        return [(swap, swap)]
    if what == "whisper" and on_air:
        return [(q.ShowEmoji(SIGNS[10 + one]), q.ShowEmoji(SIGNS[20 - two])), (final, final)]
    plain: dict[str, Command] = {"take": q.TakeChannel(), "give": q.GiveChannel(), "ask": q.AskReshuffle()}
    command = plain.get(what, q.AnswerReshuffle(agree=False) if what == "refuse" else final)
    return [(command, command)]


def revealed(commands: list[tuple[int, int, Command, Command]]) -> set[Card]:
    """The cards that somebody puts down, or tries to."""
    return {command.card for _, _, command, _ in commands if isinstance(command, q.SwapCard)}


def otherwise(play: State, observer: int, shown: set[Card], chance: Random) -> State:
    """Another world for this seat: hidden cards lie elsewhere among the others, and other teams have other signs."""
    hidden = [card for seat, hand in enumerate(play.hands) if seat != observer for card in hand if card not in shown]
    moved = list(hidden)
    chance.shuffle(moved)
    own = team(len(play.hands), observer)
    signs = tuple(sign if each == own else SIGNS[chance.randrange(24)] for each, sign in enumerate(play.signs))
    return replace(exchanged(play, list(zip(hidden, moved, strict=True))), signs=signs)


def exchanged(play: State, pairs: list[tuple[Card, Card]]) -> State:
    """The round with cards renamed; whatever a card is renamed to takes the place of the one before."""
    names = dict(pairs)
    free = [card for card, _ in pairs if card not in names.values()]
    names |= {card: free.pop() for card in set(names.values()) - set(names)}
    rename = tuple(tuple(names.get(card, card) for card in hand) for hand in play.hands)
    return replace(play, hands=rename, centre=tuple(names.get(card, card) for card in play.centre))
