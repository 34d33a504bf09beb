"""Every rule of the rule books stands above a test."""

from pathlib import Path

import pytest

from shared.games import registry
from tests.rules import RULE_IDS, cited, rule

HERE = Path(__file__).parent
BOOKS = {"quatro": "Q-", "kwartet": "K-"}


def test_every_rule_is_cited_by_a_test(request: pytest.FixtureRequest) -> None:
    if not _whole_suite(request.session):
        pytest.skip("only a part of the suite was collected")
    books = ("T-", *(BOOKS[name] for name in registry.GAMES if name in BOOKS))
    wanted = {name for name in RULE_IDS if name.startswith(books)}
    assert sorted(wanted - cited(request.session.items)) == []


def test_a_rule_that_no_book_has_can_not_be_cited() -> None:
    with pytest.raises(ValueError, match="Q-SWAP-99"):
        rule("Q-SWAP-2", "Q-SWAP-99")


def _whole_suite(session: pytest.Session) -> bool:
    options = session.config.option
    files = set(HERE.rglob("test_*.py"))
    return not options.keyword and not options.markexpr and files <= {item.path for item in session.items}
