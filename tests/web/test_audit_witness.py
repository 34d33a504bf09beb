"""Every browser is a witness: it keeps the newest checkpoint, and a log that contradicts it is found and said."""

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page, expect

from services.gateway.web import verify_bundle as verifier
from shared.proof import merkle
from tests.web.conftest import Enter
from tests.web.disputed import ADA, Disputed, ask, played
from tests.web.engine import is_consistent
from tests.web.house import House
from tests.web.looks import accessible
from tests.web.person import Person

SIZES = range(1, 18)
Case = tuple[int, bytes, int, bytes, Sequence[bytes]]
NEWEST = "fetch('/checkpoint').then((answer) => answer.text())"
SAW = "note => import('/audit/witness.js').then((witness) => witness.saw(note))"


def stored(page: Page, name: str) -> Any:
    """What the browser keeps under this name."""
    return page.evaluate("name => JSON.parse(localStorage.getItem(name))", f"quartet.{name}")


def size(note: str) -> int:
    """How many rounds a checkpoint has."""
    return int(note.split("\n")[1])


def at_the_table(enter: Enter, dispute: Disputed) -> Person:
    """Ada at her table, in the break."""
    ada = enter(ADA, f"/#{dispute.table}")
    expect(ada.page.get_by_role("link", name="Look back")).to_be_visible()
    return ada


def keeps(ada: Person, least: int) -> str:
    """The checkpoint that the browser keeps, once it has so many rounds."""
    ada.until(lambda: bool(stored(ada.page, "checkpoints")), "a checkpoint to be kept")
    ada.until(lambda: size(stored(ada.page, "checkpoints")[0]) >= least, f"one of {least} rounds")
    return str(stored(ada.page, "checkpoints")[0])


def test_the_newest_checkpoint_is_kept_and_the_next_contains_it(enter: Enter, dispute: Disputed, house: House) -> None:
    ada = at_the_table(enter, dispute)
    first = keeps(ada, 1)
    keys = [verifier.Key.parse(key) for key in ask(house.url, "GET", "/keys")["keys"]]
    assert verifier.read_checkpoint(first, keys).size == size(first)
    played(house.url)
    newest = str(ada.page.evaluate(NEWEST))
    assert size(newest) > size(first)
    ada.page.evaluate(SAW, newest)
    keeps(ada, size(newest))
    assert stored(ada.page, "contradiction") is None
    ada.come("/audit")
    expect(ada.page.get_by_text("This browser bears witness: it holds a checkpoint of")).to_be_visible()


def test_a_log_that_was_rewritten_contradicts_what_the_browser_holds(
    enter: Enter, dispute: Disputed, house: House
) -> None:
    lie = house.lie(1)
    ada = enter(ADA, "/audit")
    expect(ada.page.locator(".found")).to_have_count(3)
    ada.page.evaluate("lie => localStorage.setItem('quartet.checkpoints', JSON.stringify([lie]))", lie)
    ada.come(f"/#{dispute.table}")
    ada.until(lambda: stored(ada.page, "contradiction") is not None, "the contradiction to be found")
    expect(ada.page.get_by_text("contradicts what this browser saw before").first).to_be_visible()
    ada.hears("contradicts what this browser saw before")
    assert stored(ada.page, "contradiction")["before"] == lie
    assert stored(ada.page, "checkpoints") == [lie]
    ada.come("/audit")
    expect(ada.page.get_by_role("alert")).to_contain_text("The log was rewritten")
    accessible(ada.page, "contradiction", "dark")
    with ada.page.expect_download() as saved:
        ada.page.get_by_role("link", name="Save both").click()
    text = saved.value.path().read_text()
    assert lie in text
    assert stored(ada.page, "contradiction")["after"] in text


def test_the_browser_verifies_consistency_as_the_service_proves_it() -> None:
    leaves = [merkle.leaf_hash(b"round %d" % n) for n in SIZES]
    roots = {size: merkle.root(leaves[:size]) for size in SIZES}
    pairs = [(old, new) for old in SIZES for new in SIZES if old <= new]
    cases: list[Case] = [
        (old, roots[old], new, roots[new], merkle.consistency(leaves[:new], old)) for old, new in pairs
    ]
    assert is_consistent(cases) == [True] * len(cases)
    wrong: list[Case] = [(old, bytes(32), new, second, proof) for old, _, new, second, proof in cases]
    wrong += [(old, first, new, bytes(32), proof) for old, first, new, _, proof in cases]
    wrong += [(old, first, new, second, [*proof, bytes(32)]) for old, first, new, second, proof in cases]
    wrong += [(old, first, new, second, proof[:-1]) for old, first, new, second, proof in cases if proof]
    wrong += [(new, second, old, first, proof) for old, first, new, second, proof in cases if old < new]
    assert is_consistent(wrong) == [False] * len(wrong)
