"""Which rule of the rule books, and which case from the field, a test is about: `@rule("Q-SWAP-2")`, `@case("C-03")`.
As `marks=rule(...)` they cite for one row of a table of cases."""

from collections.abc import Iterable
from pathlib import Path

import pytest

RULE_IDS = frozenset(Path(__file__).with_name("rule_ids.txt").read_text().split())
CASE_IDS = frozenset(f"C-{number:02}" for number in range(1, 28))


def rule(*ids: str) -> pytest.MarkDecorator:
    """The test cites these rules. Raises ValueError for a number that no rule book has."""
    _known(ids, RULE_IDS)
    return pytest.mark.rule(*ids)


def case(*ids: str) -> pytest.MarkDecorator:
    """The test holds what these cases from the field ask. Raises ValueError for an unknown one."""
    _known(ids, CASE_IDS)
    return pytest.mark.case(*ids)


def cited(items: Iterable[pytest.Item]) -> frozenset[str]:
    """Every rule that these collected tests cite."""
    return frozenset(str(name) for item in items for mark in item.iter_markers("rule") for name in mark.args)


def _known(ids: tuple[str, ...], known: frozenset[str]) -> None:
    unknown = [name for name in ids if name not in known]
    if unknown:
        raise ValueError(f"no such number: {', '.join(unknown)}")
