"""The table's clock on a monotonic clock that the test moves."""

from hypothesis import given
from hypothesis import strategies as st

from shared.leases.clock import TableClock
from tests.rules import case

SECOND = 1_000_000
HOUR = 3_600 * SECOND
START = 1_800_000_000 * SECOND


class Monotonic:
    """A monotonic clock in µs."""

    def __init__(self) -> None:
        self.now = 5 * SECOND

    def __call__(self) -> int:
        return self.now


def started() -> tuple[Monotonic, TableClock, list[int]]:
    monotonic, alarms = Monotonic(), list[int]()
    clock = TableClock(monotonic, alarms.append)
    clock.note(START, monotonic.now, monotonic.now)
    return monotonic, clock, alarms


def test_it_has_no_time_before_the_database_told_one() -> None:
    clock = TableClock(Monotonic())
    assert not clock.ready
    clock.note(START, 5 * SECOND, 5 * SECOND)
    assert clock.ready


def test_it_goes_on_between_renewals_as_the_monotonic_clock_does() -> None:
    monotonic, clock, _ = started()
    monotonic.now += 1_234_567
    assert clock.now() == START + 1_234_567


def test_the_database_is_taken_to_have_answered_half_way() -> None:
    monotonic = Monotonic()
    clock = TableClock(monotonic)
    sent = monotonic.now
    monotonic.now += 3_000
    clock.note(START, sent, sent + 2_000)
    assert clock.now() == START + 1_000 + 1_000


@case("C-13")
def test_it_is_slewed_by_one_percent_and_no_further_than_the_error() -> None:
    for error in (5_000, -5_000):
        monotonic, clock, _ = started()
        clock.note(START + error, monotonic.now, monotonic.now)
        assert clock.now() == START
        monotonic.now += 100_000
        assert clock.now() == START + 100_000 + (1_000 if error > 0 else -1_000)
        monotonic.now += 10 * SECOND
        assert clock.now() == START + 10_100_000 + error


@case("C-13")
def test_a_step_of_an_hour_either_way_changes_its_pace_by_one_percent_at_most() -> None:
    for step in (HOUR, -HOUR):
        monotonic, clock, _ = started()
        for _ in range(8):
            monotonic.now += SECOND // 4
            clock.note(START + step + monotonic.now, monotonic.now, monotonic.now)
        passed = clock.now() - START
        assert 1.98 * SECOND <= passed <= 2.02 * SECOND
        assert (passed > 2 * SECOND) == (step > 0)


@case("C-13")
def test_a_new_owner_whose_database_was_set_back_counts_on_from_the_last_record_and_says_so() -> None:
    monotonic, clock, alarms = started()
    last = START + HOUR
    assert clock.at(last) == last
    assert alarms == [HOUR]
    monotonic.now += 10_000
    assert clock.at(last) == last + 10_000
    assert clock.now() == last + 10_000
    assert alarms == [HOUR]


def test_a_record_a_little_ahead_is_waited_for_without_an_alarm() -> None:
    monotonic, clock, alarms = started()
    assert clock.at(START + SECOND) == START + SECOND
    monotonic.now += 400_000
    assert clock.now() == START + 400_000
    assert clock.at(START + SECOND) == START + SECOND
    monotonic.now += 700_000
    assert clock.at(START + SECOND) == START + 1_100_000
    assert alarms == []


@given(
    st.lists(
        st.tuples(
            st.integers(0, 2 * SECOND),
            st.integers(-HOUR, HOUR),
            st.integers(0, 300_000),
            st.integers(-HOUR, HOUR),
        ),
        max_size=40,
    )
)
@case("C-13")
def test_whatever_the_database_says_it_never_goes_backwards(steps: list[tuple[int, int, int, int]]) -> None:
    monotonic, clock, _ = started()
    last = clock.now()
    for passed, error, took, ahead in steps:
        monotonic.now += passed
        sent = monotonic.now
        monotonic.now += took
        clock.note(START + sent + error, sent, monotonic.now)
        clock.at(clock.now() + ahead)
        assert clock.now() >= last
        last = clock.now()
