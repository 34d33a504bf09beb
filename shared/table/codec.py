"""From bytes to a table's messages and back, for one game: which types there are, and who may send them."""

from dataclasses import dataclass
from typing import Any, Union

import msgspec
from msgspec import Struct

from shared.games.registry import GAMES
from shared.kernel import Command, Event, Game
from shared.table import commands, events
from shared.table.record import Record

AnyRecord = Record[Any, Any]


class BadMessage(Struct, frozen=True):
    """Bytes that no client of ours could send, and why: they never reach a table."""

    detail: str


@dataclass(frozen=True, slots=True)
class Codec:
    """One game's decoders. Each command decoder knows only what that sender may send."""

    game: Game
    commands: tuple[type[Command], ...]
    events: tuple[type[Event], ...]
    records: msgspec.json.Decoder[AnyRecord]
    players: msgspec.json.Decoder[Command]

    def decode_record(self, body: bytes) -> AnyRecord:
        """A stored record. Raises msgspec.MsgspecError."""
        return self.records.decode(body)

    def decode_command(self, body: bytes) -> Command | BadMessage:
        """A player's command."""
        return _decode(self.players, body)


def codec(game: Game) -> Codec:
    """The codec of a game; built once."""
    found = _CODECS.get(game.name)
    if found is None or found.game is not game:
        found = _CODECS[game.name] = _build(game)
    return found


def decode_scoring(body: bytes) -> Command | BadMessage:
    """A command of scoring, the same for every game."""
    return _decode(_SCORING, body)


def decode_operator(body: bytes) -> Command | BadMessage:
    """A command of an operator."""
    return _decode(_OPERATORS, body)


def codec_of_table(body: bytes) -> Codec:
    """The codec that a table's or a round's first record asks for. Raises msgspec.MsgspecError, KeyError."""
    first = _FIRST.decode(body)
    name = first.carry.game if first.carry else first.command.game
    return codec(GAMES[name])


class _Named(Struct):
    game: str = ""


class _First(Struct):
    command: _Named
    carry: _Named | None = None


_FIRST = msgspec.json.Decoder(_First)
_CODECS: dict[str, Codec] = {}


def _build(game: Game) -> Codec:
    all_commands: tuple[type[Command], ...] = (*commands.ALL, *game.commands, *game.house_commands)
    all_events: tuple[type[Event], ...] = (*events.ALL, *game.events)
    return Codec(
        game,
        all_commands,
        all_events,
        msgspec.json.Decoder(Record[_union(all_commands), _union(all_events)]),  # type: ignore[misc]
        _decoder((*commands.PLAYERS, *game.commands)),
    )


def _union(types: tuple[type[Struct], ...]) -> Any:
    return Union[types]  # noqa: UP007 - a union of types known only at run time


def _decoder(types: tuple[type[Command], ...]) -> msgspec.json.Decoder[Command]:
    return msgspec.json.Decoder(_union(types))


def _decode(decoder: msgspec.json.Decoder[Command], body: bytes) -> Command | BadMessage:
    try:
        return decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
        return BadMessage(str(problem))


_SCORING = _decoder(commands.SCORING)
_OPERATORS = _decoder(commands.OPERATORS)
