"""The OpenAPI and AsyncAPI documents are those of the code, and the code says what they say."""

import json

import msgspec
import pytest

from services.gateway import frames
from services.gateway.asyncapi import FROM_CLIENT, FROM_SERVER
from services.gateway.messages import Beat, View
from services.local.documents import DOCS, documents
from shared.games.registry import GAMES
from shared.table import commands, events


@pytest.mark.parametrize("name", ["openapi.json", "asyncapi.json", "protocol.md"])
def test_a_document_is_current_or_python_m_services_local_documents_was_forgotten(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(GAMES, "dash", raising=False)  # other tests register it in this process
    assert (DOCS / name).read_text(encoding="utf-8") == documents()[name]


def test_the_protocol_page_has_every_command_event_and_frame_with_its_fields() -> None:
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")
    kinds = [*commands.ALL, *events.ALL, *FROM_CLIENT, *FROM_SERVER]
    for name in ("quatro", "kwartet"):
        kinds += [*GAMES[name].commands, *GAMES[name].house_commands, *GAMES[name].events]
    for kind in kinds:
        rows = [line for line in page.splitlines() if line.startswith(f"| `{kind.__name__}`")]
        fields = [field.encode_name for field in msgspec.structs.fields(kind)]
        assert any(all(f"`{each}`" in row or f"`{each}?`" in row for each in fields) for row in rows), kind


def test_every_reference_in_the_asyncapi_document_leads_somewhere() -> None:
    found = json.loads(documents()["asyncapi.json"])

    def follow(node: object) -> None:
        if isinstance(node, dict):
            if isinstance(ref := node.get("$ref"), str):
                place: object = found
                for step in ref.removeprefix("#/").split("/"):
                    assert isinstance(place, dict)
                    assert step in place, ref
                    place = place[step]
            for value in node.values():
                follow(value)
        elif isinstance(node, list):
            for value in node:
                follow(value)

    follow(found)
    assert {kind.__name__ for kind in FROM_SERVER} <= set(found["channels"]["live"]["messages"])
    assert "quatro.SwapCard" in found["components"]["schemas"]


def test_a_spliced_view_has_the_documented_shape() -> None:
    whole = b"".join(frames.view(1, 2, 3, b'{"game":"toy"}', b'{"seat":0}', b'[{"type":"x"}]'))
    assert msgspec.json.decode(whole, type=View) == View(1, 2, 3, {"game": "toy"}, {"seat": 0}, [{"type": "x"}])
    bare = b"".join(frames.view(1, 2, 3, b"", b"", b""))
    assert msgspec.json.decode(bare, type=View) == View(1, 2, 3)
    assert msgspec.json.decode(frames.beat(1, 2, 3, 4), type=Beat) == Beat(1, 2, 3, 4)


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_a_frame_says_its_size_as_the_rfc_does(size: int) -> None:
    frame = frames.text(b"x" * (size // 2), b"x" * (size - size // 2))
    head = {0: b"\x81\x00", 125: b"\x81\x7d", 126: b"\x81\x7e\x00\x7e", 65_535: b"\x81\x7e\xff\xff"}
    assert frame == head.get(size, b"\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00") + b"x" * size
