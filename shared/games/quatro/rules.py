"""The house rules of a Quatro table: read from the creator's JSON, kept as integer milliseconds, given as µs."""

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Annotated

from msgspec import Meta, Struct

from shared.kernel import BadRules

Minutes = Annotated[int, Meta(ge=1_000, le=600_000)]
Wait = Annotated[int, Meta(ge=0, le=60_000)]


class Rules(Struct, frozen=True):
    """House rules as they stand in the table's log (`quatro.md`, "Times and sizes"); others can't be read from one."""

    target_points: Annotated[int, Meta(ge=1, le=50)] = 5
    prepare_ms: Minutes = 30_000
    break_ms: Minutes = 30_000
    round_ms: Annotated[int, Meta(ge=5_000, le=3_600_000)] = 180_000
    swap_wait_ms: Wait = 2_000
    channel_wait_ms: Wait = 2_000
    vote_gap_ms: Wait = 30_000
    beat_ms: Annotated[int, Meta(ge=1_000, le=60_000)] = 5_000
    vote_ms: Annotated[int, Meta(ge=5_000, le=60_000)] = 20_000


class _Range(Struct, frozen=True):
    default: int
    low: int
    high: int
    about: str


_RANGES = {
    "target_points": _Range(5, 1, 50, "points that win the game"),
    "prepare_seconds": _Range(30, 1, 600, "longest preparation of a round"),
    "break_seconds": _Range(30, 1, 600, "longest break between two rounds"),
    "round_seconds": _Range(180, 5, 3600, "length of a round without call or counter"),
    "swap_wait_seconds": _Range(2, 0, 60, "wait of a seat between two swaps"),
    "channel_wait_seconds": _Range(2, 0, 60, "wait between two changes of a channel"),
    "vote_gap_seconds": _Range(30, 0, 60, "wait between two votes"),
    "beat_seconds": _Range(5, 1, 60, "time between two beats of a channel"),
    "vote_seconds": _Range(20, 5, 60, "time to answer a vote"),
}


def read_rules(given: Mapping[str, object], seats: int) -> Rules | BadRules:
    """The creator's JSON -> rules, or every fault with what is allowed. They are the same for any number of seats."""
    faults = [f"{name}: no such house rule; there are {', '.join(_RANGES)}" for name in given if name not in _RANGES]
    values: dict[str, int] = {}
    for name, value in given.items():
        if name in _RANGES:
            match _read(name, value):
                case int() as good:
                    values[name.replace("_seconds", "_ms")] = good
                case str() as fault:
                    faults.append(fault)
    return BadRules(tuple(faults)) if faults else Rules(**values)


@lru_cache
def unusual(rules: Rules) -> Mapping[str, object]:
    """The house rules that differ from the ordinary ones, as a creator would write them; asked with every view."""
    found: dict[str, object] = {}
    for name, allowed in _RANGES.items():
        decimals = _decimals(name)
        value = getattr(rules, name.replace("_seconds", "_ms"))
        if value != allowed.default * 10**decimals:
            found[name] = value if not decimals else value // 1000 if value % 1000 == 0 else value / 1000
    return found


def rules_schema() -> dict[str, object]:
    """JSON Schema of what `read_rules` takes."""
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: _schema(name, allowed) for name, allowed in _RANGES.items()},
    }


def _read(name: str, value: object) -> int | str:
    allowed, decimals = _RANGES[name], _decimals(name)
    fault = f"{name}: {allowed.low} to {allowed.high}, " + ("up to three decimals" if decimals else "a whole number")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return fault
    number = Decimal(repr(value))  # the shortest decimal that is this float: what the creator wrote
    if not number.is_finite() or not allowed.low <= number <= allowed.high:
        return fault
    scaled = number.scaleb(decimals)
    return int(scaled) if scaled == int(scaled) else fault


def _decimals(name: str) -> int:
    return 0 if name == "target_points" else 3


def _schema(name: str, allowed: _Range) -> dict[str, object]:
    whole = name == "target_points"
    return {
        "type": "integer" if whole else "number",
        "minimum": allowed.low,
        "maximum": allowed.high,
        "default": allowed.default,
        "description": allowed.about + ("" if whole else ", in seconds with up to three decimals"),
    }
