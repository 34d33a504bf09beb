"""Bots at one table have different names, which are the same wherever they are asked for."""

from hypothesis import given
from hypothesis import strategies as st

from shared.table.botnames import BOT_NAMES, bot_names

IDS = st.sets(st.uuids().map(str), min_size=1, max_size=8)


@given(IDS)
def test_no_two_at_a_table_share_a_name_and_the_order_of_the_seats_makes_no_difference(bots: set[str]) -> None:
    names = bot_names(bots)
    assert len(set(names.values())) == len(names) == len(bots)
    assert bot_names(sorted(bots, reverse=True)) == names
    assert set(names.values()) <= set(BOT_NAMES)


@given(IDS, IDS)
def test_who_has_a_name_keeps_it_when_others_come(first: set[str], second: set[str]) -> None:
    before = bot_names(first)
    after = bot_names(first | second, before)
    assert all(after[bot] == name for bot, name in before.items())
    assert len(set(after.values())) == len(first | second)
