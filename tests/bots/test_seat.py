"""One bot's seat: what it takes from frames, and when it sends."""

from random import Random

import msgspec
import pytest

from services.bots.seat import REACTION_MICROS_MIN, Seat
from shared.wire.messages import Frames, Part
from tests.bots.mind import Bench, Own, Poke, Public, given
from tests.rules import case


def frame(n: int, public: Public | None = None, epoch: int = 1, whole: bool = False, now: int = 0) -> Frames:
    body = b"" if public is None else msgspec.json.encode(public)
    return Frames("t", epoch, now, body, (part(n),), whole=whole)


def part(n: int, secret: str = "") -> Part:
    return Part("bot-1", n, msgspec.json.encode(Own(secret)))


def seated(bench: Bench, pace: float = 1.0) -> Seat:
    return Seat(bench.game(), given(), bench.world(pace), Random(1))


def look(seat: Seat, frames: Frames) -> bool:
    return seat.see(frames, frames.parts[0])


def test_a_seat_is_blind_until_it_has_seen_everything_once() -> None:
    bench = Bench()
    seat = seated(bench)
    assert seat.blind
    assert not look(seat, frame(5, Public("x"))), "without what came before, the whole view is wanted"
    assert seat.blind
    assert look(seat, frame(6, Public("x"), whole=True))
    assert not seat.blind


def test_a_wish_is_sent_after_the_minds_delay() -> None:
    bench = Bench()
    look(seated(bench), frame(1, Public("x", 700_000), whole=True))
    bench.ring()
    assert bench.sent == [("bot-1", Poke("x"))]
    assert bench.reactions == [pytest.approx(0.7)]


@case("C-27")
def test_no_wish_is_sent_within_250_ms() -> None:
    bench = Bench()
    look(seated(bench), frame(1, Public("x", 0), whole=True))
    bench.ring()
    assert bench.reactions == [pytest.approx(REACTION_MICROS_MIN / 1_000_000)]


@case("C-27")
def test_the_same_wish_does_not_wait_anew_with_each_view() -> None:
    bench = Bench()
    seat = seated(bench)
    look(seat, frame(1, Public("x", 400_000), whole=True))
    bench.now += 300_000
    look(seat, frame(2, Public("x", 100_000)))
    bench.ring()
    assert bench.sent == [("bot-1", Poke("x"))]
    assert bench.reactions == [pytest.approx(0.4)]


@case("C-27")
def test_another_wish_waits_its_own_250_ms() -> None:
    bench = Bench()
    seat = seated(bench)
    look(seat, frame(1, Public("x", 400_000), whole=True))
    bench.now += 399_000
    look(seat, frame(2, Public("y", 1_000)))
    bench.ring()
    assert bench.sent == [("bot-1", Poke("y"))]
    assert bench.reactions == [pytest.approx(0.25)]


def test_a_new_view_takes_the_place_of_an_unsent_wish() -> None:
    bench = Bench()
    seat = seated(bench)
    look(seat, frame(1, Public("x", 400_000), whole=True))
    look(seat, frame(2, Public(None, 900_000)))
    bench.ring()
    assert bench.sent == []
    assert len(bench.pending()) == 1, "the mind is asked again later"


def test_nothing_more_is_sent_before_the_verdict() -> None:
    bench = Bench()
    seat = seated(bench)
    look(seat, frame(1, Public("x"), whole=True))
    bench.ring()
    look(seat, frame(2, Public("y")))
    assert bench.pending() == []
    seat.answered()
    bench.ring()
    assert [command for _, command in bench.sent] == [Poke("x"), Poke("y")]


def test_a_gap_in_the_numbers_asks_for_the_whole_view() -> None:
    bench = Bench()
    seat = seated(bench)
    assert look(seat, frame(1, Public("x"), whole=True))
    assert not look(seat, frame(3, Public("y")))
    assert look(seat, frame(3, Public("y"), whole=True))


def test_an_older_frame_changes_nothing() -> None:
    bench = Bench()
    seat = seated(bench)
    look(seat, frame(4, Public("new", 500_000), epoch=2, whole=True))
    assert look(seat, frame(9, Public("old"), epoch=1))
    assert look(seat, frame(4, Public("old"), epoch=2))
    bench.ring()
    assert bench.sent == [("bot-1", Poke("new"))]


def test_the_frames_of_a_new_owner_begin_with_a_whole_view() -> None:
    bench = Bench()
    seat = seated(bench)
    look(seat, frame(4, Public("x"), whole=True))
    assert not look(seat, frame(5, Public("y"), epoch=2))
    assert look(seat, frame(1, Public("y"), epoch=2, whole=True))


def test_what_did_not_change_is_kept() -> None:
    bench = Bench()
    seat = seated(bench)
    look(seat, frame(1, Public("x"), whole=True))
    seat.see(Frames("t", 1, 0), Part("bot-1", 2, msgspec.json.encode(Own("!"))))
    bench.ring()
    assert bench.sent == [("bot-1", Poke("x!"))]


def test_the_mind_sees_the_tables_time() -> None:
    bench = Bench(now=1_000)
    seat = seated(bench)
    look(seat, frame(1, Public("x"), whole=True, now=50_000_000))
    bench.now += 500
    seat.think()
    assert [now for _, now in bench.looks] == [50_000_000, 50_000_500]


def test_the_mind_gets_its_memory_back() -> None:
    bench = Bench()
    seat = seated(bench)
    look(seat, frame(1, Public("x"), whole=True))
    look(seat, frame(2, Public("y")))
    assert [memory for memory, _ in bench.looks] == [None, 1]


def test_a_broken_mind_is_told_and_thinks_again_at_its_next_view() -> None:
    bench = Bench()
    seat = seated(bench)
    look(seat, frame(1, Public(broken=True), whole=True))
    assert bench.failures == ["bot-1"]
    look(seat, frame(2, Public("x")))
    bench.ring()
    assert bench.sent == [("bot-1", Poke("x"))]


def test_a_stopped_seat_sends_nothing() -> None:
    bench = Bench()
    seat = seated(bench)
    look(seat, frame(1, Public("x"), whole=True))
    seat.stop()
    assert bench.pending() == []


def test_at_four_times_the_pace_it_waits_a_quarter() -> None:
    bench = Bench()
    look(seated(bench, pace=4.0), frame(1, Public("x", 1_000_000), whole=True))
    bench.ring()
    assert bench.reactions == [pytest.approx(0.25)]
