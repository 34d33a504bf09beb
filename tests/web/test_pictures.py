"""PNG pictures for a pack of one's own: sent along with it, shown before the game, and refused in words (K-PACK-4)."""

import io
import os
from typing import Any

from PIL import Image
from playwright.sync_api import expect

from tests.rules import rule
from tests.web.conftest import Visitor
from tests.web.house import House
from tests.web.packs import OWN, choose_kwartet, file_of, json_of, load_all

_ROWS = [(family, member) for family, four in OWN.items() for member in four]
ILLUSTRATED = "family,member,picture\n" + "".join(
    f"{family},{member},{'Fox.PNG' if member == 'Fox' else 'crab.png' if member == 'Crab' else ''}\n"
    for family, member in _ROWS
)


def _png(noise: int = 8, side: int = 64) -> bytes:
    """A square with a field of noise, which no packing makes smaller."""
    picture = Image.new("RGB", (side, side), "#c0152f")
    picture.paste(Image.frombytes("RGB", (noise, noise), os.urandom(3 * noise * noise)))
    written = io.BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()


@rule("K-PACK-4")
def test_pictures_come_along_with_the_pack_that_names_them_and_are_seen_before_the_game(
    house: House, visit: Visitor
) -> None:
    ada = visit(house.url).come()
    choose_kwartet(ada)
    load_all(ada, [file_of("fox.png", _png()), file_of("own.csv", ILLUSTRATED.encode()), file_of("crab.png", _png(4))])
    page = ada.page
    expect(page.locator("h1")).to_have_text("Own")
    expect(page.locator(".ftile img.png")).to_have_count(2)
    for picture in page.locator(".ftile img.png").all():
        ada.until(lambda picture=picture: picture.evaluate("one => one.naturalWidth") == 64, "the picture")  # type: ignore[misc]
    expect(page.locator(".pngs li")).to_have_text(["fox.png", "crab.png"])
    page.get_by_role("button", name="Play with it").click()
    expect(page.locator(".packchoice")).to_contain_text("Own")


@rule("K-PACK-4")
def test_what_is_wrong_with_a_picture_is_said_and_it_can_be_brought_afterwards(house: House, visit: Visitor) -> None:
    ada = visit(house.url)
    ada.reconnects = True  # what is refused is on the browser's console
    ada.come()
    choose_kwartet(ada)
    large, text = file_of("fox.png", _png(noise=128, side=128)), file_of("crab.png", b"no picture at all")
    load_all(ada, [large, text, file_of("wide.png", _png(side=1025)), file_of("own.csv", ILLUSTRATED.encode())])
    page = ada.page
    bad = page.locator(".pngs .bad")
    expect(bad).to_have_count(3)
    expect(bad.nth(0)).to_contain_text("KB is too large: at most 32 KB.")
    expect(bad.nth(1)).to_contain_text("This is no PNG that can be read.")
    expect(bad.nth(2)).to_contain_text("Too many pixels: at most 1024 a side.")
    expect(page.locator("h1")).to_have_text("Two things to mend in “Own”")
    expect(page.locator(".src .bad").first).to_contain_text("Forest,Fox,Fox.PNG")
    expect(page.locator(".src .bad").first).to_contain_text("the name of a PNG that is chosen along with this file")
    load_all(ada, [file_of("fox.png", _png()), file_of("crab.png", _png())])
    expect(page.locator("h1")).to_have_text("Own")
    expect(page.locator(".ftile img.png")).to_have_count(2)


def test_a_json_pack_names_pictures_too_and_one_without_any_is_as_it_was(house: House, visit: Visitor) -> None:
    ada = visit(house.url).come()
    choose_kwartet(ada)
    members = ["Oak", "Elm", "Ash", {"name": "Yew", "picture": "yew.png"}]
    families = [{"name": "Trees", "members": members}, {"name": "Herbs", "members": ["Dill", "Mint", "Sage", "Rue"]}]
    pack: dict[str, Any] = {"name": "Green", "families": families}
    load_all(ada, [file_of("green.json", json_of(pack).encode()), file_of("yew.png", _png())])
    expect(ada.page.locator("h1")).to_have_text("Green")
    expect(ada.page.locator(".ftile img.png")).to_have_count(1)
