"""A game of which only the edge is real: what the gateway asks of a game, it has."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from services.gateway import shape
from services.gateway.gateway import Served
from shared.kernel import BadRules, Bot, Command, Game


class Poke(Command, frozen=True):
    """Poke a place."""

    place: int
    note: str = ""


class AddBot(Command, frozen=True):
    """Have a bot."""


class RemoveBot(Command, frozen=True):
    """Have one bot less."""


class Rules(Struct, frozen=True):
    """House rules: one number."""

    pokes: int = 3


def read_rules(given: Mapping[str, object], seats: int) -> Struct | BadRules:
    """Between 1 and 9 pokes."""
    pokes = given.get("pokes", 3)
    if given.keys() - {"pokes"} or not isinstance(pokes, int) or not 1 <= pokes <= 9:
        return BadRules(("pokes: 1 to 9.",))
    return Rules(pokes)


def _never(*_: Any) -> Any:
    raise AssertionError("the gateway knows no rule")


def game() -> Game:
    """The record; its rules are never asked."""
    fields: dict[str, Any] = dict.fromkeys(Game.__dataclass_fields__, _never)
    fields |= {
        "name": "toy", "revision": 1, "seat_counts": (2, 4), "rules": Rules, "play": Rules, "carry": Rules,
        "commands": (Poke,), "preparing_commands": frozenset(), "house_commands": (), "events": (),
        "read_rules": read_rules, "rules_schema": lambda: msgspec.json.schema(Rules),
        "bot": Bot(("plain",), Rules, _never), "host_commands": frozenset(), "loads": None,
    }  # fmt: skip
    return Game(**fields)


def served() -> Served:
    """As __main__ hands it to a gateway."""
    return Served(game(), shape.shapes((Poke, AddBot, RemoveBot)))
