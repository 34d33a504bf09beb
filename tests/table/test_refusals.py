"""Which refusal comes first, and how many are recorded: rulings "Order of refusals", T-ID-1, T-LIMIT-1, T-WORD-1."""

import msgspec
import pytest

from shared.games.registry import GAMES
from shared.kernel import Command, LostTo, Moment, Refused
from shared.table import commands
from shared.table.codec import BadMessage, codec, decode_operator, decode_scoring
from shared.table.commands import AddBot, CreateTable, EndBreak, FreeSeat, Leave, NewGame, Ready, Sit, StartGame
from shared.table.decide import decide
from shared.table.limits import BURST_MAX, LOST_RACES_MAX, REFUSALS_MAX, Bucket, recordable, take
from shared.table.record import Sender
from tests.rules import case, rule
from tests.table.desk import START, Desk, S, code, kinds
from tests.table.scenes import awarded, playing, preparing, run, seating, stopped
from tests.toygame.messages import EndTurn, Grab, PickCharm, SkipTurn, Step


@rule("T-ID-1")
def test_a_command_meant_for_another_round_is_refused_before_all_that_is_its_own() -> None:
    desk = playing()
    assert code(desk.send("ann", Step(99), meant=2)) == "wrong_round"
    assert code(desk.send("ann", Step(99), meant=0)) == "wrong_round"
    assert code(desk.send("ann", Step(99), meant=1)) == "not_in_hand"
    assert code(desk.send("eve", Step(99), meant=2)) == "wrong_round"
    assert code(desk.send("eve", Step(99), meant=1)) == "not_seated"


@rule("T-ID-1")
def test_only_playing_commands_of_the_round_just_awarded_are_spared_wrong_round() -> None:
    desk = awarded()
    assert code(desk.send("ann", Step(1), meant=1)) == "round_over"
    assert code(desk.send("ann", EndBreak(), meant=1)) == "wrong_round"
    assert code(desk.send("ann", PickCharm("hare"), meant=1)) == "wrong_round"
    assert code(desk.send("ann", Step(1), meant=0)) == "wrong_round"
    assert code(desk.send("ann", Step(1), meant=2)) == "round_over"


@rule("T-ID-1")
def test_while_it_is_checked_a_round_is_the_current_one_and_the_one_before_is_wrong() -> None:
    desk = awarded()
    for player in ("ann", "bob"):
        desk.send(player, Ready())
    desk.catch_up()
    for player in ("ann", "bob"):
        desk.send(player, Ready())
    desk.catch_up()
    run(desk)
    assert (desk.s.phase, desk.s.table.round) == ("scoring", 2)
    assert code(desk.send("ann", Step(1), meant=2)) == "round_over"
    assert code(desk.send("ann", Step(1), meant=1)) == "wrong_round"


@rule("T-SEAT-1", "T-START-1")
def test_not_seated_comes_before_not_host_and_that_before_the_phase() -> None:
    desk = playing()
    for command in (StartGame(), NewGame(), EndBreak(), AddBot(), FreeSeat(0), SkipTurn()):
        assert code(desk.send("eve", command)) == "not_seated"
        assert code(desk.send("bob", command)) == "not_host"
    for desk in (preparing(), stopped()):
        assert code(desk.send("eve", Step(1))) == "not_seated"
        assert code(desk.send("bob", SkipTurn())) == "not_host"
    assert code(preparing().send("ann", SkipTurn())) == "round_not_open"
    assert code(stopped().send("ann", SkipTurn())) == "round_over"


@rule("T-HOST-1")
def test_a_host_without_a_seat_can_send_what_a_game_leaves_to_the_host() -> None:
    desk = Desk().create(sit=False)
    desk.send("bob", Sit())
    desk.send("cas", Sit())
    desk.send("ann", StartGame())
    desk.wait(30 * S)
    assert kinds(desk.send("ann", SkipTurn())) == ["TurnPassed"]
    assert code(desk.send("ann", Step(1))) == "not_seated"


@rule("T-PREP-1")
def test_what_belongs_to_the_preparation_is_refused_outside_of_it() -> None:
    for desk in (seating(), playing(), stopped(), awarded()):
        assert code(desk.send("ann", PickCharm("hare"))) == "not_preparing"
    assert kinds(preparing().send("ann", PickCharm("hare"))) == ["CharmPicked"]


@rule("T-SEAT-1")
def test_a_race_in_the_game_names_the_seat_and_the_margin() -> None:
    desk = playing()
    desk.send("bob", Grab())
    won = desk.s.version
    desk.now += 1
    assert desk.send("ann", Grab()) == Refused("shortcut_gone", LostTo(won, 1, 1))


@rule("T-LIMIT-1")
def test_four_hundred_refusals_of_a_seat_are_recorded_in_a_round_and_then_no_more() -> None:
    desk = playing(turn_ms=3_600_000, gust_ms=3_600_000, round_ms=3_600_000)
    for _ in range(REFUSALS_MAX):
        assert code(desk.send("bob", Step(1))) == "not_your_turn"
    rows = len(desk.rows)
    assert code(desk.send("bob", Step(1))) == "slow_down"
    assert len(desk.rows) == rows
    assert code(desk.send("ann", Step(99))) == "not_in_hand"
    assert kinds(desk.send("bob", Grab())) == ["ShortcutGrabbed"]
    assert desk.s.refusals == (1, REFUSALS_MAX)


@rule("T-LIMIT-1", "T-AWARD-1")
def test_the_count_of_refusals_begins_anew_with_each_round() -> None:
    desk = seating()
    desk.send("bob", StartGame())
    assert desk.s.refusals == (0, 1)
    desk.send("ann", StartGame())
    assert desk.s.refusals == (0, 0)


@rule("T-LIMIT-1")
def test_of_players_without_a_seat_only_lost_seat_races_are_recorded_and_fifty_of_them() -> None:
    desk = seating()
    rows = len(desk.rows)
    assert code(desk.send("eve", Leave())) == "not_seated"
    assert code(desk.send("eve", Sit(9))) == "no_such_seat"
    assert len(desk.rows) == rows
    for _ in range(LOST_RACES_MAX + 5):
        assert code(desk.send("eve", Sit(1))) == "seat_taken"
    assert len(desk.rows) == rows + LOST_RACES_MAX


@rule("T-LIMIT-1")
def test_the_bucket_holds_40_and_fills_with_20_a_second_and_slow_down_takes_nothing() -> None:
    bucket: Bucket | None = Bucket()
    for _ in range(BURST_MAX):
        assert bucket is not None
        bucket = take(bucket, START)
    assert bucket is not None
    assert take(bucket, START) is None
    assert take(bucket, START + 49_999) is None
    after = take(bucket, START + 50_000)
    assert after is not None
    assert take(after, START + 50_000) is None
    assert take(after, START + 100_000) is not None


@rule("T-LIMIT-1")
def test_what_changes_nothing_is_no_record() -> None:
    desk = seating()
    assert not recordable(desk.s, "house", ())
    assert not recordable(desk.s, "scoring", Refused("round_not_open"))
    assert not recordable(None, Sender("ann"), Refused("bad_seat_count"))


@rule("T-HOST-1")
@pytest.mark.parametrize(
    ("change", "refused"),
    [
        ({"game": "whist"}, "no_such_game"),
        ({"revision": 99}, "bad_revision"),
        ({"seats": 5}, "bad_seat_count"),
        ({"rules": msgspec.Raw(b'{"line":"far"}')}, "bad_rules"),
        ({"rules": msgspec.Raw(b"{")}, "bad_rules"),
    ],
)
def test_a_table_that_can_not_be_is_not_created(change: dict[str, object], refused: str) -> None:
    good = CreateTable("t", "dash", 1, 2, msgspec.Raw(b"{}"))
    desk = Desk()
    assert code(desk.record(Sender("ann"), msgspec.structs.replace(good, **change))) == refused
    assert desk.rows == []
    assert code(desk.record(Sender("ann"), Sit())) == "not_yours"
    assert code(desk.record("house", good)) == "not_yours"


@rule("T-WORD-1")
def test_no_player_can_send_words() -> None:
    """What is text is an id, a level, a hash or bytes in hex: nothing that is shown to others as it was written."""
    texts = {
        (kind.__name__, field.name)
        for kind in commands.PLAYERS
        for field in msgspec.structs.fields(kind)
        if "str" in str(field.type)
    }
    assert texts == {("AddBot", "level"), ("CommitEntropy", "hash"), ("Ready", "entropy")}
    assert code(seating(2).send("ann", AddBot(None, "hello"))) == "no_such_level"
    names = {kind.__name__ for kind in commands.ALL}
    assert not names & {"Say", "Chat", "Rename", "SetName"}


@rule("T-ID-1")
@pytest.mark.parametrize("game", ["dash", "quatro", "kwartet"])
def test_players_can_only_send_what_is_theirs(game: str) -> None:
    made = codec(GAMES[game])
    theirs = {*commands.PLAYERS, *GAMES[game].commands}
    for kind in made.commands:
        if kind not in theirs:
            body = msgspec.json.encode({"type": kind.__name__})
            assert isinstance(made.decode_command(body), BadMessage)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"type":"Nothing"}',
        b'{"type":"Sit","seat":"1"}',
        b'{"type":"Sit","seat":1.5}',
        b'{"type":"Sit","seat":1,"by":2}',
        b'{"type":"Sit","at":1}',
        b'{"type":"Sit","seat":18446744073709551616}',
        b'{"type":"RemoveBot"}',
        b'{"type":"Ready","entropy":"ff"}',
        b'{"type":"Ready","entropy":"zz00000000000000000000000000000000"}',
        b'{"type":"CommitEntropy","hash":"00"}',
        b'{"type":"CommitEntropy","hash":"' + b"0" * 64 + b'\\n"}',
        b'{"type":"Ready","entropy":"' + b"0" * 64 + b'\\n"}',
        b'{"seat":' + b"[" * 2_000 + b"]" * 2_000 + b',"type":"Sit"}',
    ],
)
@case("C-23")
def test_what_no_client_of_ours_could_send_never_reaches_a_table(body: bytes) -> None:
    assert isinstance(codec(GAMES["dash"]).decode_command(body), BadMessage)
    assert isinstance(decode_scoring(body), BadMessage)
    assert isinstance(decode_operator(body), BadMessage)


@rule("T-ID-1")
def test_a_forged_record_of_a_house_command_by_a_player_is_refused() -> None:
    desk = playing()
    for command in (EndTurn(), commands.Open(), commands.Close("mine")):
        assert code(desk.record(Sender("ann", 0), command)) == "not_yours"


@rule("T-LIMIT-1")
def test_a_refused_command_changes_nothing_but_version_time_and_its_count() -> None:
    desk = playing(turn_ms=60_000)
    before = desk.s
    desk.now += 5
    desk.send("bob", Step(1))
    after = desk.s
    assert (after.version, after.at, after.refusals) == (before.version + 1, before.at + 5, (0, 1))
    same = msgspec.structs.replace(after, version=before.version, at=before.at, refusals=before.refusals)
    assert same == before


@rule("T-ID-1")
def test_decide_is_a_function_of_its_arguments() -> None:
    desk = playing()
    command: Command = Step(desk.play.hands[0][0])
    now = Moment(desk.s.version + 1, desk.now)
    assert decide(desk.s, Sender("ann", 0), command, now) == decide(desk.s, Sender("ann", 0), command, now)
