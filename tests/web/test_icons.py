"""The icons stand in one file, and every page that is served has them."""

import re

import pytest

from services.gateway.http.pages import PAGES
from services.gateway.web import SPRITE, content, public_files

_NAMED = re.compile(r'(?:<\$\{(?:Icon|Glyph)\}|icon)[^>]*?name="([a-z]+)"')


@pytest.mark.parametrize("page", PAGES.values())
def test_every_icon_that_a_module_names_is_in_the_page(page: str) -> None:
    text = content(public_files()[page]).decode()
    there = re.findall(r'<symbol id="([a-z]+)"', text)
    assert len(there) == len(set(there)), "an icon twice"
    modules = (path.read_text() for name, path in public_files().items() if name.endswith(".js"))
    named = {name for module in modules for name in _NAMED.findall(module)}
    assert {"menu", "back"} <= named
    assert named <= set(there)


def test_the_icons_are_no_page_of_their_own_and_no_page_lacks_them() -> None:
    assert "sprite.html" not in public_files()
    pages = [path for name, path in public_files().items() if name.endswith(".html")]
    assert all(path.read_bytes().count(SPRITE) == 1 for path in pages)
    assert all(SPRITE not in content(path) for path in pages)
