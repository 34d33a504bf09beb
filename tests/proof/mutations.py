"""A record changed anywhere at all: a number, a word, a field too many or too few. Verifiers must think alike of it."""

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.proof.forge import Json

STRANGE = (None, 0, 1, -1, True, False, "", "x", "AS", "QuatroCalled", "\N{PINEAPPLE}", 2**53, 2**60)
STEPS = (1, -1, 1_000, -1_000, 1_000_000, -1_000_000, 60_000_000)
_Path = tuple[Any, ...]


def mutate(records: list[Json], chance: Random) -> str:
    """Changes one place of one record; says which. The carry is left alone: it is taken at its word."""
    record = chance.choice((*records, records[-1]))
    paths = [path for path in _paths(record) if path and path[0] not in ("carry", "via", "salt", "v")]
    path = chance.choice(paths)
    holder: Any = record
    for step in path[:-1]:
        holder = holder[step]
    _change(holder, path[-1], chance)
    return f"{record.get('n')} {'.'.join(map(str, path))}"


def anywhere(value: Json, chance: Random) -> str:
    """Changes one place of something; says which. A pack is one place among the others."""
    paths = [path for path in _paths(value) if path and "families" not in path]
    path = chance.choice(paths)
    holder: Any = value
    for step in path[:-1]:
        holder = holder[step]
    _change(holder, path[-1], chance)
    return ".".join(map(str, path))


def _paths(value: object, path: _Path = ()) -> Iterator[_Path]:
    yield path
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in steps:
        yield from _paths(each, (*path, step))


def _change(holder: Any, key: Any, chance: Random) -> None:
    value, rolls = holder[key], chance.random()
    if rolls < 0.1:
        del holder[key]
    elif rolls < 0.2 and isinstance(holder, dict):
        holder["more"] = value
    elif rolls < 0.35:
        holder[key] = chance.choice(STRANGE)
    else:
        holder[key] = _other(value, chance)


def _other(value: Any, chance: Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice(STEPS)
    if isinstance(value, str):
        return chance.choice((value + "x", value[:-1], value.upper()))
    if isinstance(value, list):
        return [*value, *value[:1]] if chance.random() < 0.5 else value[:-1]
    return 0 if value is None else {}
