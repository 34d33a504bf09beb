"""Every message of every game comes back from its bytes as it was, under its own name."""

from typing import Any

import msgspec
import msgspec.inspect as mi
import pytest
from msgspec import Raw, Struct

from shared.games.registry import GAMES
from shared.kernel import LostTo, Refused
from shared.table import commands, events
from shared.table.codec import codec
from shared.table.record import Record, Sender, Via, encode
from tests.rules import case
from tests.table.desk import TABLE

HEX = "0123456789abcdef"


def sample(kind: mi.Type) -> Any:
    """A value of a type that is not its default, if there is another."""
    match kind:
        case mi.IntType():
            return 3
        case mi.BoolType():
            return True
        case mi.StrType(pattern=pattern):
            return HEX * 4 if pattern else "text"
        case mi.RawType():
            return Raw(b'{"a":1}')
        case mi.VarTupleType(item_type=item) | mi.ListType(item_type=item):
            return tuple(sample(item) for _ in range(2))
        case mi.TupleType(item_types=items):
            return tuple(sample(item) for item in items)
        case mi.UnionType(types=types):
            return sample(next(each for each in types if not isinstance(each, mi.NoneType)))
        case mi.LiteralType(values=values):
            return values[-1]
        case mi.StructType(cls=cls):
            return made(cls)
        case mi.DictType(key_type=key, value_type=value):
            return {sample(key): sample(value)}
        case _:
            raise AssertionError(f"no sample of {kind}")


def made(cls: type[Struct]) -> Any:
    shape = mi.type_info(cls)
    assert isinstance(shape, mi.StructType)
    return cls(**{field.name: sample(field.type) for field in shape.fields})


MESSAGES = [(name, kind) for name, game in GAMES.items() for kind in (*codec(game).commands, *codec(game).events)]


@case("C-20")
@pytest.mark.parametrize(("game", "kind"), MESSAGES, ids=lambda value: getattr(value, "__name__", value))
def test_a_message_comes_back_as_it_was(game: str, kind: type[Struct]) -> None:
    message, read = made(kind), codec(GAMES[game])
    body = msgspec.json.encode(message, order="sorted")
    assert msgspec.json.decode(body)["type"] == kind.__name__
    command = kind in read.commands
    record: Record[Any, Any] = Record(
        v=1,
        table=TABLE,
        n=7,
        round=1,
        at=2**52,
        epoch=3,
        by=Sender("ann", 1),
        command=message if command else commands.Leave(),
        salt=HEX * 2,
        via=Via("g", 1, 2, 3),
        meant=1,
        events=(events.BreakEnded(),) if command else (message, message),
    )
    assert read.decode_record(encode(record)) == record


def test_a_refusal_comes_back_as_it_was() -> None:
    refused = Refused("card_gone", LostTo(5, "house", 12, "reshuffle"), 99)
    record: Record[Any, Any] = Record(
        v=1, table=TABLE, n=1, round=1, at=1, epoch=1, by="ops:kim", command=commands.Leave(), salt="", refused=refused
    )
    assert codec(GAMES["dash"]).decode_record(encode(record)) == record


def test_no_two_messages_of_a_game_share_a_name() -> None:
    for game in GAMES.values():
        read = codec(game)
        for kinds in (read.commands, read.events):
            assert len({kind.__name__ for kind in kinds}) == len(kinds)
