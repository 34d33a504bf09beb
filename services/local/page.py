"""The protocol page (docs/protocol.md): every frame, command, event and closing code with its fields, by the types."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, inspect
from msgspec import json as msgspec_json
from msgspec.inspect import Field, StructType, Type, UnionType

from services.gateway import asyncapi
from services.gateway.closing import Closing
from shared.kernel import Game
from shared.table import commands, events
from shared.table.record import Record, Sender, Via

INTRODUCTION = """\
# The protocol, by its types

Written by `python -m services.local.documents`; don't edit. HTTP is in `openapi.json`, the bus between services in
`asyncapi.json`, what the messages mean in `table.md` and the games' `RULES.md`. `?` after a name: it may be left out.
Times and spans are integers in microseconds; integers are within 2^53. What is longer or larger than said here never
reaches a table. A message has its name as `type`, or what stands behind it in brackets.
"""


def page(games: Mapping[str, Game]) -> str:
    """The whole page."""
    named: dict[str, StructType] = {}
    parts = [INTRODUCTION, *_socket(named), *_commands(games, named), *_events(games, named), *_record(named)]
    return "\n".join((*parts, *_types(named)))


def _socket(named: dict[str, StructType]) -> Iterator[str]:
    yield "## The socket\n"
    yield _table("Client to server", asyncapi.FROM_CLIENT, named)
    yield _table("Server to client", asyncapi.FROM_SERVER, named)
    codes = (f"| {each.code} | `{each.reason}` | {'yes' if each.again else 'no'} |" for each in Closing)
    head = ("### Closing codes\n", "| code | reason | coming back can help |", "| --- | --- | --- |")
    yield "\n".join((*head, *codes, ""))


def _commands(games: Mapping[str, Game], named: dict[str, StructType]) -> Iterator[str]:
    yield "## Commands\n"
    yield _table("Players, at every table", commands.PLAYERS, named)
    for name, game in games.items():
        yield _table(f"Players, {name}", game.commands, named)
    yield _table("The gateway, in a player's name", (commands.CreateTable,), named)
    yield _table("The house, at every table", commands.HOUSE, named)
    for name, game in games.items():
        yield _table(f"The house, {name}", game.house_commands, named)
    yield _table("Scoring", commands.SCORING, named)
    yield _table("Operators", commands.OPERATORS, named)


def _events(games: Mapping[str, Game], named: dict[str, StructType]) -> Iterator[str]:
    yield "## Events\n"
    yield _table("At every table", events.ALL, named)
    for name, game in games.items():
        yield _table(name.capitalize(), game.events, named)


def _record(named: dict[str, StructType]) -> Iterator[str]:
    yield "## The record\n"
    yield _table("One decision, as it is stored", (Record, Sender, Via), named)


def _types(named: dict[str, StructType]) -> Iterator[str]:
    """What the fields above are made of, and what those are."""
    yield "## Types\n"
    done: set[str] = set()
    lines = list(_HEAD)
    while left := sorted(named.keys() - done):
        for name in left:
            done.add(name)
            lines.append(_row(name, named[name], named))
    yield "\n".join((*lines, ""))


_HEAD = ("| name | fields | |", "| --- | --- | --- |")


def _table(title: str, kinds: Iterable[type[Struct]], named: dict[str, StructType]) -> str:
    found = ((kind, inspect.type_info(kind)) for kind in kinds)
    rows = (_row(kind.__name__, info, named) for kind, info in found if isinstance(info, StructType))
    return "\n".join((f"### {title}\n", *_HEAD, *rows, ""))


def _row(name: str, info: StructType, named: dict[str, StructType]) -> str:
    fields = " · ".join(_field(each, named) for each in info.fields)
    told = " ".join((info.cls.__doc__ or "").split()).replace("|", "\\|")
    tag = f" (`{info.tag}`)" if info.tag not in (None, name) else ""
    return f"| `{name}`{tag} | {fields or '–'} | {told} |"


def _field(field: Field, named: dict[str, StructType]) -> str:
    optional = "" if field.required else "?"
    return f"`{field.encode_name}{optional}` {_said(field.type, named)}"


def _said(kind: Type, named: dict[str, StructType]) -> str:
    """A type in words."""
    match kind:
        case StructType():
            named.setdefault(kind.cls.__name__, kind)
            return kind.cls.__name__
        case UnionType():
            return " or ".join(_said(each, named) for each in kind.types)
        case inspect.IntType():
            return "integer" if kind.ge in (None, -(2**53)) else f"integer from {kind.ge}"
        case inspect.StrType():
            return f"text{_bound(kind)}"
        case inspect.VarTupleType() | inspect.ListType():
            return f"[{_said(kind.item_type, named)}, …]"
        case inspect.TupleType():
            return f"[{', '.join(_said(each, named) for each in kind.item_types)}]"
        case inspect.DictType():
            return "object"
        case inspect.LiteralType():
            return " or ".join(f"`{msgspec_json.encode(value).decode()}`" for value in kind.values)
        case _:
            return _WORDS.get(type(kind), "anything")


def _bound(kind: inspect.StrType) -> str:
    if kind.pattern is not None:
        return f" like `{kind.pattern}`".replace("|", "\\|")
    return "" if kind.max_length is None else f" of at most {kind.max_length}"


_WORDS: Mapping[type[Type], str] = {
    inspect.BoolType: "true or false",
    inspect.FloatType: "number",
    inspect.NoneType: "null",
    inspect.RawType: "JSON",
    inspect.BytesType: "bytes",
}
