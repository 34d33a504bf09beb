"""Whole games of Dash as hypothesis plays them: the laws that hold after every record, and after all of them."""

from typing import Any

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition
from hypothesis.stateful import rule as step
from msgspec.structs import replace

from shared.games.registry import GAMES
from shared.kernel import Command, Moment, Refused
from shared.replay import Verified, rebuild, verify_round
from shared.shuffle import entropy_hash
from shared.table import commands as t
from shared.table.boundary import boundary, restore
from shared.table.codec import codec
from shared.table.decide import decide
from shared.table.due import deadlines, next_due
from shared.table.record import Sender, encode
from shared.table.state import is_boundary, seat_of
from shared.table.view import own, public
from tests.rules import case, rule
from tests.table.desk import TABLE, Desk, S
from tests.table.scenes import PEOPLE
from tests.toygame.messages import Grab, PickCharm, SkipTurn, Step

people = st.sampled_from((*PEOPLE, "eve"))
seats = st.sampled_from((None, 0, 1, 2, 3, 4))
spans = st.sampled_from((0, 1, 999_999, S, 2 * S, 2 * S + 1, 7 * S, 10 * S, 20 * S, 30 * S, 61 * S, 1900 * S))

SIMPLE: tuple[Command, ...] = (
    t.Leave(),
    t.StartGame(),
    t.NewGame(),
    t.EndBreak(),
    t.Ready(),
    t.CommitEntropy("0" * 64),
)
ENTROPY = "ab" * 16


class Games(RuleBasedStateMachine):
    """Any number of people do anything in any order, with owners that come and go."""

    def __init__(self) -> None:
        super().__init__()
        self.desk = Desk()

    @initialize(
        count=st.sampled_from((2, 3)), sit=st.booleans(), points=st.sampled_from((1, 2, 9)), line=st.integers(2, 12)
    )
    def create(self, count: int, sit: bool, points: int, line: int) -> None:
        self.desk.create(seats=count, sit=sit, target_points=points, line=line)

    @step(player=people, seat=seats)
    def sit(self, player: str, seat: int | None) -> None:
        self.desk.send(player, t.Sit(seat))

    @step(player=people, command=st.sampled_from((t.Leave(), t.NewGame(), t.EndBreak(), SkipTurn())))
    def one_of_these(self, player: str, command: Command) -> None:
        self.desk.send(player, command)

    @step(player=people, seat=seats, kind=st.sampled_from((t.AddBot, t.RemoveBot, t.FreeSeat)))
    def arrange(self, player: str, seat: int | None, kind: Any) -> None:
        self.desk.send(player, kind(seat) if seat is not None else t.AddBot())

    @precondition(lambda self: self.desk.s.phase in ("seating", "break", "over"))
    @step()
    def fill_and_go_on(self) -> None:
        desk = self.desk
        for _ in desk.s.table.seats:
            desk.send(desk.s.host.player, t.AddBot())
        for command in (t.StartGame(), t.EndBreak(), t.NewGame()):
            desk.send(desk.s.host.player, command)

    @precondition(lambda self: self.desk.s.phase == "preparing")
    @step(player=people, charm=st.sampled_from(("hare", "tortoise", "snail")))
    def get_ready(self, player: str, charm: str) -> None:
        desk, seat = self.desk, seat_of(self.desk.s, player)
        desk.send(player, PickCharm(charm))
        hashed = entropy_hash(TABLE, desk.s.table.round, seat or 0, bytes.fromhex(ENTROPY))
        desk.send(player, t.CommitEntropy(hashed.hex()))
        desk.send(player, t.Ready(ENTROPY))

    @step(player=people, entropy=st.sampled_from((None, "cd" * 20)))
    def say_ready(self, player: str, entropy: str | None) -> None:
        self.desk.send(player, t.Ready(entropy))

    @step(player=people, card=st.integers(0, 4), meant=st.sampled_from((None, None, 1, 2)))
    def try_a_step(self, player: str, card: int, meant: int | None) -> None:
        self.desk.send(player, Step(card), meant)

    @precondition(lambda self: self.desk.s.phase == "playing")
    @step(times=st.integers(1, 8))
    def run_on(self, times: int) -> None:
        for _ in range(times):
            self.desk.wait(S)
            if self.desk.s.phase == "playing" and (player := self.desk.s.table.seats[self.desk.play.turn].player):
                self.desk.send(player, Step(max(self.desk.play.hands[self.desk.play.turn])))

    @step(player=people)
    def grab(self, player: str) -> None:
        self.desk.send(player, Grab())

    @step(player=people)
    def go(self, player: str) -> None:
        self.desk.disconnect(player)

    @step(player=people)
    def come(self, player: str) -> None:
        self.desk.connect(player)

    @step(span=spans)
    def wait(self, span: int) -> None:
        self.desk.wait(span)

    @step(span=spans)
    def nobody_owns_the_table(self, span: int) -> None:
        self.desk.sleep(span)

    @step(before=st.integers(0, 1))
    def wait_for_what_is_due(self, before: int) -> None:
        if self.desk.s.next_due is not None:
            self.desk.now = max(self.desk.now, self.desk.s.next_due - before)
            self.desk.catch_up()

    @step()
    def award(self) -> None:
        self.desk.award()

    @invariant()
    def what_is_due_is_known(self) -> None:
        if self.desk.state is None:
            return
        state = self.desk.s
        due = deadlines(state)
        assert state.next_due == next_due(state) == (due[0].at if due else None)
        assert all(deadline.at >= state.at for deadline in due)

    @invariant()
    def can_keeps_its_word(self) -> None:
        if self.desk.state is None:
            return
        state, now = self.desk.s, Moment(self.desk.s.version + 1, self.desk.now)
        for number, seat in enumerate(state.table.seats):
            if seat.player is None or seat.left:
                continue
            listed: Any = own(state, number)["can"]
            for command in SIMPLE:
                decision = decide(state, Sender(seat.player, number), command, now)
                assert (type(command).__name__ in listed) == (not isinstance(decision, Refused)), (command, decision)

    @invariant()
    def the_house_keeps_its_secret(self) -> None:
        if self.desk.state and self.desk.s.house is not None:
            assert self.desk.s.house.hex() not in str(public(self.desk.s, {}, 0))

    @invariant()
    def between_rounds_the_carry_is_the_state(self) -> None:
        if self.desk.state and is_boundary(self.desk.s):
            assert restore(TABLE, boundary(self.desk.s)) == self.desk.s

    @invariant()
    def seats_and_rights_agree(self) -> None:
        if self.desk.state is None:
            return
        state = self.desk.s
        players = [seat.player for seat in state.table.seats if seat.player]
        assert len(players) == len(set(players))
        host = state.table.host_seat
        assert host is None or state.table.seats[host].player == state.host.player
        if host is not None:
            assert state.table.seats[host].connected == state.host.connected
        assert (state.alone_since is None) == (not state.had_human or any(seat.present for seat in state.table.seats))

    def teardown(self) -> None:
        desk = self.desk
        if desk.state is None:
            return
        assert rebuild(desk.rows) == desk.state
        verified = verify_round(desk.rows)
        assert isinstance(verified, Verified), (verified, desk.records[-5:])
        assert (verified.state, verified.head, verified.records) == (desk.state, desk.head, len(desk.rows))
        self._each_round_alone()
        self._refusals_change_nothing()
        self._every_message_comes_back()

    def _each_round_alone(self) -> None:
        before, head = None, None
        for number in range(self.desk.s.table.round + 1):
            if not (rows := self.desk.round(number)):
                continue
            alone, in_sequence = verify_round(rows), verify_round(rows, before, head)
            assert isinstance(alone, Verified), alone
            assert alone == in_sequence
            assert rebuild(rows) == alone.state == self.desk.states[rows[-1].version - 1]
            before, head = alone.state, alone.head

    def _refusals_change_nothing(self) -> None:
        states = self.desk.states
        for before, record, after in zip(states, self.desk.records[1:], states[1:], strict=False):
            if record.refused is not None:
                counted = {"refusals": after.refusals, "lost_races": after.lost_races}
                assert replace(before, version=after.version, at=after.at, **counted) == after

    def _every_message_comes_back(self) -> None:
        read = codec(GAMES["dash"])
        for row, record in zip(self.desk.rows, self.desk.records, strict=True):
            back = read.decode_record(row.body)
            assert encode(back) == row.body
            assert (back.command, back.events, back.refused) == (record.command, record.events, record.refused)
            assert msgspec.json.decode(row.body)["n"] == row.version


TestGames = case("C-04", "C-13", "C-20")(rule("T-LATE-1", "T-IDLE-1", "T-AWARD-1", "T-HOST-2")(Games.TestCase))
TestGames.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
