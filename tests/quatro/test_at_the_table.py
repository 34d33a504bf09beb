"""Quatro as the table plays it: opening, stop, break, the next round, a new game; what comes back is what was seen."""

from itertools import pairwise

import pytest

from shared.games.quatro import commands as q
from shared.games.quatro.rules import Rules
from shared.kernel import SECOND, Command, Refused
from shared.table import commands as t
from shared.table.due import next_house
from tests.quatro.house import START, House, opened, prepared
from tests.rules import rule


def code(decision: object) -> str:
    return decision.code if isinstance(decision, Refused) else "ok"


def a_swap(house: House, seat: int) -> q.SwapCard:
    return q.SwapCard(house.play.hands[seat][0], 0, house.play.centre[0])


@rule("Q-SEAT-1")
@pytest.mark.parametrize("seats", [-4, 0, 1, 2, 3, 5, 7, 9, 10])
def test_a_table_with_another_number_of_seats_is_refused(seats: int) -> None:
    assert code(House().create(seats)) == "bad_seat_count"


@rule("Q-SEAT-3")
@pytest.mark.parametrize("seats", [4, 6, 8])
def test_it_starts_when_every_seat_is_taken(seats: int) -> None:
    house = House()
    house.create(seats)
    house.fill()
    house.send(seats - 1, t.Leave(), 0)
    assert code(house.send(0, t.StartGame(), 1)) == "seats_empty"
    house.send(0, t.AddBot(seats - 1, "sharp"), 2)
    assert code(house.send(0, t.StartGame(), 3)) == "ok"


@rule("Q-OPEN-1", "Q-OPEN-3")
def test_the_round_opens_with_the_last_ready_or_after_thirty_seconds() -> None:
    house = prepared()
    for seat in (0, 1, 2):
        house.send(seat, t.Ready(), 2 * SECOND)
    house.until(31 * SECOND - 1)
    assert (house.table.phase, house.play.hands) == ("preparing", ((), (), (), ()))
    house.until(31 * SECOND)
    assert house.table.phase == "playing"
    assert house.play.ends == START + (31 + 180) * SECOND


@rule("Q-OPEN-1")
def test_the_last_ready_opens_at_its_own_time() -> None:
    house = prepared()
    for seat in (0, 1, 2, 3):
        house.send(seat, t.Ready(), 2 * SECOND)
    house.until(10 * SECOND)
    assert house.play.ends == START + (2 + 180) * SECOND


@rule("Q-OPEN-2", "Q-DISC-2")
def test_the_round_opens_without_one_who_is_away_but_only_after_thirty_seconds() -> None:
    house = prepared()
    house.presence(3, False, 2 * SECOND)
    for seat in (0, 1, 2):
        house.send(seat, t.Ready(), 2 * SECOND)
    house.until(31 * SECOND - 1)
    assert house.table.phase == "preparing"
    house.until(31 * SECOND)
    assert len(house.play.hands[3]) == 4


@rule("Q-SIGN-2", "Q-OPEN-1")
@pytest.mark.parametrize(
    ("pick_at", "then"),
    [
        pytest.param(31 * SECOND - 1, "ok", id="pick first"),
        pytest.param(31 * SECOND, "not_preparing", id="opening first"),
    ],
)
def test_a_pick_and_the_opening_race(pick_at: int, then: str) -> None:
    house = prepared()
    assert code(house.send(0, q.PickSign("🍍"), pick_at)) == then


PLAYING: list[Command] = [
    q.SwapCard("QS", 0, "QH"),
    q.TakeChannel(),
    q.GiveChannel(),
    q.ShowEmoji("🍍"),
    q.CallQuatro(),
    q.CallCounter(),
    q.AskReshuffle(),
    q.AnswerReshuffle(agree=True),
]


@rule("Q-SWAP-8", "Q-STOP-1")
@pytest.mark.parametrize("command", PLAYING, ids=lambda each: type(each).__name__)
def test_before_the_opening_and_after_the_stop_nothing_can_be_played(command: Command) -> None:
    house = House()
    house.create(4)
    assert code(house.send(0, command, 0)) == "round_not_open"
    house = prepared()
    assert code(house.send(0, command, SECOND)) == "round_not_open"
    house = opened()
    house.send(2, q.CallQuatro(), 5 * SECOND)
    assert code(house.send(0, command, 6 * SECOND)) == "round_over"


@rule("Q-STOP-1")
@pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 0)])
@pytest.mark.parametrize("late", [q.CallQuatro(), q.CallCounter()])
def test_of_two_calls_the_first_stops_the_round_and_the_second_hears_by_how_much(
    first: int, second: int, late: Command
) -> None:
    house = opened()
    house.send(first, q.CallCounter(), 5 * SECOND)
    version = house.table.version
    refused = house.send(second, late, 5 * SECOND + 38_000)
    assert isinstance(refused, Refused)
    assert refused.lost_to is not None
    assert (refused.code, refused.lost_to.version) == ("round_over", version)
    assert (refused.lost_to.by, refused.lost_to.margin_us) == (first, 38_000)


@rule("Q-STOP-1", "Q-TIME-1")
def test_a_call_at_the_end_of_the_round_lost_to_time() -> None:
    house = opened()
    refused = house.send(0, q.CallQuatro(), 181 * SECOND)
    assert isinstance(refused, Refused)
    assert refused.lost_to is not None
    assert (refused.code, refused.lost_to.by, refused.lost_to.why, refused.lost_to.margin_us) == (
        "round_over",
        "house",
        "time",
        0,
    )


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


@rule("Q-DISC-1", "Q-DISC-2", "Q-CALL-4")
def test_one_who_is_away_keeps_seat_and_hand_and_the_round_ends_by_its_clock() -> None:
    house = opened()
    hand = house.play.hands[3]
    for person in range(4):
        house.presence(person, False, 5 * SECOND)
    house.until(181 * SECOND - 1)
    assert (house.table.phase, house.play.hands[3], house.table.table.seats[3].player) == ("playing", hand, "p3")
    house.until(181 * SECOND)
    assert house.table.phase == "break"


@rule("Q-DISC-3")
def test_who_comes_back_is_shown_all_that_they_would_have_seen() -> None:
    house = opened()
    house.send(0, q.TakeChannel(), 5 * SECOND)
    house.send(0, q.ShowEmoji("🍍"), 5 * SECOND)
    house.send(0, q.ShowEmoji("🚀"), 6 * SECOND)
    house.send(0, a_swap(house, 0), 6 * SECOND)
    house.send(1, q.AskReshuffle(), 6 * SECOND)
    before = house.frame(0)
    house.presence(0, False, 7 * SECOND)
    house.presence(0, True, 8 * SECOND)
    assert house.frame(0) == before
    own, public = before["own"], before["public"]
    assert isinstance(own, dict)
    assert isinstance(public, dict)
    assert own["emoji_next"] == "🚀"
    assert own["channel_ready_at"] == START + 7 * SECOND
    assert public["seats"][0]["swap_ready_at"] == START + 8 * SECOND
    assert public["vote"]["deadline"] == START + 26 * SECOND
    assert public["deadline"] == START + 181 * SECOND


@rule("Q-VOTE-3")
def test_a_player_who_leaves_is_not_waited_for_in_a_vote() -> None:
    house = opened()
    house.send(0, q.AskReshuffle(), 5 * SECOND)
    house.send(1, q.AnswerReshuffle(agree=True), 6 * SECOND)
    house.send(2, q.AnswerReshuffle(agree=True), 6 * SECOND)
    house.send(3, t.Leave(), 7 * SECOND)
    house.until(7 * SECOND)
    assert house.play.reshuffled
    assert house.play.vote_ready == START + 37 * SECOND


@rule("Q-SIGN-6", "Q-STOP-2")
def test_from_the_stop_on_everyone_sees_hands_fours_and_signs() -> None:
    house = opened()
    state = house.play
    house.send(2, q.CallQuatro(anyway=True), 5 * SECOND)
    for seat in (None, 0, 1, 2, 3):
        public = house.frame(seat)["public"]
        assert isinstance(public, dict)
        assert public["last_round"]["hands"] == [list(hand) for hand in state.hands]
        assert public["last_round"]["signs"] == list(state.signs)


@rule("T-LATE-1", "Q-CHAN-2")
def test_after_a_time_without_an_owner_a_beat_goes_out_once_and_counts_on_from_then() -> None:
    house = opened()
    house.send(0, q.TakeChannel(), 5 * SECOND)
    house.send(0, q.ShowEmoji("🍍"), 5 * SECOND)
    found = START + 27 * SECOND
    step = next_house(house.table, found)
    assert step is not None
    assert step.command == t.Resumed(START + 5 * SECOND, found)
    house.record("house", step.command, step.at)
    house.until(31 * SECOND)
    assert house.play.channels[0].next_beat == START + 32 * SECOND
    beats = [record.at for record in house.records if isinstance(record.command, q.Beat)]
    assert beats == [found]
