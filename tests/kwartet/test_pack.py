"""Packs (K-PACK): what one is, what it may hold, and that a bad one is refused whole with every fault and its line."""

import json
import re
from collections.abc import Iterator
from hashlib import sha256

import msgspec
import pytest

from shared.games.kwartet import game, located, shelf
from shared.games.kwartet.cards import Card, Pack
from shared.games.kwartet.pack import FILE_BYTES_MAX, check
from shared.kernel import Fault, Loaded
from tests.rules import case, rule


def family(name: str, *members: object) -> dict[str, object]:
    """A family as JSON has it; without members, four with the family's name."""
    return {"name": name, "members": list(members) or [f"{name} {number}" for number in range(4)]}


def pack(*families: dict[str, object], **more: object) -> bytes:
    """A pack's file with a line for each family: the first family is on line 2."""
    head = json.dumps({"name": "Test", **more}, ensure_ascii=False)[1:-1]
    return ("{" + head + ', "families": [\n' + ",\n".join(map(_line, families)) + "]}").encode()


def _line(family: object) -> str:
    return json.dumps(family, ensure_ascii=False)


def loaded(file: bytes, kind: str = "json", name: str = "") -> Pack:
    """The pack of a good file."""
    found = check(file, kind, name)
    assert isinstance(found, Loaded), found
    return msgspec.json.decode(found.text, type=Pack)


def faults(file: bytes, kind: str = "json") -> list[tuple[int, str]]:
    """The lines and codes of a bad file's faults."""
    found = check(file, kind)
    assert isinstance(found, tuple), found
    return [(fault.line, fault.code) for fault in found]


APES, BEES = family("apes"), family("bees")


@rule("K-PACK-1")
def test_the_ordinary_pack_has_eight_ranks_of_four_suits() -> None:
    ordinary = shelf.ordinary().pack
    assert [each.name for each in ordinary.families] == ["7", "8", "9", "10", "J", "Q", "K", "A"]
    assert [each.member for each in ordinary.families[0].cards()] == ["S", "H", "D", "C"]
    assert ordinary.size == 32


@rule("K-PACK-1", "K-PACK-5")
def test_a_json_pack_is_read_with_pictures_facts_and_sources() -> None:
    fox = {"name": "fox", "picture": "🦊", "fact": "Lives in dens."}
    found = loaded(pack(APES, family("wild", fox, "wolf", "bear", "lynx"), language="en", sources=["A book"]))
    assert (found.name, found.language, found.sources) == ("Test", "en", ("A book",))
    assert found.families[1].members[0] == msgspec.convert(fox, type=type(found.families[1].members[0]))
    assert found.cards()[4:6] == (Card("wild", "fox"), Card("wild", "wolf"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("apes,a\napes,b\nbees,e\napes,c\nbees,f\nbees,g\napes,d\nbees,h", id="lines of a family apart"),
        pytest.param("family,member\napes,a\napes,b\napes,c\napes,d\nbees,e\nbees,f\nbees,g\nbees,h\n", id="a heading"),
        pytest.param("apes,a\r\napes,b\r\napes,c\r\napes,d\r\nbees,e\r\nbees,f\r\nbees,g\r\nbees,h\r\n", id="CRLF"),
        pytest.param("\ufeffapes,a\napes,b\napes,c\napes,d\nbees,e\nbees,f\nbees,g\nbees,h\n", id="a BOM"),
        pytest.param(
            '"apes",a\nApes ,"b"\n\nAPES,c\napes,d\nbees,e\nbees,f\nbees,g\nbees,h', id="quotes, case, blanks"
        ),
    ],
)
@rule("K-PACK-5")
def test_csv_lines_become_families(text: str) -> None:
    found = loaded(text.encode(), "csv", "Mine")
    assert found.name == "Mine"
    assert [(each.name, [member.name for member in each.members]) for each in found.families] == [
        ("apes", ["a", "b", "c", "d"]),
        ("bees", ["e", "f", "g", "h"]),
    ]


@rule("K-PACK-4", "K-PACK-5")
def test_csv_has_pictures_in_a_third_column() -> None:
    png = f"sha256:{'0a' * 32}"
    text = f'family,member,picture\na,"1, one",🦊\na,2,\na,3,{png}\na,4,👩‍🚀\nb,5\nb,6\nb,7\nb,8'
    found = check(text.encode(), "csv", "Mine")
    assert isinstance(found, Loaded)
    members = msgspec.json.decode(found.text, type=Pack).families[0].members
    assert [(each.name, each.picture) for each in members] == [("1, one", "🦊"), ("2", None), ("3", png), ("4", "👩‍🚀")]
    assert found.pictures == ("0a" * 32,)


@rule("K-PACK-3")
def test_a_bad_pack_is_refused_whole_with_every_fault_and_its_line() -> None:
    file = pack(
        family("apes", "chimp", "bonobo", "gorilla"),
        family("bees", "honey bee", "Chimp ", "<b>wasp</b>", "hornet"),
        family("APES"),
        family("", "a", "b", "c", {"name": "d", "picture": "a picture"}),
        family("cows", "e", "f", "g", "e\u0301", "\u00e9"),
    )
    assert faults(file) == [
        (2, "four_members"),
        (3, "duplicate_card"),
        (3, "markup"),
        (4, "duplicate_family"),
        (5, "no_name"),
        (5, "picture"),
        (6, "duplicate_card"),
        (6, "four_members"),
    ]


@rule("K-PACK-3")
def test_a_fault_says_in_words_what_it_is_and_where_the_first_was() -> None:
    found = check(b"apes,chimp\napes,b\napes,c\nbees,Chimp\nbees,f\nbees,g\nbees,h", "csv")
    assert found == (
        Fault(1, "four_members", "the family 'apes' has 3 members, not four"),
        Fault(4, "duplicate_card", "the card 'Chimp' stands on line 1 already"),
    )


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        pytest.param(b'{"name": "x",\n"families": [\n}', [(3, "not_json")], id="not JSON"),
        pytest.param(b"", [(1, "not_json")], id="empty"),
        pytest.param(b"[" * 60_000, [(1, "not_json")], id="nested deep"),
        pytest.param(b"[" * 9 + b"]" * 9, [(1, "not_json")], id="nested a little too deep"),
        pytest.param(b'{"name": NaN}', [(1, "not_json")], id="NaN"),
        pytest.param(b"[]", [(0, "too_few_families"), (1, "wrong_type")], id="a list"),
        pytest.param(pack(APES, {"name": "x"}), [(3, "no_field")], id="a family without members"),
        pytest.param(pack(APES, {"members": ["a", "b", "c", "d"]}), [(3, "no_name")], id="a family without a name"),
        pytest.param(pack(APES, family("x", 1, "b", "c", "d")), [(3, "wrong_type")], id="a number for a member"),
        pytest.param(
            pack(APES, family("x", {"name": 1}, "b", "c", "d")), [(3, "wrong_type")], id="a number for a name"
        ),
        pytest.param(pack(APES, {**family("x"), "colour": 1}), [(3, "unknown_field")], id="an unknown field"),
        pytest.param(
            b'{"name": "a", "name": "b", "families": [' + b"%s,%s]}" % (_line(APES).encode(), _line(BEES).encode()),
            [(1, "doubled_field")],
            id="a field twice",
        ),
        pytest.param(pack(APES), [(0, "too_few_families")], id="one family"),
        pytest.param(pack(APES, BEES, name="Ordinary"), [(1, "reserved_name")], id="the ordinary pack's name"),
        pytest.param(pack(APES, BEES, name=" "), [(1, "no_name")], id="no name"),
        pytest.param(pack(APES, BEES, language="Dutch!"), [(1, "language")], id="no language tag"),
        pytest.param(pack(APES, BEES, sources=["a"] * 17), [(1, "too_many_sources")], id="too many sources"),
        pytest.param(pack(APES, family("x", "a\u0007", "b", "c", "d")), [(3, "control")], id="a control character"),
        pytest.param(pack(APES, family("x", "a\u202eb", "b", "c", "d")), [(3, "control")], id="text turned round"),
        pytest.param(pack(APES, family("x", "a" * 41, "b", "c", "d")), [(3, "too_long")], id="a long name"),
        pytest.param(pack(APES, family("x", "e" + "\u0301" * 200, "b", "c", "d")), [(3, "too_long")], id="a tower"),
        pytest.param(pack(APES, family("x", "\u200d\ufe0f", "b", "c", "d")), [(3, "no_name")], id="nothing to see"),
        pytest.param(
            pack(APES, family("x", {"name": "a", "fact": "<script>"}, "b", "c", "d")),
            [(3, "markup")],
            id="markup in a fact",
        ),
        pytest.param(
            pack(APES, family("x", {"name": "a", "picture": "🦊🦊"}, "b", "c", "d")), [(3, "picture")], id="two"
        ),
        pytest.param(pack(*(family(f"f{n}") for n in range(65))), [(66, "too_many_families")], id="65 families"),
        pytest.param(b'{"name": "a",\n"families": "\xe9"}', [(2, "encoding")], id="Latin-1"),
        pytest.param(b" " * (FILE_BYTES_MAX + 1), [(0, "too_large")], id="too large"),
    ],
)
@rule("K-PACK-3")
@case("C-23")
def test_a_json_pack_with_this_fault_is_refused(file: bytes, expected: list[tuple[int, str]]) -> None:
    assert faults(file) == expected


@rule("K-PACK-3")
def test_what_is_no_json_is_not_cut_up_which_takes_the_square_of_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    cut: list[str] = []
    monkeypatch.setattr(located, "_TOKEN", Cutter(cut))
    assert faults(b'"' + b'\\"' * 32_000) == [(1, "not_json")]
    assert not cut
    assert not isinstance(check(pack(APES, BEES), "json"), tuple)
    assert cut


class Cutter:
    """The pattern that cuts JSON up, noting what it is given."""

    def __init__(self, noted: list[str]) -> None:
        self._noted, self._pattern = noted, located._TOKEN

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        self._noted.append(text)
        return self._pattern.finditer(text)


@rule("K-PACK-3")
@case("C-23")
def test_a_lone_surrogate_is_refused() -> None:
    file = pack(APES, family("x", "a", "b", "c", "SURROGATE")).replace(b"SURROGATE", rb"\ud800")
    assert faults(file) == [(3, "control")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("apes;chimp\n", [(0, "too_few_families"), (1, "columns")], id="semicolons"),
        pytest.param("a,1,🦊,x\n", [(0, "too_few_families"), (1, "columns")], id="four columns"),
        pytest.param('a,"1\n', [(1, "not_csv")], id="an open quote"),
        pytest.param("a,1\n,2\na,3\na,4\na,5\nb,6\nb,7\nb,8\nb,9", [(2, "no_name")], id="no family"),
        pytest.param("a,1\na,\na,3\na,4\nb,6\nb,7\nb,8\nb,9", [(2, "no_name")], id="no member"),
        pytest.param("", [(0, "too_few_families")], id="nothing"),
        pytest.param(
            'a,"1\n1"\na,2\na,3\na,4\nb,6\nb,7\nb,8\nb,6', [(1, "control"), (9, "duplicate_card")], id="two lines"
        ),
    ],
)
@rule("K-PACK-3", "K-PACK-5")
def test_a_csv_pack_with_this_fault_is_refused(text: str, expected: list[tuple[int, str]]) -> None:
    assert faults(text.encode(), "csv") == expected


@rule("K-PACK-2")
def test_sixty_four_families_are_a_pack() -> None:
    assert loaded(pack(*(family(f"f{number}") for number in range(64)))).size == 256


@rule("K-PACK-3")
def test_the_same_pack_written_differently_has_the_same_hash_and_another_text_another() -> None:
    first = check(pack(APES, family("x", "e\u0301", "b", "c", "d")), "json")
    second = check(pack(APES, family(" x ", "\u00e9", {"name": "b"}, {"fact": None, "name": "c"}, "d")), "json")
    third = check(pack(APES, family("x", "\u00e9", "b", "c", {"name": "d", "fact": "A fact."})), "json")
    assert isinstance(first, Loaded)
    assert isinstance(third, Loaded)
    assert first == second
    assert first.hash == sha256(first.text).hexdigest()
    assert first.hash != third.hash


@rule("K-PACK-3")
def test_a_good_packs_text_is_a_good_pack_with_the_same_hash() -> None:
    for each in shelf.shipped().values():
        if each.name != shelf.ORDINARY:
            assert check(each.text, "json") == each


@rule("K-PACK-4")
def test_everyone_sees_the_whole_pack_with_pictures_and_facts() -> None:
    from tests.kwartet.play import Play, rules, table

    fox = {"name": "fox", "picture": "🦊", "fact": "Lives in dens."}
    text = msgspec.json.decode(pack(APES, BEES, family("wild", fox, "wolf", "bear", "lynx"), language="en"))
    play = Play(table(3), rules(3, pack=text)).open()
    shown = msgspec.json.decode(play.frame(None))["public"]["pack"]
    assert shown["families"][2]["members"] == [fox, {"name": "wolf"}, {"name": "bear"}, {"name": "lynx"}]
    assert (shown["name"], shown["language"], shown["hash"]) == ("Test", "en", play.state.rules.pack_hash)


@rule("K-PACK-5")
def test_the_game_says_how_packs_are_loaded() -> None:
    assert game.loads is not None
    assert (game.loads.rule, game.loads.kinds) == ("pack", ("json", "csv"))
    assert "ordinary" in game.loads.shipped()
