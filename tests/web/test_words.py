"""Every text in every language: none missing, none left over, the same places for values."""

import json
import re

import pytest

from services.gateway.web import BUNDLES, ROOT, public_files

LANGUAGES = ("en", "nl", "fr")
_KEYED = re.compile(r"""\b(?:t|shout|say)\(\s*"([a-z][\w.]*)""")
_NAMED = re.compile(r'"([a-z]\w*(?:\.[\w-]+)+)"')
_CODED = re.compile(r"""\bcoded\(\s*"([a-z][\w.]*)\"""")
_MADE = re.compile(r"`([a-z]\w*(?:\.\w+)*)\.\$\{")


def words(language: str) -> dict[str, str]:
    """One language's texts, those of the dispute room too."""
    read: dict[str, str] = {}
    for file in (ROOT / "i18n" / f"{language}.json", ROOT / "audit" / f"words.{language}.json"):
        read.update(json.loads(file.read_text()))
    return read


def source() -> str:
    """All modules of ours in one text."""
    ours = (
        path
        for name, path in public_files().items()
        if name.endswith(".js") and not name.startswith(("vendor/", f"{BUNDLES}/"))
    )
    return "\n".join(path.read_text() for path in ours)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_language_has_the_same_texts(language: str) -> None:
    assert list(words(language)) == list(words("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty_and_each_has_the_places_for_values_of_the_english_one(language: str) -> None:
    english = words("en")
    for key, text in words(language).items():
        assert text.strip(), key
        assert set(re.findall(r"\{(\w+)", text)) == set(re.findall(r"\{(\w+)", english[key])), key


def test_every_text_that_the_client_asks_for_exists() -> None:
    known = words("en")
    asked = set(_KEYED.findall(source()))
    assert {key for key in asked if key not in known} == set()


def test_no_text_is_left_over() -> None:
    text = source()
    named = set(_KEYED.findall(text)) | set(_NAMED.findall(text))
    made = tuple(
        f"{prefix}."
        for prefix in (*_MADE.findall(text), *_CODED.findall(text), "refused", "fault", "end", "phase", "key", "house")
    )
    assert {key for key in words("en") if key not in named and not key.startswith(made)} == set()
