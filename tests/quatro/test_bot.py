"""Bots: they see what their seat sees, react like people, and bring rounds and games to an end."""

from collections import Counter
from itertools import pairwise
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from shared.games.quatro import commands as q
from shared.games.quatro import game, notation
from shared.games.quatro.bot.judge import chance
from shared.games.quatro.bot.level import FASTEST_US, LEVELS, reaction
from shared.games.quatro.bot.memory import Memory
from shared.games.quatro.bot.view import View
from shared.games.quatro.cards import four
from shared.games.quatro.rules import Rules
from shared.kernel import SECOND
from tests.quatro.bots import Bots, bots_only
from tests.quatro.house import House, opened, prepared
from tests.rules import case, rule

MIXED = ("normal", "easy", "sharp", "normal")


@pytest.fixture(scope="module")
def game_of_bots() -> Bots:
    bots = bots_only(MIXED, seed=1)
    bots.play(rounds=100)
    return bots


@case("C-02")
@rule("Q-WIN-1")
@pytest.mark.parametrize(
    "levels", [("easy",) * 4, ("normal",) * 6, ("sharp",) * 4, ("easy", "normal", "sharp", "easy") * 2]
)
def test_bots_bring_a_game_to_its_end_mostly_by_calls(levels: tuple[str, ...]) -> None:
    bots = bots_only(levels, seed=3)
    how: Counter[object] = Counter()
    while bots.house.table.phase != "over":
        bots.play(bots.house.table.table.round)
        shown = bots.house.table.last_round
        assert shown is not None
        how[shown["how"], shown["right"]] += 1
    assert bots.house.table.winners
    assert how["call", True] >= how["time", None] + how["call", False] + 1
    assert bots.at < 3600 * SECOND


@rule("Q-WIN-1")
@pytest.mark.parametrize("levels", [("sharp", "easy") * 2, ("easy", "sharp") * 2])
def test_the_stronger_bots_win_more_rounds(levels: tuple[str, ...]) -> None:
    bots = bots_only(levels, seed=5, rules=Rules(target_points=10))
    bots.play(rounds=100)
    points = dict(zip(levels, bots.house.table.table.points, strict=False))
    assert points["sharp"] > points["easy"]


@case("C-27")
def test_no_bot_is_faster_than_a_quarter_of_a_second(game_of_bots: Bots) -> None:
    seen_swaps = 0
    for at, seat, command in game_of_bots.sent:
        before = frame_at(game_of_bots, seat, at - FASTEST_US)
        across = (seat + 2) % 4
        if isinstance(command, q.SwapCard):
            seen_swaps += 1
            assert before.public.centre[command.place] == command.aimed_at
            assert command.card in before.own.hand
        elif isinstance(command, q.CallQuatro):
            assert before.public.seats[across].channel.emoji == before.own.sign
    assert seen_swaps > 20
    times = sorted((seat, at) for at, seat, _ in game_of_bots.sent)
    pairs = pairwise(times)
    assert all(later - at >= FASTEST_US for (seat, at), (same, later) in pairs if seat == same)


@case("C-27")
@pytest.mark.parametrize("mean", [100_000, 600_000, 4_000_000])
def test_reaction_times_are_skewed_as_people_s_are_and_have_their_mean(mean: int) -> None:
    chance = Random(1)
    times = sorted(reaction(chance, mean) for _ in range(4_000))
    assert times[0] >= FASTEST_US
    assert abs(sum(times) / len(times) - FASTEST_US - mean) < mean * 0.06
    assert times[len(times) // 2] < sum(times) / len(times)


@rule("Q-CALL-1", "Q-CALL-2")
def test_bots_call_on_their_partners_sign_and_show_theirs_only_with_four(game_of_bots: Bots) -> None:
    shown = 0
    for at, seat, command in game_of_bots.sent:
        view = frame_at(game_of_bots, seat, at)
        if isinstance(command, q.ShowEmoji) and command.emoji == view.own.sign:
            shown += 1
            assert four(view.own.hand)
    assert shown
    assert any(
        isinstance(command, q.ShowEmoji) and not four(frame_at(game_of_bots, seat, at).own.hand)
        for at, seat, command in game_of_bots.sent
    )


@case("C-27")
def test_a_bot_thinks_the_same_of_the_same(game_of_bots: Bots) -> None:
    again = bots_only(MIXED, seed=1)
    again.play(rounds=3)
    assert again.sent == game_of_bots.sent[: len(again.sent)]


def preparing_with(bots: dict[int, str]) -> Bots:
    """People and bots at four seats; the preparation began at second 1 and takes 30 s."""
    return Bots(prepared(bots=frozenset(bots)), bots, at=SECOND)


def picks(bots: Bots) -> list[tuple[int, int]]:
    return [(seat, at) for at, seat, command in bots.sent if isinstance(command, q.PickSign)]


@rule("Q-SIGN-2")
def test_a_bot_leaves_the_pick_to_its_human_partner_for_four_fifths_of_the_preparation() -> None:
    bots = preparing_with({2: "sharp"})
    bots.play(rounds=1, until=31 * SECOND)
    assert [seat for seat, _ in picks(bots)] == [2]
    assert 25 * SECOND + FASTEST_US <= picks(bots)[0][1] < 31 * SECOND


@rule("Q-SIGN-2")
def test_the_break_before_does_not_count_for_the_four_fifths() -> None:
    bots = preparing_with({2: "sharp"})
    bots.play(rounds=1, until=32 * SECOND)
    bots.house.send(1, q.CallQuatro(anyway=True), 33 * SECOND)  # stops: 30 s of break, 30 of preparation
    bots.look(33 * SECOND)
    bots.play(rounds=2, until=93 * SECOND)
    assert bots.house.table.table.round == 2
    assert 87 * SECOND + FASTEST_US <= picks(bots)[1][1] < 93 * SECOND


@rule("Q-SIGN-2")
def test_a_bot_does_not_pick_when_its_partner_has() -> None:
    bots = preparing_with({2: "sharp"})
    bots.house.send(0, q.PickSign("🍍"), 20 * SECOND)
    bots.look(20 * SECOND)
    bots.play(rounds=1, until=31 * SECOND)
    assert picks(bots) == []


@rule("Q-SIGN-2", "Q-SIGN-5")
def test_of_two_bots_the_one_in_the_lower_seat_picks() -> None:
    bots = preparing_with({1: "normal", 3: "normal"})
    bots.play(rounds=1, until=31 * SECOND)
    assert [seat for seat, _ in picks(bots)] == [1]


@rule("Q-VOTE-1")
def test_bots_neither_ask_nor_answer(game_of_bots: Bots) -> None:
    assert not any(isinstance(command, q.AskReshuffle | q.AnswerReshuffle) for _, _, command in game_of_bots.sent)


@rule("Q-CALL-1")
def test_a_bot_does_not_believe_a_sign_that_can_not_be_true() -> None:
    """Its human partner shows the sign, but the bot sees a card of every rank elsewhere."""
    bots = with_partner_showing_the_sign(
        "centre AS KH QD JC\n0 AH KS QS JS\n1 10S 10H AD KD\n2 10D 10C AC QH\n3 JH JD KC QC"
    )
    bots.play(rounds=1, until=20 * SECOND)
    assert not any(isinstance(command, q.CallQuatro) for _, _, command in bots.sent)


@rule("Q-CALL-1")
def test_a_bot_believes_a_sign_that_can_be_true() -> None:
    bots = with_partner_showing_the_sign(
        "centre AS KH QD JC\n0 10S 10H 10D 10C\n1 AD KD QC JH\n2 AH KS QS JS\n3 AC KC QH JD"
    )
    bots.play(rounds=1, until=20 * SECOND)
    assert any(isinstance(command, q.CallQuatro) for _, _, command in bots.sent)


@rule("Q-COUNTER-1")
def test_a_bot_that_missed_a_swap_and_knows_of_five_cards_in_a_hand_accuses_nobody_of_it() -> None:
    house = opened(bots=frozenset({2}), rules=Rules(swap_wait_ms=0))
    drawn = "centre AS KH QD JC\n0 AH KS QS JS\n1 10S 10H AD KD\n2 10D 10C AC QH\n3 JH JD KC QC"
    house.state = replace(house.table, play=notation.read(drawn, house.play))
    bots = Bots(house, {2: "sharp"}, at=SECOND)
    views = [["1 10S 0 AS"], ["1 10H 1 KH"], ["1 AD 2 QD"], ["1 KD 3 JC"], ["1 AS 0 10S", "3 JH 0 AS"], ["1 10S 1 10H"]]
    for second, swaps in enumerate(views, 2):
        for swap in swaps:
            seat, card, place, aimed_at = swap.split()
            house.send(int(seat), q.SwapCard(card, int(place), aimed_at), second * SECOND)
        bots.look(second * SECOND)
    memory = bots.memories[2]
    assert isinstance(memory, Memory)
    assert len(memory.known[1]) == 5
    assert chance(bots.frames[2][-1][1], memory, 1, house.table.at) == 0.0


def with_partner_showing_the_sign(drawn: str) -> Bots:
    """A bot in seat 2, its partner p0, the others away from their keyboards."""
    house = opened(bots=frozenset({2}), rules=Rules(swap_wait_ms=60_000))
    house.state = replace(house.table, play=notation.read(drawn, house.play))
    house.send(0, q.TakeChannel(), SECOND)
    sign = house.play.signs[0]
    assert sign is not None
    house.send(0, q.ShowEmoji(sign), SECOND)
    return Bots(house, {2: "normal"}, at=SECOND)


@case("C-11")
def test_a_bot_reads_nothing_but_its_seats_frame() -> None:
    house = House()
    house.create(4)
    house.fill()
    names = set(msgspec.structs.asdict(msgspec.convert(house.frame(2), View)))
    assert names == {"public", "own"}
    assert game.bot.view is View
    assert set(game.bot.levels) == set(LEVELS)


def frame_at(bots: Bots, seat: int, at: int) -> View:
    """What the seat saw at a time."""
    return next(view for since, view in reversed(bots.frames[seat]) if since <= at)
