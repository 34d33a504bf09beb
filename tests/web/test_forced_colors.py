"""The few colours of a high-contrast system: every part still has its edge, and what is chosen looks different."""

import pytest

from tests.web.conftest import Visitor
from tests.web.looks import accessible
from tests.web.screens import LOOKED_AT, SCREENS
from tests.web.stage import Stage
from tests.web.test_screens import show


@pytest.mark.parametrize("name", LOOKED_AT)
def test_every_part_has_an_edge_and_axe_finds_nothing(name: str, stage: Stage, visit: Visitor) -> None:
    page = show(SCREENS[name], stage, visit, forced_colors="active").page
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    for width, height in ((390, 844), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(_EDGELESS) == []
        assert page.evaluate(_ALIKE) == []
        assert page.evaluate(_UNSEEN) == []
    accessible(page, "forced colours", "light")


_EDGELESS = """() => [...document.querySelectorAll(
    ".card, .btn:not(.bare, .icon), .call, .cell, .box, .field, .pick, .token, .signal, .sheet, .says, .teamb, .done",
)].filter((one) => {
    const { borderTopWidth, borderTopStyle, borderTopColor, backgroundColor, opacity } = getComputedStyle(one);
    const edged = parseFloat(borderTopWidth) > 0 && borderTopStyle !== "none" && borderTopColor !== backgroundColor;
    return one.getClientRects().length > 0 && opacity !== "0" && !edged && !one.matches(".says");
}).map((one) => one.className)"""
"""What has no border that can be seen; colours of grounds and shadows are gone."""

_ALIKE = """() => [
    ...document.querySelectorAll("[aria-pressed=true]:not(.sign *), .seg label:has(:checked)"),
].filter((one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return one.getClientRects().length > 0 && !(outlineStyle !== "none" && parseFloat(outlineWidth) >= 2);
}).map((one) => one.className)"""
"""What is chosen and looks like the rest."""

_UNSEEN = """() => [...document.querySelectorAll(".token .g, .score .g")].filter((one) => {
    const ground = document.body.appendChild(document.createElement("i"));
    ground.style.setProperty("color", "Canvas");
    const canvas = getComputedStyle(ground).color;
    ground.remove();
    return one.getClientRects().length > 0 && getComputedStyle(one).fill === canvas;
}).map((one) => one.parentElement.className)"""
"""Figures in the colour of their ground."""
