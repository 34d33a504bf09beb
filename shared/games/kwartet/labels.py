"""What a name, a fact and a picture in a pack may be, and when two names are the same."""

import unicodedata
from collections.abc import Iterator

import regex
from msgspec import Struct

_GRAPHEME = regex.compile(r"\X")
_PNG = regex.compile(r"sha256:[0-9a-f]{64}")
_EMOJI = regex.compile(r"[\p{Extended_Pictographic}\p{Regional_Indicator}]|[0-9#*]\ufe0f?\u20e3")
_LANGUAGE = regex.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}")
_UNSEEN = ("Cc", "Cf", "Mn", "Me", "Zs", "Zl", "Zp")
_TURNS_TEXT = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
CODE_POINTS_A_GRAPHEME = 4
"""So many code points a grapheme on average: enough for every script, too few for a tower of marks."""


class Flaw(Struct, frozen=True):
    """What is wrong with a text: a code and words."""

    code: str
    words: str


def same(text: str) -> str:
    """Two names are the same if this is equal: NFC, case folded, trimmed (K-PACK-3)."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text.strip()).casefold())


def tidy(text: str) -> str:
    """A text as it is kept: trimmed and NFC, so that equal packs have equal hashes."""
    return unicodedata.normalize("NFC", text.strip())


def flaws(text: str, what: str, graphemes_max: int) -> Iterator[Flaw]:
    """Everything that is wrong with a name or a fact."""
    if all(unicodedata.category(each) in _UNSEEN for each in text):
        yield Flaw("no_name", f"{what} is empty")
    if any(each in "<>" for each in text):
        yield Flaw("markup", f"{what} holds < or >; markup is not allowed")
    if any(_steers(each) for each in text.strip()):
        yield Flaw("control", f"{what} holds a control character")
    length = len(_GRAPHEME.findall(text))
    if length > graphemes_max or len(text) > CODE_POINTS_A_GRAPHEME * graphemes_max:
        yield Flaw("too_long", f"{what} has {length} characters; at most {graphemes_max}")


def is_picture(text: str) -> bool:
    """One emoji, or a PNG by its hash (K-PACK-4)."""
    one = len(text) <= 16 and _GRAPHEME.fullmatch(text) is not None and _EMOJI.match(text) is not None
    return one or is_png(text)


def is_png(text: str) -> bool:
    """A PNG that is kept beside the packs, by its hash."""
    return _PNG.fullmatch(text) is not None


def is_language(text: str) -> bool:
    """A BCP 47 tag, by its shape."""
    return _LANGUAGE.fullmatch(text) is not None


def _steers(each: str) -> bool:
    return unicodedata.category(each) in ("Cc", "Cs", "Zl", "Zp") or each in _TURNS_TEXT
