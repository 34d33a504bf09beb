"""Chance to the byte (T-CHANCE-1): the vectors, which another language could use too, and that nothing is favoured.

The vectors were made by another program, written from the rulings alone.
"""

import json
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.games.quatro.cards import Replaced, deal, draw_sign
from shared.shuffle import Stream, commitment, entropy_hash, round_key
from tests.rules import case, rule

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / "vectors" / "shuffle.json").read_text("utf-8"))
TABLE: str = VECTORS["table"]
CHI_SQUARE_MAX = 520.0
"""The 99.99 % point of chi-square with 361 degrees of freedom (20 places by 20 cards) is 465; this is well above."""


def stream(vector: dict[str, Any], label: str = "") -> Stream:
    return Stream(bytes.fromhex(vector["key"]), label or vector["label"])


@rule("T-CHANCE-1")
@pytest.mark.parametrize("vector", VECTORS["commitments"])
def test_commitments(vector: dict[str, Any]) -> None:
    assert commitment(bytes.fromhex(vector["house"]), TABLE, vector["round"]).hex() == vector["commitment"]


@rule("T-CHANCE-1")
@pytest.mark.parametrize("vector", VECTORS["entropy"])
def test_entropy_hashes(vector: dict[str, Any]) -> None:
    entropy = bytes.fromhex(vector["entropy"])
    assert entropy_hash(TABLE, vector["round"], vector["seat"], entropy).hex() == vector["hash"]


@rule("T-CHANCE-1")
@pytest.mark.parametrize("vector", VECTORS["keys"])
def test_keys(vector: dict[str, Any]) -> None:
    entropy = [None if shown is None else bytes.fromhex(shown) for shown in vector["entropy"]]
    assert round_key(bytes.fromhex(vector["house"]), TABLE, vector["round"], entropy).hex() == vector["key"]


@rule("T-CHANCE-1")
@pytest.mark.parametrize("vector", VECTORS["draws"])
def test_draws(vector: dict[str, Any]) -> None:
    numbers = stream(vector)
    assert [numbers.draw(vector["n"]) for _ in vector["draws"]] == vector["draws"]


@rule("T-CHANCE-1")
@pytest.mark.parametrize("vector", VECTORS["shuffles"])
def test_shuffles(vector: dict[str, Any]) -> None:
    assert stream(vector).shuffle(range(vector["size"])) == vector["order"]


@rule("T-CHANCE-1", "Q-DEAL-2", "Q-SIGN-4", "Q-SIGN-5")
@pytest.mark.parametrize("vector", VECTORS["quatro"])
def test_deals_of_quatro_with_their_redeals_and_drawn_signs(vector: dict[str, Any]) -> None:
    dealt = deal(stream(vector), vector["seats"])
    assert [list(hand) for hand in dealt.hands] == vector["hands"]
    assert list(dealt.centre) == vector["centre"]
    assert dealt.replaced == tuple(Replaced(seat, times) for seat, times in vector["replaced"])
    for sign in vector["signs"]:
        assert draw_sign(stream(vector, f"sign/{sign['team']}"), sign["last"]) == sign["drawn"]


@rule("T-CHANCE-1", "K-DEAL-1")
@pytest.mark.parametrize("vector", VECTORS["kwartet"])
def test_the_dealer_and_the_pack_of_kwartet(vector: dict[str, Any]) -> None:
    numbers = stream(vector, "deal/0")
    assert numbers.draw(vector["players"]) == vector["dealer"]
    pack = [f"{family} {member}" for family in ["7", "8", "9", "10", "J", "Q", "K", "A"] for member in "SHDC"]
    assert numbers.shuffle(pack) == vector["pack"]


@rule("T-CHANCE-1")
def test_house_bytes_and_players_bytes_bind_table_round_and_seat() -> None:
    other = TABLE[:-1] + "2"
    house, entropy = bytes(32), bytes(16)
    hashes = {commitment(house, table, number) for table in (TABLE, other) for number in (1, 2)}
    assert len(hashes) == 4
    hashes = {entropy_hash(t, r, seat, entropy) for t in (TABLE, other) for r in (1, 2) for seat in (0, 1)}
    assert len(hashes) == 8
    keys = {
        round_key(house, t, r, e) for t in (TABLE, other) for r in (1, 2) for e in ((entropy, None), (None, entropy))
    }
    assert len(keys) == 8


@rule("T-CHANCE-1")
@given(key=st.binary(min_size=32, max_size=32), things=st.lists(st.integers(), max_size=40))
def test_a_shuffle_loses_and_doubles_nothing_and_is_the_same_again(key: bytes, things: list[int]) -> None:
    shuffled = Stream(key, "deal/0").shuffle(things)
    assert Counter(shuffled) == Counter(things)
    assert Stream(key, "deal/0").shuffle(things) == shuffled


@rule("T-CHANCE-1")
@given(key=st.binary(min_size=32, max_size=32), n=st.integers(1, 2**32))
def test_a_draw_is_below_its_bound(key: bytes, n: int) -> None:
    numbers = Stream(key, "x")
    assert all(0 <= numbers.draw(n) < n for _ in range(5))


@rule("T-CHANCE-1")
@case("C-22")
def test_no_card_prefers_a_place() -> None:
    """Chi-square over place and card, of a fixed 4,000 shuffles: it is the same number on every machine."""
    shuffles, size = 4_000, 20
    counts = Counter[tuple[int, int]]()
    for number in range(shuffles):
        order = Stream(sha256(b"chi/%d" % number).digest(), "deal/0").shuffle(range(size))
        counts.update(enumerate(order))
    expected = shuffles / size
    chi_square = sum((counts[place, card] - expected) ** 2 / expected for place in range(size) for card in range(size))
    assert chi_square < CHI_SQUARE_MAX


@rule("T-CHANCE-1")
def test_other_labels_and_keys_give_other_streams() -> None:
    key = bytes(32)
    first = {tuple(Stream(key, label).shuffle(range(30))) for label in ("deal/0", "deal/1", "sign/0", "sign/1")}
    assert len(first) == 4
