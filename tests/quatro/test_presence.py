"""Who is away keeps seat and hand, who comes back sees it all; and a table that nobody owned for a while."""

import pytest

from shared.games.quatro import commands as q
from shared.kernel import SECOND, Command
from shared.table import commands as t
from shared.table.due import next_house
from tests.quatro.house import START, a_swap, opened
from tests.rules import rule


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


@rule("T-LATE-1", "Q-VOTE-2", "Q-VOTE-3")
@pytest.mark.parametrize(
    ("agreed", "reshuffled", "vote_ended"),
    [
        pytest.param((1, 2, 3), True, 55, id="it had passed: nothing is dealt in the past"),
        pytest.param((1, 2), False, 25, id="silence: at its own time"),
    ],
)
def test_a_vote_that_ended_while_nobody_owned_the_table(
    agreed: tuple[int, ...], reshuffled: bool, vote_ended: int
) -> None:
    house = opened()
    house.send(0, q.AskReshuffle(), 5 * SECOND)
    for seat in agreed:
        house.send(seat, q.AnswerReshuffle(agree=True), 6 * SECOND)
    late: tuple[Command, ...] = ()
    while step := next_house(house.table, START + 55 * SECOND, late):
        house.record("house", step.command, step.at)
        late = step.late
    assert house.play.reshuffled == reshuffled
    assert house.play.vote_ready == START + (vote_ended + 30) * SECOND
    resumed = next(record for record in house.records if isinstance(record.command, t.Resumed))
    assert resumed.at == START + 55 * SECOND


@rule("T-LATE-1", "Q-TIME-1", "Q-VOTE-7")
def test_a_vote_that_had_passed_deals_nothing_when_the_round_ended_meanwhile() -> None:
    house = opened()
    house.send(0, q.AskReshuffle(), 170 * SECOND)
    for seat in (1, 2, 3):
        house.send(seat, q.AnswerReshuffle(agree=True), 171 * SECOND)
    step = next_house(house.table, START + 200 * SECOND)
    assert step is not None
    assert (step.command, step.at) == (q.TimeUp(), START + 181 * SECOND)
    house.record("house", step.command, step.at)
    assert not house.play.reshuffled
