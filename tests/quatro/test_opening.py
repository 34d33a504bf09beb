"""From an empty table to the deal: seats, readiness, and what can be picked until then."""

import pytest

from shared.games.quatro import commands as q
from shared.kernel import SECOND
from shared.table import commands as t
from tests.quatro.house import START, House, code, prepared
from tests.rules import rule


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
