"""Says what was committed: to each gateway one message a table, the views first, then the verdicts."""

import asyncio
from collections.abc import Callable, Iterable

import structlog

from services.table.audience import Change, with_answers
from services.table.keeper import Decided, Keeper
from shared.bus import subjects
from shared.bus.port import Bus
from shared.games.registry import GAMES
from shared.table import view
from shared.table.record import Sender
from shared.table.state import State, seat_of
from shared.wire.messages import Answer, Frames, View, Want, encode

SHOWN_IN = ("break", "over")
"""Between two rounds a table's views have the newest checkpoint."""

_log = structlog.get_logger()


class Publisher:
    """Tables with something committed are gathered and published once the batch is through."""

    def __init__(self, bus: Bus, now: Callable[[], int], may_speak: Callable[[int], bool]) -> None:
        """`now` in µs on the table's clock; `may_speak` is asked for the partition right before anything is sent."""
        self._bus = bus
        self._now = now
        self._may_speak = may_speak
        self._waiting: dict[str, Keeper] = {}
        self._checkpoint: str | None = None

    def committed(self, keeper: Keeper) -> None:
        """Publish this table after the callbacks of this commit."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._publish_all)
        self._waiting[keeper.id] = keeper

    def send(self, keeper: Keeper, gateway: str, frames: Frames) -> None:
        """Send frames of a table, if the lease holds; else say nothing."""
        self._tell(keeper, subjects.to(gateway, "frames"), encode(frames))

    def _tell(self, keeper: Keeper, subject: str, message: bytes) -> None:
        """Say nothing once the lease is over; what is too long for the bus must not end the other tables' service."""
        if self._may_speak(keeper.partition):
            try:
                self._bus.publish(subject, message)
            except ValueError as too_long:
                _log.error("not sent", table=keeper.id, why=str(too_long))

    def answer(self, keeper: Keeper, gateway: str, answer: Answer) -> None:
        """A verdict alone."""
        self.send(keeper, gateway, Frames(keeper.id, keeper.epoch, self._now(), answers=(answer,)))

    def whole(self, keeper: Keeper, gateway: str, players: tuple[str, ...]) -> None:
        """Everything that these players of a gateway may see."""
        state = keeper.committed
        if state is not None:
            frames = keeper.audience.whole(players, self._public(keeper, state), _own(state))
            self.send(keeper, gateway, with_answers(frames, keeper.id, keeper.epoch, self._now(), ()))

    def refresh(self, keeper: Keeper) -> None:
        """Publish what changed without a record: names, watchers."""
        self._publish(keeper, keeper.committed, [])

    def _view(self, keeper: Keeper, state: State, want: Want) -> View:
        """The answer to a request for a view."""
        part = keeper.audience.whole((want.player,), self._public(keeper, state), _own(state))
        newest = part.parts[0]
        return View(
            want.request, keeper.id, True, keeper.epoch, newest.n, self._now(), part.public, newest.own, state.private
        )

    def once(self, keeper: Keeper, want: Want) -> None:
        """Answer a request for one look; of a table that never was too."""
        state = keeper.committed
        answer = View(want.request, want.table, False)
        if state is not None:
            if want.player:
                keeper.asked_by_http(want.player)
            answer = self._view(keeper, state, want)
        self._tell(keeper, subjects.to(want.gateway, "view"), encode(answer))

    def finish(self, keepers: Iterable[Keeper]) -> None:
        """Publish at once what is committed of these."""
        for keeper in keepers:
            if self._waiting.pop(keeper.id, None) is not None:
                self.publish_now(keeper)

    def watchers_changed(self, keeper: Keeper) -> bool:
        """Whether another number of people watches than was last shown."""
        return keeper.committed is not None and keeper.watchers != _watching(keeper, keeper.committed)

    def checkpoint(self, note: str) -> None:
        """The newest checkpoint of the site's log: from now on every view between two rounds has it."""
        self._checkpoint = note

    def checkpoint_due(self, keeper: Keeper) -> bool:
        """Whether there is a first checkpoint since the Award that this table's people have not been shown."""
        state = keeper.committed
        if state is None or state.phase not in SHOWN_IN or keeper.witnessed >= state.table.round:
            return False
        return self._checkpoint not in (None, keeper.checkpoint)

    def _witness(self, keeper: Keeper, state: State) -> None:
        """What is shown with the Award, and that a later one was shown too: that has the round's own seal."""
        if state.phase not in SHOWN_IN:
            return
        if keeper.awarded != state.table.round:
            keeper.awarded, keeper.checkpoint = state.table.round, self._checkpoint
        elif keeper.checkpoint != self._checkpoint:
            keeper.witnessed = state.table.round

    def _public(self, keeper: Keeper, state: State) -> dict[str, object]:
        """The view; the checkpoint is no part of the state (every client is a witness of the site's log)."""
        shown = view.public(state, keeper.names, _watching(keeper, state))
        if state.phase in SHOWN_IN and self._checkpoint is not None:
            shown["checkpoint"] = self._checkpoint
        return shown

    def _publish_all(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for keeper in waiting.values():
            self.publish_now(keeper)

    def publish_now(self, keeper: Keeper) -> None:
        """Publish what was committed of this table since it was last published."""
        done, keeper.done = keeper.done, []
        self._publish(keeper, keeper.committed, done)

    def _publish(self, keeper: Keeper, state: State | None, done: list[Decided]) -> None:
        if state is None:
            return
        frames: dict[str, Frames] = {}
        accepted = [one for one in done if one.record.refused is None]
        if accepted or not done:
            keeper.watchers = _watching(keeper, state)
            self._witness(keeper, state)
            public = self._public(keeper, state)
            change = Change(public, _own(state), _news(state, accepted), _touched(state, accepted))
            frames = keeper.audience.change(keeper.presence, change)
        answers: dict[str, list[Answer]] = {}
        for one in done:
            if one.verdict:
                who = one.record.by
                answer = Answer(who.player if isinstance(who, Sender) else "", one.record.id, one.verdict)
                for gateway in one.gateways:
                    answers.setdefault(gateway, []).append(answer)
        now = self._now()
        for gateway in {**frames, **answers}:
            views = frames.get(gateway, _NOTHING)
            self.send(keeper, gateway, with_answers(views, keeper.id, keeper.epoch, now, answers.get(gateway, ())))


_NOTHING = Frames("", 0, 0)


def _watching(keeper: Keeper, state: State) -> int:
    return keeper.presence.watching([seat.player for seat in state.table.seats])


def _own(state: State) -> Callable[[str], dict[str, object] | None]:
    def own(player: str) -> dict[str, object] | None:
        seat = seat_of(state, player) if player else None
        return None if seat is None else view.own(state, seat)

    return own


def _touched(state: State, accepted: list[Decided]) -> frozenset[str] | None:
    """The players whose own views these records can have changed, if the game knows; None: any."""
    touches = GAMES[state.game].touches
    players = set()
    for one in accepted:
        for event in one.record.events or ():
            seat = touches(event)
            player = None if seat is None else state.table.seats[seat].player
            if player is None:
                return None
            players.add(player)
    return frozenset(players) if accepted else None


def _news(state: State, accepted: list[Decided]) -> Callable[[str], list[dict[str, object]]]:
    def news(player: str) -> list[dict[str, object]]:
        return _headlines(accepted, seat_of(state, player) if player else None)

    alike = GAMES[state.game].alike
    if all(type(event) in alike for one in accepted for event in one.record.events or ()):
        everyone_s = _headlines(accepted, None)
        return lambda player: everyone_s
    return news


def _headlines(accepted: list[Decided], seat: int | None) -> list[dict[str, object]]:
    return [headline for one in accepted for headline in view.news(one.state, one.record, seat)]
