"""Names (C-23): what people may be called, and what is refused in words."""

import json

import pytest

from services.gateway import names
from tests.gateway.conftest import House
from tests.rules import case

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ada", "Ada"),
        ("  Ada Lovelace  ", "Ada Lovelace"),
        ("Zoe\u0308", "Zoë"),
        ("日本語", "日本語"),
        ("!?", "!?"),
        (FAMILY, FAMILY),
        (FAMILY * 10, FAMILY * 10),
        ("❤️", "❤️"),
        ("x" * 24, "x" * 24),
    ],
)
@case("C-23")
def test_a_name_is_what_people_see(given: str, kept: str) -> None:
    assert names.checked(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        "",
        "   ",
        "A\0da",
        "A\nda",
        "A\x7fda",
        "A\u2028da",
        "\ud800",
        "Ada\udfff",
        "\u200b",
        "\u200d\u200d",
        "\u0301",
        "\u3164",
        "\u2800\u2800",
        "Ada\u202e",
        "A\u2066da",
        "A\ufeffda",
        "x" * 25,
        "e" + "\u0301" * 200,
        FAMILY * 24,
    ],
)
@case("C-23")
def test_a_name_that_hides_something_or_is_too_long_is_refused_in_words(given: str) -> None:
    with pytest.raises(names.BadName, match="A name"):
        names.checked(given)


@pytest.mark.parametrize("given", ["\\u0000", "\\ud800", "\\u200b", "x" * 2000])
@case("C-23")
async def test_a_bad_name_is_refused_at_the_edge(house: House, given: str) -> None:
    body = f'{{"name":"{given}"}}'.encode()
    answer = await house.http.post("/api/players", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert json.loads(answer.content)["code"] in ("bad_name", "bad_request")
    assert house.store.names == {}
