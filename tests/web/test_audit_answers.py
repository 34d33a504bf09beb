"""What the service answers of disputes has the shape that the OpenAPI document says, in every field."""

import json
from collections.abc import Iterator

import pytest

from services.gateway.http.disputes import Replay, Search
from services.local.documents import DOCS
from tests.web.disputed import ADA, Disputed, called, played
from tests.web.disputed_kwartet import crossed
from tests.web.house import furnished


@pytest.fixture(scope="module")
def rounds() -> Iterator[list[Disputed]]:
    """Rounds of both games, with every kind of race that they have."""
    with furnished() as house:
        yield [played(house.url), called(house), crossed(house)]


def test_a_replay_is_as_documented(rounds: list[Disputed]) -> None:
    for one in rounds:
        answer = one.get(f"/tables/{one.table}/rounds/1/replay", ADA)
        known = Replay.model_validate(answer, strict=True)
        assert [scene.version for scene in known.scenes] == list(range(known.head.first, known.head.last + 1))
        assert len([scene for scene in known.scenes if scene.race]) == len(one.lost)


def test_a_search_is_as_documented_with_its_pages(rounds: list[Disputed]) -> None:
    for one in rounds:
        found = Search.model_validate(one.get("/audit/search?limit=500", ADA), strict=True)
        assert len(found.hits) >= len(one.lost)
        first = Search.model_validate(one.get("/audit/search?limit=1", ADA), strict=True)
        assert first.next is not None
        rest = Search.model_validate(one.get(f"/audit/search?limit=500&after={first.next}", ADA), strict=True)
        assert [*first.hits, *rest.hits] == found.hits
        (newest,) = first.hits
        assert newest.name is not None
        named = Search.model_validate(one.get(f"/audit/search?player={newest.name.lower()}", ADA), strict=True)
        assert [(each.player, each.name) for each in named.called] == [(newest.player, newest.name)]


TYPED = {
    "/tables/{table_id}/rounds/{n}": "Records",
    "/tables/{table_id}/rounds/{n}/replay": "Replay",
    "/audit/search": "Search",
}


@pytest.mark.parametrize(("path", "name"), TYPED.items())
def test_the_document_types_the_answer(path: str, name: str) -> None:
    document = json.loads((DOCS / "openapi.json").read_text())
    content = document["paths"][f"/api{path}"]["get"]["responses"]["200"]["content"]
    assert content["application/json"]["schema"] == {"$ref": f"#/components/schemas/{name}"}
    assert document["components"]["schemas"][name]["properties"]
