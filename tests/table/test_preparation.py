"""Getting ready, chance, and the break: T-PREP-1, T-CHANCE, Q-TIME-2."""

import hashlib
from typing import Any

from shared.kernel import HOUSE
from shared.shuffle import commitment, entropy_hash, round_key
from shared.table.commands import AddBot, CommitEntropy, EndBreak, Leave, Ready, Sit, StartGame
from shared.table.view import news, public
from tests.rules import case, rule
from tests.table.desk import TABLE, Desk, S, code, kinds
from tests.table.scenes import awarded, over, playing, preparing, ready, run, seating, stopped

BYTES = bytes(range(16))


def hash_of(seat: int, entropy: bytes = BYTES, round: int = 1) -> CommitEntropy:
    return CommitEntropy(entropy_hash(TABLE, round, seat, entropy).hex())


@rule("T-PREP-1", "T-AWARD-1")
def test_the_preparation_is_the_first_record_of_round_1_and_begins_at_the_start() -> None:
    desk = seating()
    desk.send("ann", StartGame())
    assert desk.records[-1].round == 0
    desk.wait(0)
    first = desk.records[-1]
    assert (type(first.command).__name__, first.round, first.by, first.at) == ("Prepare", 1, HOUSE, desk.now)
    assert desk.s.phase == "preparing"


@rule("T-PREP-1")
def test_the_round_opens_when_every_seat_is_ready() -> None:
    desk = preparing(3)
    desk.wait(3 * S)
    desk.send("ann", Ready())
    desk.send("bob", Ready())
    desk.wait(S)
    assert desk.s.phase == "preparing"
    desk.send("cas", Ready())
    desk.catch_up()
    assert (desk.s.phase, desk.records[-1].at) == ("playing", desk.now)


@rule("T-PREP-1")
def test_the_round_opens_after_30_s_whoever_is_ready() -> None:
    desk = preparing()
    began = desk.now
    desk.disconnect("bob")
    desk.send("ann", Ready())
    desk.wait(40 * S)
    opened = next(record for record in desk.records if type(record.command).__name__ == "Open")
    assert opened.at == began + 30 * S


@rule("T-PREP-1")
def test_a_ready_at_the_very_end_of_the_preparation_comes_too_late() -> None:
    desk = preparing()
    desk.now += 30 * S - 1
    assert kinds(desk.send("ann", Ready())) == ["ReadySaid"]
    desk.now += 1
    assert code(desk.send("bob", Ready())) == "not_preparing"


@rule("T-PREP-1")
def test_bots_and_empty_seats_are_ready_at_once() -> None:
    desk = Desk().create()
    desk.send("ann", AddBot(1))
    desk.send("ann", StartGame())
    desk.catch_up()
    assert [seat["ready"] for seat in _seats(desk)] == [False, True]
    desk.send("ann", Ready())
    desk.catch_up()
    assert desk.s.phase == "playing"


@rule("T-PREP-1")
def test_ready_can_not_be_taken_back_or_said_twice() -> None:
    desk = preparing()
    desk.send("ann", Ready())
    assert code(desk.send("ann", Ready())) == "already_ready"


@rule("T-PREP-1")
def test_ready_outside_preparation_and_break_is_refused() -> None:
    for desk in (seating(), playing(), stopped(), over()):
        assert code(desk.send("ann", Ready())) == "not_preparing"
        assert code(desk.send("ann", hash_of(0))) == "not_preparing"


@rule("T-CHANCE-1")
def test_the_house_is_committed_when_the_preparation_begins_and_says_no_more_until_the_award() -> None:
    desk = preparing()
    prepare = desk.records[-1].command
    secret = bytes.fromhex(prepare.house)
    seen = public(desk.s, {}, 0)
    assert seen["commitment"] == commitment(secret, TABLE, 1).hex()
    for state, record in zip(desk.states, desk.records, strict=True):
        assert prepare.house not in str(public(state, {}, 0)) + str(news(state, record, None))


@rule("T-CHANCE-1")
def test_the_key_follows_from_the_house_and_the_bytes_that_were_committed_and_revealed() -> None:
    desk = preparing(3)
    desk.send("bob", hash_of(1))
    desk.send("cas", hash_of(2))
    house = desk.s.house
    desk.send("ann", Ready("ff" * 16))
    desk.send("bob", Ready(BYTES.hex()))
    desk.send("cas", Ready())
    desk.catch_up()
    assert house is not None
    assert desk.s.table.key == round_key(house, TABLE, 1, (None, BYTES, None))


@rule("T-CHANCE-1")
def test_all_see_each_hash_as_it_comes_and_nobody_sees_the_bytes() -> None:
    desk = preparing()
    desk.send("bob", hash_of(1))
    assert public(desk.s, {}, 0)["commitments"] == [None, hash_of(1).hash]
    assert news(desk.s, desk.records[-1], None) == [{"type": "EntropyCommitted", "seat": 1, "hash": hash_of(1).hash}]
    desk.send("bob", Ready(BYTES.hex()))
    assert BYTES.hex() not in str(public(desk.s, {}, 0)) + str(news(desk.s, desk.records[-1], None))


@rule("T-CHANCE-1")
def test_bytes_must_fit_what_was_committed_for_this_table_round_and_seat() -> None:
    desk = preparing()
    desk.send("ann", hash_of(1))
    assert code(desk.send("ann", Ready(BYTES.hex()))) == "entropy_unfit"
    desk.send("bob", hash_of(1, round=2))
    assert code(desk.send("bob", Ready(BYTES.hex()))) == "entropy_unfit"
    assert kinds(desk.send("bob", Ready())) == ["ReadySaid"]


@rule("T-CHANCE-1")
def test_the_first_ready_of_any_human_closes_commitments() -> None:
    desk = preparing(3)
    desk.send("ann", hash_of(0))
    assert code(desk.send("ann", hash_of(0))) == "commitments_closed"
    desk.send("bob", Ready())
    assert code(desk.send("cas", hash_of(2))) == "commitments_closed"


@rule("T-CHANCE-1")
def test_bots_bring_no_bytes() -> None:
    desk = Desk().create()
    desk.send("ann", AddBot(1))
    desk.send("ann", StartGame())
    desk.catch_up()
    bot = desk.s.table.seats[1].player
    assert bot is not None
    assert code(desk.send(bot, hash_of(1))) == "commitments_closed"
    assert code(desk.send(bot, Ready(BYTES.hex()))) == "already_ready"


@rule("T-CHANCE-1")
def test_who_is_not_ready_in_time_brings_nothing() -> None:
    desk = preparing()
    desk.send("bob", hash_of(1))
    house = desk.s.house
    desk.wait(30 * S)
    assert house is not None
    assert desk.s.table.key == round_key(house, TABLE, 1, (None, None))


@rule("T-CHANCE-2")
@case("C-11")
def test_after_the_award_the_bytes_are_public_and_deal_the_round_again() -> None:
    desk = preparing(target_points=50)
    desk.send("bob", hash_of(1))
    desk.send("ann", Ready())
    desk.send("bob", Ready(BYTES.hex()))
    desk.catch_up()
    key = desk.s.table.key
    run(desk)
    assert public(desk.s, {}, 0)["revealed"] is None
    desk.award()
    revealed: Any = public(desk.s, {}, 0)["revealed"]
    assert revealed["players"] == [None, BYTES.hex()]
    house = bytes.fromhex(revealed["house"])
    assert round_key(house, TABLE, 1, (None, BYTES)) == key


@rule("T-CHANCE-1")
def test_the_commitment_is_the_hash_that_the_rulings_spell_out() -> None:
    house = bytes(32)
    told = hashlib.sha256(b"quartet/commit/1" + b"\0" + TABLE.encode() + (1).to_bytes(8, "big") + house).digest()
    assert commitment(house, TABLE, 1) == told


@rule("Q-TIME-2")
def test_a_break_ends_by_its_clock_by_the_host_or_with_the_last_connected_humans_ready() -> None:
    desk = awarded()
    began = desk.now
    desk.wait(40 * S)
    ended = next(record for record in desk.records if type(record.command) is EndBreak)
    assert (ended.by, ended.at, ended.round) == (HOUSE, began + 30 * S, 2)

    desk = awarded()
    assert kinds(desk.send("ann", EndBreak())) == ["BreakEnded"]

    desk = awarded(3)
    desk.disconnect("cas")
    assert kinds(desk.send("ann", Ready())) == ["ReadySaid"]
    assert code(desk.send("ann", Ready())) == "already_ready"
    assert kinds(desk.send("bob", Ready())) == ["ReadySaid", "BreakEnded"]


@rule("Q-TIME-2")
def test_a_ready_in_the_break_does_not_count_for_the_preparation() -> None:
    desk = awarded()
    ready(desk)
    assert (desk.s.phase, desk.s.ready) == ("preparing", (False, False))


@rule("Q-TIME-2", "Q-OPEN-1")
def test_the_last_unready_ones_disconnection_opens_and_ends_nothing() -> None:
    desk = awarded()
    desk.send("ann", Ready())
    desk.disconnect("bob")
    desk.wait(S)
    assert desk.s.phase == "break"
    desk = preparing()
    desk.send("ann", Ready())
    desk.disconnect("bob")
    desk.wait(S)
    assert desk.s.phase == "preparing"


@rule("T-SEAT-1")
def test_a_ready_said_in_the_break_moves_along_with_its_player() -> None:
    desk = awarded(3)
    desk.send("cas", Leave())
    desk.send("bob", Ready())
    desk.send("bob", Sit(2))
    assert desk.s.ready == (False, False, True)
    assert [seat["ready"] for seat in _seats(desk)] == [False, False, True]


def test_ending_a_break_needs_one() -> None:
    for desk in (seating(), preparing(), playing(), stopped(), over()):
        assert code(desk.send("ann", EndBreak())) == "not_in_break"


def _seats(desk: Desk) -> Any:
    return public(desk.s, {}, 0)["seats"]
