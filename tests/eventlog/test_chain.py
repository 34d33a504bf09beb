"""The hash chain, to the byte."""

from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from shared.eventlog.chain import Break, genesis, link, verify_chain
from shared.eventlog.port import Row
from tests.eventlog.rows import rows_of


def test_the_chain_begins_with_the_name_of_the_format_and_the_table() -> None:
    assert genesis("0198").hex() == sha256(b"quartet/10198").hexdigest()


def test_a_link_covers_previous_hash_version_length_and_body_in_that_order() -> None:
    previous = bytes(range(32))
    written = b"\x03" + previous + b"\0\0\0\0\0\0\x01\x02" + b"\0\0\0\x04" + b'{"}"'
    assert link(previous, 258, b'{"}"') == sha256(written).digest()


def test_an_honest_chain_holds_from_any_record_on() -> None:
    rows = rows_of("t", 6)
    assert verify_chain(rows, genesis("t")) is None
    assert verify_chain(rows[3:], rows[2].hash, first_version=4) is None
    assert verify_chain([], genesis("t")) is None


def _changed(rows: list[Row], index: int, **change: Any) -> list[Row]:
    return [*rows[:index], replace(rows[index], **change), *rows[index + 1 :]]


@pytest.mark.parametrize(
    ("tamper", "found"),
    [
        pytest.param(lambda r: _changed(r, 2, body=r[2].body[:-1] + b"!"), Break(3, "hash"), id="a byte changed"),
        pytest.param(lambda r: _changed(r, 4, hash=bytes(32)), Break(5, "hash"), id="a hash changed"),
        pytest.param(lambda r: r[:2] + r[3:], Break(3, "version"), id="a record dropped"),
        pytest.param(lambda r: [*r[:2], r[1], *r[2:]], Break(3, "version"), id="a record doubled"),
        pytest.param(lambda r: [r[1], r[0], *r[2:]], Break(1, "version"), id="two records swapped"),
        pytest.param(lambda r: rows_of("other", 6), Break(1, "hash"), id="another table's records"),
        pytest.param(
            lambda r: [*r[:1], replace(r[1], body=r[2].body), replace(r[2], body=r[1].body), *r[3:]],
            Break(2, "hash"),
            id="two bodies swapped",
        ),
    ],
)
def test_the_first_record_that_does_not_hold_is_named(tamper, found: Break) -> None:  # type: ignore[no-untyped-def]
    assert verify_chain(tamper(rows_of("t", 6)), genesis("t")) == found
