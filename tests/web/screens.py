"""Every screen that can be looked at, by name; and the few that stand for the rest in `make test`."""

import os

from tests.web import test_kwartet_screens as kwartet
from tests.web import test_screens as quatro

SCREENS = {**quatro.SCREENS, **{f"kwartet, {name}": screen for name, screen in kwartet.SCREENS.items()}}
FEW = 4
"""One in so many, but a sheet, a stop and a table of eight among them; `make looks` shows them all."""
NEVER_LEFT_OUT = ("playing 8", "stop", "house rules", "kwartet, help")

LOOKED_AT = [
    name
    for number, name in enumerate(SCREENS)
    if os.environ.get("QUARTET_EVERY_SCREEN") or number % FEW == 0 or name in NEVER_LEFT_OUT
]
