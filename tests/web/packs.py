"""A pack of one's own, and how it is brought to the page of packs."""

import json
from typing import Any

from playwright.sync_api import expect

from tests.web.person import Person

OWN = {
    "Forest": ("Fox", "Owl", "Deer", "Boar"),
    "Sea": ("Crab", "Shark", "Whale", "Octopus"),
    "Farm": ("Cow", "Pig", "Sheep", "Goat"),
    "Pond": ("Swan", "Frog", "Duck", "Newt"),
}
CSV = "family,member\n" + "".join(f"{family},{member}\n" for family, four in OWN.items() for member in four)


def choose_kwartet(ada: Person) -> None:
    """From the start page to the page of packs."""
    ada.page.get_by_label("Your name").fill("Ada")
    ada.page.locator(".box", has_text="Kwartet").click()
    ada.page.locator(".packchoice").click()
    expect(ada.page.locator(".packb").first).to_be_visible()


def load(ada: Person, name: str, text: str) -> None:
    """Chooses one file."""
    load_all(ada, [file_of(name, text.encode())])


def load_all(ada: Person, files: list[Any]) -> None:
    """Chooses files together."""
    ada.page.locator("input[type=file]").set_input_files(files)


def file_of(name: str, content: bytes) -> Any:
    """A file as playwright takes it; what it is follows from its name."""
    kind = {"json": "application/json", "csv": "text/csv", "png": "image/png"}[name.lower().rpartition(".")[2]]
    return {"name": name, "mimeType": kind, "buffer": content}


def json_of(value: object) -> str:
    """Indented, so that each picture has a line of its own."""
    return json.dumps(value, indent=1)
