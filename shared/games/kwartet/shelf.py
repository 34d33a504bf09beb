"""The packs that ship with the product, and how a house rule's value becomes a pack: by name, or from its text."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec
from msgspec import Struct

from shared.games.kwartet import pack
from shared.games.kwartet.cards import Pack
from shared.kernel import Loaded

ORDINARY = "ordinary"


class Book(Struct, frozen=True):
    """A pack and its content hash."""

    pack: Pack
    hash: str


@cache
def shipped() -> Mapping[str, Loaded]:
    """Every shipped pack by its name, the ordinary one first. They are checked by the tests, not here."""
    names = sorted(each.name for each in _folder() if each.name.endswith(".json"))
    stems = sorted((name.removesuffix(".json") for name in names), key=lambda stem: (stem != ORDINARY, stem))
    return {stem: _read(stem) for stem in stems}


def find(value: object) -> Book | tuple[str, ...]:
    """A shipped name, or a pack's text as JSON has it -> the pack; else why not, in words."""
    match value:
        case str():
            found = shipped().get(value)
            return _book(found) if found else (f"no pack is called {value!r}; there are {', '.join(shipped())}",)
        case Mapping():
            return _checked(value)
        case _:
            return ("a pack's name, or its text",)


@cache
def ordinary() -> Book:
    """The ordinary pack (K-PACK-1)."""
    return _book(shipped()[ORDINARY])


def _checked(value: Mapping[str, object]) -> Book | tuple[str, ...]:
    loaded = pack.check(msgspec.json.encode(value), "json")
    return _book(loaded) if isinstance(loaded, Loaded) else tuple(fault.words for fault in loaded)


def _book(loaded: Loaded) -> Book:
    return Book(msgspec.json.decode(loaded.text, type=Pack), loaded.hash)


def _folder() -> list[Traversable]:
    return [*files(__package__).joinpath("packs").iterdir()]


def _read(stem: str) -> Loaded:
    text = files(__package__).joinpath("packs", f"{stem}.json").read_bytes()
    return pack.sealed(msgspec.json.decode(text, type=Pack))
