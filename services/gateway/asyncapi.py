"""The AsyncAPI 3 document of the socket and of the bus, generated from the types that both are made of."""

from collections.abc import Iterable, Mapping
from inspect import cleandoc
from typing import Any

import msgspec
from msgspec import Struct

from services.gateway import frames, messages
from services.gateway.closing import Closing
from shared.bus import subjects
from shared.kernel import Command
from shared.wire import messages as wire
from shared.wire.questions import Page, Question
from shared.wire.verdict import Verdict

FROM_CLIENT: tuple[type[Struct], ...] = (frames.Hello, frames.CommandFrame, frames.Ping, frames.Resync)
FROM_SERVER: tuple[type[Struct], ...] = (
    messages.View, messages.Beat, Verdict, messages.Unknown, messages.Error, messages.Closing, messages.Token,
)  # fmt: skip
BUS: Mapping[str, tuple[str, type[Struct]]] = {
    "commands": (subjects.command("{partition}", "{epoch}", "*"), wire.Envelope),
    "wants": (subjects.want("{partition}"), wire.Want),
    "held": (subjects.held("{partition}"), wire.Held),
    "who": (subjects.who("{partition}"), wire.Who),
    "here": (subjects.here("*"), wire.Here),
    "questions": (subjects.ASK_SCORING, Question),
    "pages": ("{reply}", Page),
    "frames": (subjects.to("{instance}", "frames"), wire.Frames),
    "owners": (subjects.to("{instance}", "owner"), wire.Owner),
    "views": (subjects.to("{instance}", "view"), wire.View),
    "seats": (subjects.to("{instance}", "seats"), wire.Seats),
}

Document = dict[str, Any]


def document(commands: Mapping[str, Iterable[type[Command]]]) -> Document:
    """The document; `commands` are what players may send, by game."""
    socket = (*FROM_CLIENT, *FROM_SERVER)
    bus = tuple(kind for _, kind in BUS.values())
    played = {game: tuple(kinds) for game, kinds in commands.items()}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Quartet", "version": "1", "description": _closings()},
        "defaultContentType": "application/json",
        "channels": {"live": _live(socket), **{name: _channel(name, *entry) for name, entry in BUS.items()}},
        "operations": _operations(),
        "components": {
            "messages": {**_messages("socket", socket), **_messages("bus", bus)},
            "schemas": {**_schemas("socket", socket), **_schemas("bus", bus), **_played(played)},
        },
    }


def _closings() -> str:
    codes = ", ".join(f"{closing.code} {closing.reason}" for closing in Closing)
    return f"The socket of a table ({frames.PROTOCOL}) and the bus between services. The server closes with: {codes}."


def _live(kinds: Iterable[type[Struct]]) -> Document:
    return {
        "address": "/api/tables/{table_id}/live",
        "description": f"WebSocket, sub-protocol {frames.PROTOCOL}, JSON text frames. Hello comes first.",
        "parameters": {"table_id": {}},
        "messages": {kind.__name__: {"$ref": f"#/components/messages/socket.{kind.__name__}"} for kind in kinds},
    }


def _channel(name: str, address: str, kind: type[Struct]) -> Document:
    return {
        "address": address,
        "description": cleandoc(kind.__doc__ or ""),  # from 3.13 on Python does so itself
        "messages": {kind.__name__: {"$ref": f"#/components/messages/bus.{kind.__name__}"}},
    }


def _operations() -> Document:
    def said(action: str, kinds: Iterable[type[Struct]]) -> Document:
        refs = [{"$ref": f"#/channels/live/messages/{kind.__name__}"} for kind in kinds]
        return {"action": action, "channel": {"$ref": "#/channels/live"}, "messages": refs}

    return {"fromClient": said("receive", FROM_CLIENT), "fromServer": said("send", FROM_SERVER)}


def _messages(where: str, kinds: Iterable[type[Struct]]) -> Document:
    content = "application/json" if where == "socket" else "application/msgpack"
    return {
        f"{where}.{kind.__name__}": {
            "contentType": content,
            "summary": (kind.__doc__ or "").strip().partition("\n")[0],
            "payload": {"$ref": f"#/components/schemas/{where}.{kind.__name__}"},
        }
        for kind in kinds
    }


def _schemas(where: str, kinds: Iterable[type[Struct]]) -> Document:
    _, schemas = msgspec.json.schema_components(kinds, ref_template=f"#/components/schemas/{where}.{{name}}")
    return {f"{where}.{name}": schema for name, schema in schemas.items()}


def _played(commands: Mapping[str, tuple[type[Command], ...]]) -> Document:
    found: Document = {}
    for game, kinds in commands.items():
        found |= _schemas(game, kinds)
        found[f"{game}.commands"] = {
            "description": f"What players may send at a table of {game}.",
            "oneOf": [{"$ref": f"#/components/schemas/{game}.{kind.__name__}"} for kind in kinds],
        }
    return found
