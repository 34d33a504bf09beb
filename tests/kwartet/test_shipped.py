"""The packs that ship with the product: good by the rules that people's own packs must meet, with facts and sources."""

from importlib.resources import files

import msgspec
import pytest

from shared.games.kwartet import pack, shelf
from shared.games.kwartet.cards import Pack
from shared.kernel import Loaded
from tests.rules import rule

THEMED = [name for name in shelf.shipped() if name != shelf.ORDINARY]


@rule("K-PACK-5")
def test_at_least_six_themed_packs_ship() -> None:
    wanted = {"dutch-english", "french-english", "animals", "painters", "composers", "elements", "capitals"}
    assert wanted <= set(THEMED)
    assert next(iter(shelf.shipped())) == shelf.ORDINARY


@pytest.mark.parametrize("name", THEMED)
@rule("K-PACK-1", "K-PACK-3", "K-PACK-5")
def test_a_shipped_pack_is_as_good_as_a_loaded_one_must_be(name: str) -> None:
    text = files("shared.games.kwartet").joinpath("packs", f"{name}.json").read_bytes()
    checked = pack.check(text, "json")
    assert isinstance(checked, Loaded), checked
    assert checked == shelf.shipped()[name]


@pytest.mark.parametrize("name", THEMED)
@rule("K-PACK-2", "K-PACK-4")
def test_a_shipped_pack_seats_six_names_its_sources_and_has_a_fact_for_every_card(name: str) -> None:
    found = msgspec.json.decode(shelf.shipped()[name].text, type=Pack)
    assert 8 <= len(found.families) <= 20
    assert found.sources
    assert found.language
    assert all(member.fact for family in found.families for member in family.members)


@rule("K-PACK-3")
def test_the_elements_have_their_symbols_and_numbers_once_each() -> None:
    found = msgspec.json.decode(shelf.shipped()["elements"].text, type=Pack)
    facts = [member.fact or "" for family in found.families for member in family.members]
    heads = [fact.partition(".")[0].split(", number ") for fact in facts]
    assert len({symbol for symbol, _ in heads}) == len({int(number) for _, number in heads}) == found.size
