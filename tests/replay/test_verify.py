"""The audit of rows: what is honest holds, and whatever was done to a row is found, with its place and kind."""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from shared.eventlog.chain import genesis, link, verify_chain
from shared.eventlog.port import Row
from shared.games.registry import GAMES
from shared.kernel import Refused
from shared.replay import Fault, Verified, rebuild, records, verify_round
from shared.table import commands as t
from shared.table.boundary import boundary
from shared.table.codec import codec
from shared.table.events import TableResumed
from shared.table.record import encode
from tests.rules import case, rule
from tests.table.desk import TABLE, Desk, S
from tests.table.scenes import awarded, playing, run
from tests.toygame.messages import EndTurn, Grab, Gust, Step, TimeUp


def a_game() -> Desk:
    """Two rounds with refusals, races, presence, a turn that ran out, a time without an owner, an early end."""
    desk = playing(3, target_points=50)
    desk.send("bob", Grab())
    desk.send("cas", Grab())
    desk.send("bob", Step(1))
    desk.disconnect("cas")
    desk.wait(11 * S)
    desk.sleep(15 * S)
    desk.connect("cas")
    run(desk)
    desk.send("ann", Step(2))
    desk.award()
    desk.send("eve", t.Sit(0))
    desk.send("ann", t.EndBreak())
    desk.catch_up()
    for player in ("ann", "bob", "cas"):
        desk.send(player, t.Ready())
    desk.wait(200 * S)
    desk.award()
    return desk


GAME = a_game()
READ = codec(GAMES["dash"])
VERSIONS = range(1, len(GAME.rows) + 1)


def chained(bodies: list[bytes]) -> list[Row]:
    """Rows with these bodies and a chain that holds: what a forger who can rewrite everything would leave."""
    head, forged = genesis(TABLE), []
    for body in bodies:
        record = READ.decode_record(body)
        head = link(head, record.n, body)
        forged.append(Row(TABLE, record.n, record.round, record.at, body, head))
    return forged


def forge(version: int, change: Callable[[Any], Any], desk: Desk = GAME) -> list[Row]:
    """One record changed, and the chain made good again."""
    bodies = [row.body for row in desk.rows]
    bodies[version - 1] = encode(change(desk.records[version - 1]))
    return chained(bodies)


def without(version: int, desk: Desk = GAME) -> list[Row]:
    """One record cut out, the later ones numbered anew, and the chain made good again."""
    kept = [record for record in desk.records if record.n != version]
    bodies = [encode(replace(record, n=n)) for n, record in enumerate(kept, 1)]
    return chained(bodies)


def find(kind: type[Any], by: str | None = None) -> int:
    """The version of the first record of a command that was accepted."""
    return next(
        r.n for r in GAME.records if type(r.command) is kind and r.refused is None and (by is None or r.by == by)
    )


def fault(rows: list[Row]) -> Fault:
    found = verify_round(rows)
    assert isinstance(found, Fault), found
    return found


def kinds_of(rows: list[Row]) -> tuple[int, str]:
    found = fault(rows)
    return found.version, found.kind


@case("C-20")
def test_an_honest_game_verifies_as_a_whole_and_round_by_round() -> None:
    whole = verify_round(GAME.rows)
    assert whole == Verified(GAME.s, GAME.head, len(GAME.rows))
    before, head = None, None
    for number in (0, 1, 2):
        found = verify_round(GAME.round(number), before, head)
        assert isinstance(found, Verified)
        assert found == verify_round(GAME.round(number))
        before, head = found.state, found.head
    assert (before, head) == (GAME.s, GAME.head)


@case("C-20")
def test_a_round_is_rebuilt_from_its_own_rows_to_the_same_state() -> None:
    for number in (0, 1, 2):
        rows = GAME.round(number)
        for length in (1, len(rows) // 2, len(rows)):
            assert rebuild(rows[:length]) == GAME.states[rows[length - 1].version - 1]
    assert rebuild(GAME.round(2)[3:], rebuild(GAME.round(2)[:3])) == GAME.s
    assert [record.n for record in records(GAME.rows)] == [row.version for row in GAME.rows]


def test_rows_of_a_round_that_still_runs_verify_too() -> None:
    """But for the moment in which a deadline was passed over and Resumed is still to come."""
    for length in VERSIONS[:-1]:
        found = verify_round(GAME.rows[:length])
        assert isinstance(found, Verified) or type(GAME.records[length].command) is t.Resumed, found
    assert isinstance(verify_round(playing().rows), Verified)


def test_no_rows_are_no_proof() -> None:
    assert fault([]).kind == "version"
    with pytest.raises(ValueError, match="no rows"):
        rebuild([])


def test_a_dropped_row_is_found_wherever_it_was() -> None:
    for version in VERSIONS[1:-1]:
        found = kinds_of([row for row in GAME.rows if row.version != version])
        assert found == (version + 1, "hash"), version


def test_two_swapped_rows_are_found() -> None:
    for version in VERSIONS[1:]:
        rows = list(GAME.rows)
        rows[version - 2], rows[version - 1] = rows[version - 1], rows[version - 2]
        assert kinds_of(rows)[0] == version, version


def test_a_doubled_row_is_found() -> None:
    for version in VERSIONS:
        rows = [*GAME.rows[:version], *GAME.rows[version - 1 :]]
        assert kinds_of(rows) == (version, "hash")


def test_an_altered_byte_is_found_where_it_is() -> None:
    for version in VERSIONS:
        row = GAME.rows[version - 1]
        for place in range(version % 7, len(row.body), len(row.body) // 4):
            body = row.body[:place] + bytes((row.body[place] ^ 1,)) + row.body[place + 1 :]
            rows = [*GAME.rows[: version - 1], Row(TABLE, row.version, row.round, row.at, body, row.hash)]
            assert fault(rows).version == version


@pytest.mark.parametrize(
    "column", [{"version": 9}, {"round": 9}, {"at": 9}, {"table_id": TABLE[:-1] + "9"}, {"hash": bytes(32)}]
)
def test_a_column_that_is_no_copy_is_found(column: dict[str, Any]) -> None:
    rows = list(GAME.rows)
    last = rows[-1]
    values = {name: getattr(last, name) for name in ("table_id", "version", "round", "at", "body", "hash")}
    rows[-1] = Row(**(values | column))
    assert fault(rows).kind in ("column", "hash")


def test_bytes_that_say_the_same_in_another_way_are_found() -> None:
    rows = GAME.rows
    loose = msgspec.json.format(rows[3].body, indent=1)
    bodies = [*(row.body for row in rows[:3]), loose]
    assert kinds_of(chained(bodies)) == (4, "bytes")


@pytest.mark.parametrize(
    ("version", "change", "kind"),
    [
        (find(Grab), lambda r: replace(r, events=None, refused=Refused("shortcut_gone")), "decision"),
        (find(Grab) + 1, lambda r: replace(r, events=GAME.records[find(Grab) - 1].events, refused=None), "decision"),
        (find(Grab) + 1, lambda r: replace(r, refused=Refused("shortcut_gone")), "decision"),
        (find(Grab), lambda r: replace(r, by=replace(r.by, seat=2)), "sender"),
        (find(Grab), lambda r: replace(r, by=replace(r.by, player="ann")), "sender"),
        (find(Grab), lambda r: replace(r, by="somebody"), "sender"),
        (find(Grab), lambda r: replace(r, at=r.at - S), "time"),
        (find(Grab), lambda r: replace(r, round=2), "round"),
        (find(Grab), lambda r: replace(r, table=r.table), None),
        (
            find(Grab) + 1,
            lambda r: replace(r, id=GAME.records[find(Grab) - 1].id, by=GAME.records[find(Grab) - 1].by),
            "id",
        ),
        (find(Grab), lambda r: replace(r, salt="00"), "form"),
        (find(Grab), lambda r: replace(r, v=2), "form"),
        (find(Grab), lambda r: replace(r, meant=7), "decision"),
        (find(Grab), lambda r: replace(r, slowed=(0, 0, 0)), "slowed"),
        (find(Grab), lambda r: replace(r, carry=Raw(boundary(GAME.states[find(t.StartGame) - 1]))), "carry"),
        (find(t.Prepare), lambda r: replace(r, carry=Raw(b"{}")), "carry"),
        (find(t.Prepare), lambda r: replace(r, command=t.Prepare("11" * 32)), "decision"),
        (find(t.Prepare), lambda r: replace(r, command=t.Prepare("")), "decision"),
        (find(t.Award), lambda r: replace(r, command=replace(r.command, points=(9, 9, 9))), "award"),
        (find(t.Award), lambda r: replace(r, command=replace(r.command, head="00" * 32)), "award"),
        (find(Gust), lambda r: replace(r, at=r.at + 1), "late_house"),
        (find(Gust), lambda r: replace(r, at=r.at - 1), "early_house"),
        (find(EndTurn), lambda r: replace(r, at=r.at + 1), "late_house"),
        (find(Gust), lambda r: replace(r, command=TimeUp()), "early_house"),
        (find(Gust), lambda r: replace(r, command=t.PassHost()), "missing_house"),
        (find(Grab), lambda r: replace(r, by="house", command=t.PassHost()), "extra_house"),
        (find(t.Resumed), lambda r: replace(r, command=replace(r.command, since=1)), "extra_house"),
    ],
)
def test_an_altered_record_under_a_good_chain_is_found(version: int, change: Any, kind: str | None) -> None:
    rows = forge(version, change)
    if kind is None:
        assert isinstance(verify_round(rows), Verified)
    else:
        assert kinds_of(rows) == (version, kind)


@pytest.mark.parametrize("version", [r.n for r in GAME.records if r.by == "house"])
def test_a_house_record_left_out_under_a_good_chain_is_found(version: int) -> None:
    """Presence is a fact from outside: only the records that follow from it show that it is missing."""
    kind = type(GAME.records[version - 1].command)
    found = fault(without(version))
    assert found.version >= version
    if kind not in (t.Connect, t.Disconnect, t.Resumed):
        assert found.kind in ("missing_house", "late_house", "carry"), (kind, found)


def test_the_rows_hang_together() -> None:
    assert verify_chain(GAME.rows, genesis(TABLE)) is None


def test_a_table_is_created_under_its_own_id_and_with_rules_in_canonical_form() -> None:
    create, (created, *rest) = GAME.records[0].command, GAME.records[0].events or ()
    other = TABLE[:-1] + "9"
    for command, event, kind in (
        (replace(create, table=other), replace(created, table=other), "column"),
        (replace(create, rules=Raw(b"{}")), replace(created, rules=Raw(b"{}")), "bytes"),
    ):
        changed = {"command": command, "events": (event, *rest)}
        forged = forge(1, partial(replace, **changed))
        assert kinds_of(forged) == (1, kind)


@rule("T-LATE-1")
def test_a_time_without_an_owner_can_not_be_made_up() -> None:
    desk = playing(gust_ms=60_000)
    desk.wait(2 * S)
    record = replace(desk.records[-1], n=desk.s.version + 1, at=desk.now, by="house", id="")
    made_up = replace(record, command=t.Resumed(desk.s.at, desk.now), events=None)
    bodies = [*(row.body for row in desk.rows), encode(replace(made_up, events=(TableResumed(desk.s.at, desk.now),)))]
    assert kinds_of(chained(bodies)) == (desk.s.version + 1, "extra_house")


@rule("T-LATE-1")
def test_resumed_is_missed_when_a_deadline_was_passed_over() -> None:
    desk = playing(turn_ms=60_000, gust_ms=8_000, round_ms=10_000)
    desk.sleep(11 * S)
    assert isinstance(verify_round(desk.rows), Verified)
    assert fault(desk.rows[:-1]).kind == "missing_house"


@rule("T-AWARD-1")
def test_a_wrong_award_is_recorded_with_what_it_led_to_and_verifies() -> None:
    desk = playing()
    run(desk)
    desk.award((9, 9))
    assert desk.s.phase == "stopped"
    assert isinstance(verify_round(desk.rows), Verified)


@rule("T-AWARD-1")
def test_a_round_whose_carry_was_changed_verifies_alone_and_not_in_sequence() -> None:
    rows = GAME.round(2)[:-1]
    state = GAME.states[rows[0].version - 2]
    richer = replace(state, table=replace(state.table, points=(9, 0, 0)))
    first = replace(GAME.records[rows[0].version - 1], carry=Raw(boundary(richer)))
    head = GAME.rows[rows[0].version - 2].hash
    bodies = [encode(first), *(row.body for row in rows[1:])]
    forged = []
    link_to = head
    for body, row in zip(bodies, rows, strict=True):
        link_to = link(link_to, row.version, body)
        forged.append(Row(TABLE, row.version, row.round, row.at, body, link_to))
    assert isinstance(verify_round(forged), Verified)
    assert fault_in_sequence(forged, state, head) == (rows[0].version, "carry")


def fault_in_sequence(rows: list[Row], state: Any, head: bytes) -> tuple[int, str]:
    found = verify_round(rows, state, head)
    assert isinstance(found, Fault)
    return found.version, found.kind


def test_a_round_of_another_table_or_chain_does_not_follow() -> None:
    rows = GAME.round(1)
    state = GAME.states[rows[0].version - 2]
    assert fault_in_sequence(rows, state, bytes(32)) == (rows[0].version, "hash")
    other = replace(state, table=replace(state.table, id=TABLE[:-1] + "9"))
    assert fault_in_sequence(rows, other, GAME.rows[rows[0].version - 2].hash)[1] == "round"


@rule("T-LIMIT-1")
def test_what_was_slowed_down_is_counted_in_the_last_record_of_its_round() -> None:
    desk = playing()
    desk.slowed = (0, 3)
    run(desk)
    desk.award()
    assert msgspec.json.decode(desk.rows[-1].body)["slowed"] == [0, 3]
    assert isinstance(verify_round(desk.rows), Verified)


def test_rules_of_another_revision_are_not_these_rules() -> None:
    desk = awarded()
    state = replace(desk.s, revision=99)
    desk.connect("ann")
    desk.disconnect("ann")
    forged = replace(desk.records[-1], carry=Raw(boundary(state)))
    body = encode(forged)
    row = Row(TABLE, forged.n, forged.round, forged.at, body, link(bytes(32), forged.n, body))
    assert fault([row]).kind == "revision"
