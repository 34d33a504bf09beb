"""The seats that one instance plays."""

from random import Random

from services.bots.places import Places
from services.bots.seat import Seat
from shared.eventlog.port import partition_of
from shared.wire.messages import Held, HeldTable
from tests.bots.mind import Bench, given


def test_a_seat_is_found_by_table_and_player_until_it_is_dropped() -> None:
    places, seat = Places(), Seat(Bench().game(), given("b"), Bench().world(), Random(1))
    places.put(seat)
    assert places.find(seat.given.table, "b") is seat
    assert places.find(seat.given.table, "c") is None
    places.drop(seat)
    assert places.find(seat.given.table, "b") is None
    assert len(places) == 0


def test_what_is_held_is_told_by_partition_and_an_empty_one_only_once() -> None:
    places, bench = Places(), Bench()
    seats = [Seat(bench.game(), given(player), bench.world(), Random(1)) for player in ("b", "a")]
    partition = partition_of(given().table)
    for seat in seats:
        places.put(seat)
    assert list(places.held("me")) == [(partition, Held("me", (HeldTable(given().table, ("a", "b")),)))]
    for seat in seats:
        places.drop(seat)
    assert list(places.held("me")) == [(partition, Held("me", ()))]
    assert list(places.held("me")) == []
