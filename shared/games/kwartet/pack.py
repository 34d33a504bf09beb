"""Judges a pack that someone wants to load: it is taken whole, or refused with every fault and its line (K-PACK-3)."""

import hashlib
from collections.abc import Iterable, Iterator

import msgspec

from shared.games.kwartet import cards, draft, labels
from shared.games.kwartet.draft import Draft, Family, Member, Text
from shared.kernel import Fault, Loaded

KINDS = ("json", "csv")
FILE_BYTES_MAX = 65_536
FAMILIES_MIN, FAMILIES_MAX = 2, cards.FAMILIES_MAX
NAME_MAX, LABEL_MAX, FACT_MAX, SOURCE_MAX, SOURCES_MAX = 60, 40, 240, 240, 16
RESERVED = "ordinary"

_canonical = msgspec.json.Encoder(order="sorted")


def check(file: bytes, kind: str, name: str = "") -> Loaded | tuple[Fault, ...]:
    """The file's pack, or all its faults in the order of their lines. `name` is what a CSV pack is called."""
    if len(file) > FILE_BYTES_MAX:
        return (Fault(0, "too_large", f"{len(file)} bytes; at most {FILE_BYTES_MAX}"),)
    text = _decoded(file)
    if isinstance(text, Fault):
        return (text,)
    found = draft.from_csv(text, name) if kind == "csv" else draft.from_json(text)
    if isinstance(found, Fault):
        return (found,)
    faults = dict.fromkeys([*found.faults, *_judge(found)])
    return tuple(sorted(faults, key=lambda fault: fault.line)) if faults else sealed(_pack(found))


def sealed(pack: cards.Pack) -> Loaded:
    """A pack with its canonical text and its content hash, SHA-256 of that text."""
    text = _canonical.encode(pack)
    pictures = {each.picture for family in pack.families for each in family.members if each.picture}
    pngs = sorted(picture.removeprefix("sha256:") for picture in pictures if labels.is_png(picture))
    return Loaded(pack.name, pack.language, hashlib.sha256(text).hexdigest(), text, tuple(pngs))


def _decoded(file: bytes) -> str | Fault:
    try:
        return file.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = file.count(b"\n", 0, fault.start) + 1
        return Fault(line, "encoding", f"not UTF-8: byte 0x{file[fault.start]:02X}")


def _judge(found: Draft) -> Iterator[Fault]:
    yield from _flaws(found.name, "the pack's name", NAME_MAX)
    if labels.same(found.name.text) == RESERVED:
        yield Fault(found.name.line, "reserved_name", f"only the ordinary pack is called {RESERVED!r}")
    if found.language and not labels.is_language(found.language.text):
        yield Fault(found.language.line, "language", "the language is a tag such as nl or pt-BR")
    yield from _judge_sources(found)
    yield from _judge_count(found)
    yield from _doubles((family.name for family in found.families), "duplicate_family", "the family")
    members = (member.name for family in found.families for member in family.members)
    yield from _doubles(members, "duplicate_card", "the card")
    for family in found.families:
        yield from _judge_family(family)


def _judge_sources(found: Draft) -> Iterator[Fault]:
    if len(found.sources) > SOURCES_MAX:
        yield Fault(found.sources[SOURCES_MAX].line, "too_many_sources", f"at most {SOURCES_MAX} sources")
    for source in found.sources:
        yield from _flaws(source, "a source", SOURCE_MAX)


def _judge_count(found: Draft) -> Iterator[Fault]:
    count = len(found.families)
    if count > FAMILIES_MAX:
        line = found.families[FAMILIES_MAX].line
        yield Fault(line, "too_many_families", f"{count} families; at most {FAMILIES_MAX}")
    if count < FAMILIES_MIN:
        yield Fault(0, "too_few_families", f"{count} families; at least {FAMILIES_MIN}")


def _judge_family(family: Family) -> Iterator[Fault]:
    yield from _flaws(family.name, "a family's name", LABEL_MAX)
    if len(family.members) != 4 and not family.spoilt:
        words = f"the family {labels.tidy(family.name.text)!r} has {len(family.members)} members, not four"
        yield Fault(family.line, "four_members", words)
    for member in family.members:
        yield from _judge_member(member)


def _judge_member(member: Member) -> Iterator[Fault]:
    yield from _flaws(member.name, "a member's name", LABEL_MAX)
    if member.fact:
        yield from _flaws(member.fact, "a fact", FACT_MAX)
    if member.picture and not labels.is_picture(member.picture.text.strip()):
        yield Fault(
            member.picture.line, "picture", "a picture is one emoji, or sha256: and the hash of an uploaded PNG"
        )


def _flaws(text: Text, what: str, graphemes_max: int) -> Iterator[Fault]:
    if not text.spoilt:
        for flaw in labels.flaws(text.text, what, graphemes_max):
            yield Fault(text.line, flaw.code, flaw.words)


def _doubles(names: Iterable[Text], code: str, what: str) -> Iterator[Fault]:
    first: dict[str, int] = {}
    for name in names:
        key = labels.same(name.text)
        if key and key in first:
            yield Fault(name.line, code, f"{what} {labels.tidy(name.text)!r} stands on line {first[key]} already")
        first.setdefault(key, name.line)


def _pack(found: Draft) -> cards.Pack:
    families = tuple(cards.Family(labels.tidy(each.name.text), _members(each)) for each in found.families)
    sources = tuple(labels.tidy(each.text) for each in found.sources)
    return cards.Pack(labels.tidy(found.name.text), families, _tidy(found.language), sources)


def _members(family: Family) -> tuple[cards.Member, ...]:
    return tuple(
        cards.Member(labels.tidy(each.name.text), _tidy(each.picture), _tidy(each.fact)) for each in family.members
    )


def _tidy(text: Text | None) -> str | None:
    return labels.tidy(text.text) if text else None
