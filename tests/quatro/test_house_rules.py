"""House rules: what a table's creator may set, to the millisecond, and what is refused with what is allowed."""

import msgspec
import pytest

from shared.games.quatro import game
from shared.games.quatro.rules import Rules, read_rules, rules_schema, unusual
from shared.kernel import BadRules
from tests.rules import rule

RANGES = {
    "target_points": (1, 50),
    "prepare_seconds": (1, 600),
    "break_seconds": (1, 600),
    "round_seconds": (5, 3600),
    "swap_wait_seconds": (0, 60),
    "channel_wait_seconds": (0, 60),
    "vote_gap_seconds": (0, 60),
    "beat_seconds": (1, 60),
    "vote_seconds": (5, 60),
}


@rule("Q-WIN-1", "Q-OPEN-1", "Q-TIME-1", "Q-TIME-2", "Q-SWAP-4", "Q-CHAN-5", "Q-VOTE-5", "Q-CHAN-2", "Q-VOTE-1")
def test_without_house_rules_the_books_numbers_hold() -> None:
    assert read_rules({}, 4) == Rules(5, 30_000, 30_000, 180_000, 2_000, 2_000, 30_000, 5_000, 20_000)
    assert (game.prepare_us(Rules()), game.break_us(Rules())) == (30_000_000, 30_000_000)


@rule("Q-WIN-1", "Q-TIME-1")
@pytest.mark.parametrize(("name", "low", "high"), [(name, *ends) for name, ends in RANGES.items()])
def test_each_has_its_range(name: str, low: int, high: int) -> None:
    assert isinstance(read_rules({name: low}, 4), Rules)
    assert isinstance(read_rules({name: high}, 8), Rules)
    for bad in (low - 1, high + 1, -0.001, high + 0.001):
        refused = read_rules({name: bad}, 4)
        assert isinstance(refused, BadRules)
        assert refused.faults[0].startswith(f"{name}: {low} to {high}")


@pytest.mark.parametrize(("name", "low", "high"), [(name, *ends) for name, ends in RANGES.items()])
def test_a_log_holds_no_others(name: str, low: int, high: int) -> None:
    """Also where a round takes them over from the one before: nobody slips in what no creator can choose."""
    field, scale = name.replace("_seconds", "_ms"), 1 if name == "target_points" else 1_000
    for good in (low * scale, high * scale):
        assert getattr(msgspec.json.decode(msgspec.json.encode({field: good}), type=Rules), field) == good
    for bad in (low * scale - 1, high * scale + 1):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(msgspec.json.encode({field: bad}), type=Rules)


@rule("Q-SWAP-4")
@pytest.mark.parametrize(
    ("seconds", "ms"),
    [(2, 2_000), (2.0, 2_000), (0.001, 1), (1.1, 1_100), (1.005, 1_005), (59.999, 59_999), (0, 0), (0.0, 0)],
)
def test_up_to_three_decimals_are_kept_as_milliseconds(seconds: float, ms: int) -> None:
    assert read_rules({"swap_wait_seconds": seconds}, 4) == Rules(swap_wait_ms=ms)


@rule("Q-SWAP-4")
@pytest.mark.parametrize("bad", [1.0001, "2", None, True, [2], float("nan"), float("inf"), 1e-9, 10**30])
def test_what_is_no_such_number_is_refused(bad: object) -> None:
    assert isinstance(read_rules({"swap_wait_seconds": bad}, 4), BadRules)


@rule("Q-WIN-1")
@pytest.mark.parametrize("bad", [2.5, "5", True, 0, 51])
def test_points_are_whole(bad: object) -> None:
    assert isinstance(read_rules({"target_points": bad}, 4), BadRules)
    assert read_rules({"target_points": 7.0}, 4) == Rules(target_points=7)


@rule("Q-TIME-1")
def test_every_fault_is_named() -> None:
    refused = read_rules({"round_seconds": 4, "beat_seconds": 0, "colour": "red"}, 4)
    assert isinstance(refused, BadRules)
    assert [fault.split(":")[0] for fault in refused.faults] == ["colour", "round_seconds", "beat_seconds"]


@rule("Q-TIME-1")
def test_the_schema_says_the_same() -> None:
    properties = rules_schema()["properties"]
    assert isinstance(properties, dict)
    assert {name: (each["minimum"], each["maximum"]) for name, each in properties.items()} == RANGES
    assert read_rules({name: each["default"] for name, each in properties.items()}, 4) == Rules()


def test_a_view_tells_what_differs_from_the_ordinary_rules_as_the_creator_wrote_it() -> None:
    given = {"target_points": 3, "swap_wait_seconds": 1.5, "round_seconds": 60, "vote_seconds": 20}
    rules = read_rules(given, 4)
    assert isinstance(rules, Rules)
    assert unusual(rules) == {"target_points": 3, "round_seconds": 60, "swap_wait_seconds": 1.5}
    assert unusual(Rules()) == {}
