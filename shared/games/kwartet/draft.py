"""A pack as someone wrote it, with the line of everything, before it is judged; and the two kinds of file of one."""

import csv
import io

from msgspec import Struct

from shared.games.kwartet import located
from shared.games.kwartet.labels import same
from shared.games.kwartet.located import Node
from shared.kernel import Fault


class Text(Struct, frozen=True):
    """A piece of text and its line. `spoilt`: what stood there is a fault already and is not judged again."""

    line: int
    text: str
    spoilt: bool = False


class Member(Struct, frozen=True):
    """A card as it was written."""

    name: Text
    picture: Text | None = None
    fact: Text | None = None


class Family(Struct, frozen=True):
    """A family as it was written; `line` is where it begins."""

    line: int
    name: Text
    members: tuple[Member, ...]
    spoilt: bool = False


class Draft(Struct, frozen=True):
    """A pack as it was written, and what is wrong with its shape."""

    name: Text
    families: tuple[Family, ...]
    language: Text | None = None
    sources: tuple[Text, ...] = ()
    faults: tuple[Fault, ...] = ()


COLUMNS = ("family", "member", "picture")


def from_csv(text: str, name: str) -> Draft | Fault:
    """Lines of `family,member[,picture]`; lines of one family may be apart. A CSV pack is called as its sender says."""
    rows = _rows(text)
    if isinstance(rows, Fault):
        return rows
    families: dict[str, list[tuple[Text, Member]]] = {}
    faults = []
    for line, cells in rows:
        if not 2 <= len(cells) <= len(COLUMNS):
            words = f"{len(cells)} columns; a line is family,member or family,member,picture, with commas between"
            faults.append(Fault(line, "columns", words))
            continue
        family, member, *picture = (Text(line, cell) for cell in cells)
        if not family.text.strip():
            faults.append(Fault(line, "no_name", "a family's name is empty"))
            continue
        drawn = picture[0] if picture and picture[0].text.strip() else None
        families.setdefault(same(family.text), []).append((family, Member(member, drawn)))
    drafts = [Family(each[0][0].line, each[0][0], tuple(member for _, member in each)) for each in families.values()]
    called = name.strip() or (drafts[0].name.text if drafts else "")
    return Draft(Text(1, called, spoilt=not called), tuple(drafts), faults=tuple(faults))


def _rows(text: str) -> list[tuple[int, list[str]]] | Fault:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[tuple[int, list[str]]] = []
    line = 1
    try:
        for cells in reader:
            if cells:
                rows.append((line, cells))
            line = reader.line_num + 1
    except csv.Error as fault:
        return Fault(line, "not_csv", f"not CSV: {fault}")
    heading = rows and tuple(cell.strip().casefold() for cell in rows[0][1]) in (COLUMNS[:2], COLUMNS)
    return rows[1:] if heading else rows


def from_json(text: str) -> Draft | Fault:
    """`{name, language?, sources?, families: [{name, members: [text | {name, picture?, fact?}]}]}`."""
    root = located.read(text)
    return root if isinstance(root, Fault) else _Shape().pack(root)


class _Shape:
    """Takes JSON apart and notes what has the wrong shape; it lives as long as one reading."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def pack(self, root: Node) -> Draft:
        fields = self._fields(root, "a pack", ("name", "families"), ("language", "sources"))
        name = self._text(fields.get("name"), root, "the pack's name")
        families = tuple(self._family(each) for each in self._list(fields.get("families"), "families"))
        language = self._optional(fields.get("language"), "language")
        sources = self._list(fields.get("sources"), "sources")
        texts = tuple(self._text(each, each, "a source") for each in sources)
        return Draft(name, families, language, texts, tuple(self.faults))

    def _family(self, node: Node) -> Family:
        fields = self._fields(node, "a family", ("name", "members"), ())
        members = tuple(self._member(each) for each in self._list(fields.get("members"), "members"))
        name = self._text(fields.get("name"), node, "a family's name")
        return Family(node.line, name, members, spoilt="members" not in fields)

    def _member(self, node: Node) -> Member:
        if isinstance(node.value, str):
            return Member(Text(node.line, node.value))
        fields = self._fields(node, "a member", ("name",), ("picture", "fact"))
        if not isinstance(node.value, dict):
            return Member(Text(node.line, "", spoilt=True))
        name = self._text(fields.get("name"), node, "a member's name")
        return Member(
            name, self._optional(fields.get("picture"), "picture"), self._optional(fields.get("fact"), "fact")
        )

    def _fields(self, node: Node, what: str, needed: tuple[str, ...], allowed: tuple[str, ...]) -> dict[str, Node]:
        if not isinstance(node.value, dict):
            self._fault(node.line, "wrong_type", f"{what} is an object with {', '.join(needed)}")
            return {}
        for key in node.doubled:
            self._fault(node.line, "doubled_field", f"{what} has {key!r} more than once")
        for key, each in node.value.items():
            if key not in needed + allowed:
                self._fault(each.line, "unknown_field", f"{what} has no {key!r}; it has {', '.join(needed + allowed)}")
        for key in needed:
            if key not in node.value:
                self._fault(node.line, "no_name" if key == "name" else "no_field", f"{what} has no {key!r}")
        return node.value

    def _list(self, node: Node | None, what: str) -> tuple[Node, ...]:
        if node is None:
            return ()
        if isinstance(node.value, tuple):
            return node.value
        self._fault(node.line, "wrong_type", f"{what!r} is a list")
        return ()

    def _optional(self, node: Node | None, what: str) -> Text | None:
        return None if node is None or node.value is None else self._text(node, node, what)

    def _text(self, node: Node | None, parent: Node, what: str) -> Text:
        if node is None:
            return Text(parent.line, "", spoilt=True)
        if not isinstance(node.value, str):
            self._fault(node.line, "wrong_type", f"{what} is text")
            return Text(node.line, "", spoilt=True)
        return Text(node.line, node.value)

    def _fault(self, line: int, code: str, words: str) -> None:
        self.faults.append(Fault(line, code, words))
