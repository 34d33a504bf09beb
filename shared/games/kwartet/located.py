"""JSON with the line of every value, for faults that say where they are. Knows nothing of packs."""

import json
import re
from collections.abc import Iterator

from msgspec import Struct

from shared.kernel import Fault

DEPTH_MAX = 8
_TOO_DEEP = Fault(1, "not_json", f"nested deeper than {DEPTH_MAX} levels")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+|"')


class Node(Struct, frozen=True):
    """A value and the line it begins on. `doubled` are the keys that stand in an object more than once."""

    line: int
    value: "str | float | bool | tuple[Node, ...] | dict[str, Node] | None"
    doubled: tuple[str, ...] = ()


_Token = tuple[str, int]


def read(text: str) -> Node | Fault:
    """The document, or the first thing that is not JSON in it."""
    try:  # first: a string without an end is looked for anew at each of its quotes by what cuts the text up
        json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as fault:
        return Fault(fault.lineno, "not_json", f"not JSON: {fault.msg} (column {fault.colno})")
    except ValueError as fault:
        return Fault(1, "not_json", f"not JSON: {fault}")
    except RecursionError:
        return _TOO_DEEP
    tokens = [*_tokens(text)]
    return _TOO_DEEP if _depth(tokens) > DEPTH_MAX else _value(iter(tokens))


def _tokens(text: str) -> Iterator[_Token]:
    line, counted = 1, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", counted, token.start())
        counted = token.start()
        yield token.group(), line


def _depth(tokens: list[_Token]) -> int:
    depth = deepest = 0
    for token, _ in tokens:
        depth += (token in ("{", "[")) - (token in ("}", "]"))
        deepest = max(deepest, depth)
    return deepest


def _value(tokens: Iterator[_Token]) -> Node:
    """The next value; the text was found to be JSON."""
    token, line = next(tokens)
    return _of(token, line, tokens)


def _of(token: str, line: int, tokens: Iterator[_Token]) -> Node:
    if token == "{":
        return _object(line, tokens)
    if token == "[":
        return Node(line, tuple(_items(tokens)))
    return Node(line, json.loads(token))


def _items(tokens: Iterator[_Token]) -> Iterator[Node]:
    for token, line in tokens:
        if token == "]":
            return
        if token != ",":
            yield _of(token, line, tokens)


def _object(line: int, tokens: Iterator[_Token]) -> Node:
    fields: dict[str, Node] = {}
    doubled = []
    for token, _ in tokens:
        if token == "}":
            break
        if token != ",":
            key = json.loads(token)
            next(tokens)  # the colon
            doubled += [key] if key in fields else []
            fields[key] = _value(tokens)
    return Node(line, fields, tuple(doubled))


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")
