"""The house rules of Kwartet: defaults, ranges, the pack, and that the log holds all of it."""

import msgspec
import pytest

from shared.games.kwartet import game, shelf
from shared.games.kwartet.rules import Rules, unusual
from shared.kernel import BadRules
from tests.kwartet.play import TINY, rules
from tests.rules import rule


@rule("K-PACK-1", "K-TIME-1")
def test_nothing_said_is_the_ordinary_pack_and_a_minute_a_turn() -> None:
    plain = rules()
    assert plain == rules(pack="ordinary", after_miss="asked", turn_seconds=60, prepare_seconds=30)
    assert (plain.pack, plain.turn_ms, plain.prepare_ms) == (shelf.ordinary().pack, 60_000, 30_000)
    assert game.prepare_us(plain) == 30_000_000


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"turn_seconds": 4.999}, "turn_seconds: 0 for no limit, else 5 to 3600, up to three decimals"),
        ({"turn_seconds": 3600.001}, "turn_seconds: 0 for no limit, else 5 to 3600, up to three decimals"),
        ({"turn_seconds": 5.0001}, "turn_seconds: 0 for no limit, else 5 to 3600, up to three decimals"),
        ({"turn_seconds": False}, "turn_seconds: 0 for no limit, else 5 to 3600, up to three decimals"),
        ({"turn_seconds": "60"}, "turn_seconds: 0 for no limit, else 5 to 3600, up to three decimals"),
        ({"turn_seconds": float("nan")}, "turn_seconds: 0 for no limit, else 5 to 3600, up to three decimals"),
        ({"prepare_seconds": 0.5}, "prepare_seconds: 1 to 600, up to three decimals"),
        ({"after_miss": "anyone"}, "after_miss: asked or clockwise"),
        ({"after_miss": None}, "after_miss: asked or clockwise"),
        ({"pack": 7}, "pack: a pack's name, or its text"),
        ({"jokers": 2}, "jokers: no such house rule; there are pack, after_miss, turn_seconds, prepare_seconds"),
    ],
)
@rule("K-TIME-1", "K-VAR-1")
def test_what_can_not_be_is_refused_with_what_is_allowed(given: dict[str, object], fault: str) -> None:
    assert game.read_rules(given, 4) == BadRules((fault,))


@rule("K-PACK-3")
def test_every_fault_is_named() -> None:
    bad = game.read_rules({"pack": {"name": "x", "families": []}, "turn_seconds": 1, "prepare_seconds": 0}, 4)
    assert isinstance(bad, BadRules)
    assert [fault.partition(":")[0] for fault in bad.faults] == ["pack", "turn_seconds", "prepare_seconds"]


@pytest.mark.parametrize("seconds", [0, 5, 12.345, 3600])
@rule("K-TIME-1")
def test_seconds_become_whole_milliseconds(seconds: float) -> None:
    assert rules(turn_seconds=seconds).turn_ms == round(seconds * 1000)


@rule("K-PACK-2")
def test_a_pack_has_at_least_as_many_families_as_there_are_players() -> None:
    assert rules(3, pack=TINY).pack.size == 12
    too_few = game.read_rules({"pack": TINY}, 4)
    assert too_few == BadRules(("pack: 3 families for 4 players; at least one a player",))


@rule("K-PACK-5")
def test_a_shipped_pack_is_called_by_its_name_and_an_unknown_one_is_refused() -> None:
    for name in shelf.shipped():
        assert rules(pack=name).pack_hash == shelf.shipped()[name].hash
    unknown = game.read_rules({"pack": "dinosaurs"}, 4)
    assert isinstance(unknown, BadRules)
    assert unknown.faults[0].startswith("pack: no pack is called 'dinosaurs'; there are ordinary, animals, capitals, ")


@rule("K-PACK-3", "K-PACK-5")
def test_the_stored_rules_hold_the_packs_text_and_its_hash() -> None:
    stored = msgspec.json.encode(rules(3, pack=TINY))
    assert msgspec.json.decode(stored, type=Rules) == rules(3, pack=TINY)
    assert msgspec.json.decode(stored)["pack"]["families"][1]["members"][2] == {"name": "bee2"}


@rule("K-PACK-3")
def test_rules_whose_pack_was_changed_since_can_not_be_read() -> None:
    stored = msgspec.json.encode(rules(3, pack=TINY)).replace(b"bee2", b"wasp")
    with pytest.raises(msgspec.ValidationError, match="hash"):
        msgspec.json.decode(stored, type=Rules)


@rule("K-PACK-5")
def test_the_schema_names_every_house_rule_with_its_default() -> None:
    properties = game.rules_schema()["properties"]
    assert isinstance(properties, dict)
    defaults = {name: each["default"] for name, each in properties.items()}
    assert defaults == {"pack": "ordinary", "after_miss": "asked", "turn_seconds": 60, "prepare_seconds": 30}
    assert rules(**defaults) == rules()


def test_a_view_tells_what_differs_from_the_ordinary_rules_as_the_creator_wrote_it() -> None:
    assert unusual(rules()) == {}
    odd = rules(after_miss="clockwise", turn_seconds=0, prepare_seconds=2.5)
    assert unusual(odd) == {"after_miss": "clockwise", "turn_seconds": 0, "prepare_seconds": 2.5}
