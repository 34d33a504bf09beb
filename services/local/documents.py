"""`python -m services.local.documents` writes docs/openapi.json, asyncapi.json and protocol.md from the types that they
describe."""

import json
from collections.abc import Mapping
from pathlib import Path

from services.gateway.app import http
from services.gateway.asyncapi import document
from services.gateway.gateway import Gateway, Served
from services.gateway.memory import MemoryStore
from services.gateway.settings import GatewaySettings
from services.gateway.tokens import Tokens
from services.local.page import page
from shared.bus.memory import MemoryNetwork
from shared.games.registry import GAMES
from shared.table import commands
from shared.table.codec import codec

DOCS = Path(__file__).resolve().parents[2] / "docs"


def documents() -> Mapping[str, str]:
    """File name -> its text, as it must stand in docs/."""
    games = {name: Served(game, codec(game).players) for name, game in GAMES.items()}
    bus = MemoryNetwork().join("documents")
    gateway = Gateway(GatewaySettings(), bus, MemoryStore(), Tokens({"none": "0" * 32}), games)
    played = {name: (*commands.PLAYERS, *game.commands) for name, game in GAMES.items()}
    return {
        "openapi.json": _text(http(gateway).openapi()),
        "asyncapi.json": _text(document(played)),
        "protocol.md": page(GAMES),
    }


def main() -> None:
    """Write them."""
    DOCS.mkdir(exist_ok=True)
    for name, text in documents().items():
        (DOCS / name).write_text(text, encoding="utf-8")


def _text(found: object) -> str:
    return json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    main()
