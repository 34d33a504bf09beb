"""Which names people may take (C-23): what is refused is refused at the edge, in words."""

import unicodedata

import regex

GRAPHEMES_MAX = 24
BYTES_MAX = 192

_GRAPHEME = regex.compile(r"\X")
_JOINERS = "\u200c\u200d"
_LINES = {"Zl", "Zp"}
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols that are drawn as nothing."""


class BadName(Exception):
    """A name nobody can have; its text says why, to people."""


def checked(name: str) -> str:
    """The name as it is kept: NFC, spaces at the ends gone. Raises BadName."""
    categories = {unicodedata.category(character) for character in name}
    if "Cs" in categories:
        raise BadName("A name can't hold half a character (a lone surrogate).")
    if "Cc" in categories or categories & _LINES:
        raise BadName("A name can't hold control characters or line breaks.")
    kept = unicodedata.normalize("NFC", name).strip()
    if any(unicodedata.category(character) == "Cf" and character not in _JOINERS for character in kept):
        raise BadName("A name can't hold invisible characters or ones that turn the direction of writing.")
    if not any(unicodedata.category(character)[0] in "LNPS" and character not in _BLANK for character in kept):
        raise BadName("A name needs something that can be seen.")
    if len(_GRAPHEME.findall(kept)) > GRAPHEMES_MAX:
        raise BadName(f"A name has at most {GRAPHEMES_MAX} characters.")
    if len(kept.encode()) > BYTES_MAX:
        raise BadName(f"A name has at most {BYTES_MAX} bytes.")
    return kept
