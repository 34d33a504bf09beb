"""The deal: the whole deck, fair, no hand almost won; and what is told of a hand that was dealt again."""

import hmac
from collections import Counter
from collections.abc import Iterator
from itertools import count
from math import comb

import pytest

from shared.games.quatro import game
from shared.games.quatro.cards import SIGNS, Deal, deal, deck, draw_sign, four, rank
from shared.games.quatro.rules import Rules
from shared.games.quatro.state import partner, team
from shared.shuffle import Stream
from tests.quatro.play import Play, table
from tests.rules import case, rule

DEALS = 100_000
"""Deals of the chi-square test: some ten seconds."""


def dealt(number: int, seats: int = 4) -> Deal:
    return deal(Stream(number.to_bytes(32, "big"), "deal/0"), seats)


@rule("Q-SEAT-1")
def test_there_are_tables_of_four_six_and_eight() -> None:
    assert game.seat_counts == (4, 6, 8)


@rule("Q-SEAT-2")
@pytest.mark.parametrize(
    ("seats", "partners", "teams"),
    [
        (4, [2, 3, 0, 1], [0, 1, 0, 1]),
        (6, [3, 4, 5, 0, 1, 2], [0, 1, 2, 0, 1, 2]),
        (8, [4, 5, 6, 7, 0, 1, 2, 3], [0, 1, 2, 3, 0, 1, 2, 3]),
    ],
)
def test_the_partner_sits_across(seats: int, partners: list[int], teams: list[int]) -> None:
    assert [partner(seats, seat) for seat in range(seats)] == partners
    assert [team(seats, seat) for seat in range(seats)] == teams
    assert game.sides(seats) == max(teams) + 1


@rule("Q-DECK-1")
@pytest.mark.parametrize(
    ("seats", "cards", "ranks"),
    [(4, 20, "A K Q J 10"), (6, 28, "A K Q J 10 9 8"), (8, 36, "A K Q J 10 9 8 7 6")],
)
def test_the_deck_has_one_rank_more_than_seats_and_four_cards_of_each(seats: int, cards: int, ranks: str) -> None:
    assert len(set(deck(seats))) == len(deck(seats)) == cards
    assert list(dict.fromkeys(rank(card) for card in deck(seats))) == ranks.split()
    assert deck(seats)[:5] == ("AS", "AH", "AD", "AC", "KS")


@rule("Q-DECK-2")
def test_four_of_a_rank_are_four_and_three_and_another_are_not() -> None:
    assert four(("QS", "QH", "QD", "QC")) == "Q"
    assert four(("10S", "10H", "10D", "10C")) == "10"
    assert four(("QS", "QH", "QD", "KC")) is None
    assert four(()) is None


@case("C-05")
@rule("Q-DEAL-1", "Q-DEAL-2")
@pytest.mark.parametrize("seats", [4, 6, 8])
def test_hands_and_centre_are_the_deck_and_no_hand_is_almost_won(seats: int) -> None:
    for number in range(2_000):
        cards = dealt(number, seats)
        assert sorted((*cards.centre, *(card for hand in cards.hands for card in hand))) == sorted(deck(seats))
        assert [len(hand) for hand in (*cards.hands, cards.centre)] == [4] * (seats + 1)
        assert all(most(hand) <= 2 for hand in cards.hands)


@rule("Q-DEAL-2")
def test_the_centre_may_hold_three_of_a_rank() -> None:
    assert any(most(dealt(number).centre) >= 3 for number in range(1_000))


@rule("Q-DEAL-2")
def test_such_a_hand_goes_back_into_the_undealt_cards_which_are_shuffled_again() -> None:
    number, cards = next((n, cards) for n in range(1_000) if (cards := dealt(n)).replaced and not bad_before(n, cards))
    stream = Stream(number.to_bytes(32, "big"), "deal/0")
    seat = cards.replaced[0].seat
    undealt = stream.shuffle(deck(4))[4 * seat :]
    assert most(undealt[:4]) >= 3
    assert tuple(stream.shuffle([*undealt[4:], *undealt[:4]])[:4]) == cards.hands[seat]


@rule("Q-DEAL-3")
def test_the_table_is_told_whose_hand_was_replaced_and_how_often() -> None:
    counts = Counter(each.times for number in range(2_000) for each in dealt(number).replaced)
    assert set(counts) >= {1, 2}
    again = next(cards for number in range(2_000) if (cards := dealt(number)).replaced)
    assert [each.seat for each in again.replaced] == sorted({each.seat for each in again.replaced})


@rule("Q-DEAL-2")
def test_the_first_hand_is_replaced_as_often_as_it_is_almost_won() -> None:
    almost = (5 * (comb(4, 3) * 16 + 1)) / comb(20, 4)
    replaced = sum(any(each.seat == 0 for each in dealt(number).replaced) for number in range(20_000))
    deviation = (20_000 * almost * (1 - almost)) ** 0.5
    assert abs(replaced - 20_000 * almost) < 5 * deviation


@pytest.mark.slow
@case("C-12", "C-22")
@rule("Q-DEAL-1", "Q-DEAL-2")
def test_no_card_prefers_a_place() -> None:
    """Replacing hands treats all cards alike, so each of the 20 positions has 20 equally likely cards."""
    counts: list[Counter[str]] = [Counter() for _ in range(20)]
    for number in range(DEALS):
        cards = dealt(number)
        for position, card in enumerate(
            (*cards.hands[0], *cards.hands[1], *cards.hands[2], *cards.hands[3], *cards.centre)
        ):
            counts[position][card] += 1
    expected = DEALS / 20
    squares = [sum((count[card] - expected) ** 2 / expected for card in deck(4)) for count in counts]
    # 19 degrees of freedom: mean 19, variance 38; over 20 positions and cards 361 degrees. Limits at p = 1e-6.
    assert max(squares) < 68
    assert sum(squares) / 20 * 19 < 361 + 19 * 38**0.5 * 5


@rule("Q-OPEN-3", "Q-DEAL-1")
def test_the_opening_deals_from_the_rounds_key() -> None:
    play = Play(table(6), Rules())
    play.open()
    key = play.table.key
    assert key is not None
    assert (play.state.hands, play.state.centre) == (
        deal(Stream(key, "deal/0"), 6).hands,
        deal(Stream(key, "deal/0"), 6).centre,
    )


RANKS_DOWN = ("A", "K", "Q", "J", "10", "9", "8", "7", "6")


def numbers(key: bytes, label: str) -> Iterator[int]:
    """The stream as `rulings.md` has it, written a second time."""
    for block in count():
        digest = hmac.new(key, label.encode() + b"\0" + block.to_bytes(8, "big"), "sha256").digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))


def shuffled(words: Iterator[int], cards: list[str]) -> list[str]:
    for i in range(len(cards) - 1, 0, -1):
        while (word := next(words)) >= 2**32 // (i + 1) * (i + 1):
            pass
        cards[i], cards[word % (i + 1)] = cards[word % (i + 1)], cards[i]
    return cards


@case("C-20")
@rule("Q-DEAL-1", "Q-DEAL-2", "Q-SIGN-4")
@pytest.mark.parametrize("seats", [4, 6, 8])
def test_deal_and_sign_are_what_the_rulings_say_to_the_byte(seats: int) -> None:
    for number in range(200):
        key = number.to_bytes(32, "big")
        words, hands = numbers(key, "deal/1"), []
        undealt = shuffled(
            words,
            [each + suit for each in RANKS_DOWN[: seats + 1] for suit in "SHDC"],
        )
        for _ in range(seats):
            while most(undealt[:4]) >= 3:
                undealt = shuffled(words, undealt[4:] + undealt[:4])
            hands.append(tuple(undealt[:4]))
            undealt = undealt[4:]
        cards = deal(Stream(key, "deal/1"), seats)
        assert (cards.hands, cards.centre) == (tuple(hands), tuple(undealt))
        free = [sign for sign in SIGNS if sign != "🚀"]
        assert draw_sign(Stream(key, "sign/1"), "🚀") == free[next(numbers(key, "sign/1")) % 23]


def most(hand: tuple[str, ...] | list[str]) -> int:
    return max(Counter(rank(card) for card in hand).values())


def bad_before(number: int, cards: Deal) -> bool:
    """Whether more than the first hand replaced, once, plays a part."""
    return cards.replaced[0].times > 1
