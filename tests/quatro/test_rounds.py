"""From one round to the next, and to the end of the game and another."""

from itertools import pairwise

from shared.games.quatro import commands as q
from shared.games.quatro.rules import Rules
from shared.kernel import SECOND
from shared.table import commands as t
from tests.quatro.house import a_swap, code, opened, prepared
from tests.rules import rule


@rule("Q-TIME-2")
def test_a_break_of_thirty_seconds_follows_and_the_next_preparation() -> None:
    house = opened()
    house.send(2, q.CallQuatro(), 5 * SECOND)
    house.until(35 * SECOND - 1)
    assert (house.table.phase, house.table.table.points) == ("break", (0, 1))
    house.until(35 * SECOND)
    assert (house.table.phase, house.table.table.round) == ("preparing", 2)


@rule("Q-TIME-2")
def test_the_host_can_end_the_break_and_nobody_else() -> None:
    house = opened()
    house.send(2, q.CallQuatro(), 5 * SECOND)
    assert code(house.send(1, t.EndBreak(), 6 * SECOND)) == "not_host"
    assert code(house.send(0, t.EndBreak(), 6 * SECOND)) == "ok"
    house.until(6 * SECOND)
    assert house.table.phase == "preparing"


@rule("Q-TIME-2")
def test_the_last_ready_in_the_break_ends_it_and_does_not_count_for_the_preparation() -> None:
    house = opened(bots=frozenset({3}))
    house.presence(1, False, 4 * SECOND)
    house.send(2, q.CallQuatro(), 5 * SECOND)
    house.send(0, t.Ready(), 6 * SECOND)
    house.until(7 * SECOND)
    assert house.table.phase == "break"
    house.send(2, t.Ready(), 8 * SECOND)
    house.until(8 * SECOND)
    assert (house.table.phase, house.table.ready) == ("preparing", (False,) * 4)


@rule("Q-SWAP-7", "Q-CHAN-7", "Q-VOTE-5", "Q-VOTE-4")
def test_no_wait_channel_or_vote_goes_on_into_the_next_round() -> None:
    rules = Rules(break_ms=1_000, prepare_ms=1_000)
    house = opened(rules=rules)
    house.send(1, q.AskReshuffle(), 4 * SECOND)
    house.send(2, q.AnswerReshuffle(agree=False), 4 * SECOND)
    house.send(0, q.TakeChannel(), 5 * SECOND)
    house.send(0, q.ShowEmoji("🍍"), 5 * SECOND)
    house.send(0, a_swap(house, 0), 5 * SECOND)
    house.send(2, q.CallQuatro(), 5 * SECOND)
    house.until(7 * SECOND)
    assert house.table.phase == "playing"
    assert not any(channel.held for channel in house.play.channels)
    for command in (a_swap(house, 0), q.TakeChannel(), q.AskReshuffle()):
        assert code(house.send(0, command, 7 * SECOND)) == "ok"


@rule("Q-SIGN-5", "Q-WIN-4")
def test_last_signs_go_on_into_the_next_round_and_the_next_game() -> None:
    house = prepared(rules=Rules(target_points=1))
    house.send(0, q.PickSign("🍍"), 2 * SECOND)
    house.until(31 * SECOND)
    house.send(2, q.CallQuatro(), 40 * SECOND)
    house.until(41 * SECOND)
    assert (house.table.phase, house.table.winners) == ("over", (1,))
    assert code(house.send(0, t.NewGame(), 50 * SECOND)) == "ok"
    house.until(50 * SECOND)
    assert (house.table.table.points, house.table.table.round) == ((0, 0), 2)
    assert code(house.send(2, q.PickSign("🍍"), 51 * SECOND)) == "sign_used_last_round"
    assert code(house.send(2, q.PickSign("🚀"), 51 * SECOND)) == "ok"


@rule("Q-WIN-1", "Q-WIN-2", "Q-TIME-2")
def test_five_points_end_the_game_without_a_break() -> None:
    house = opened(rules=Rules(break_ms=1_000, prepare_ms=1_000))
    at = SECOND
    seen: list[tuple[int, ...]] = [(0, 0)]
    while house.table.phase != "over":
        at += SECOND
        if house.table.phase == "playing":
            house.send(0, q.CallCounter() if house.table.table.round % 2 else q.CallQuatro(anyway=True), at)
        house.until(at)
        seen.append(house.table.table.points)
    assert house.table.winners == (1,)
    assert max(house.table.table.points) == 5
    assert all(a <= b for before, after in pairwise(seen) for a, b in zip(before, after, strict=True))


@rule("Q-WIN-3")
def test_teams_that_reach_the_target_together_win_together() -> None:
    house = opened(6, Rules(target_points=1))
    house.send(0, q.CallQuatro(), 5 * SECOND)
    house.until(5 * SECOND)
    assert house.table.winners == (1, 2)
