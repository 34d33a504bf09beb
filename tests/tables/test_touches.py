"""What a game says its events can't have changed must not have changed: the table service does not look again."""

from collections.abc import Callable
from typing import Any

from bench.keeper import Office, moves, table
from services.table.keeper import Keeper
from shared.eventlog.appender import Fate
from shared.eventlog.port import Head, Row
from shared.games.registry import GAMES
from shared.table import view
from shared.table.state import State


class Watched(Office):
    """An office that keeps the own views of every seat around each record."""

    def __init__(self) -> None:
        super().__init__()
        self.checked = self.alike = 0
        self.before: State | None = None

    def submit(self, keeper: Keeper, row: Row, heads: tuple[Head, ...], done: Callable[[Fate], None]) -> None:
        done(Fate.COMMITTED)
        self.before = keeper.state

    def committed(self, keeper: Keeper) -> None:
        self.alike += sum(1 for one in keeper.done for event in one.record.events or () if self._alike(one, event))
        self.checked += sum(
            1 for one in keeper.done for event in one.record.events or () if self._untouched(one, event)
        )
        keeper.done.clear()

    def _alike(self, one: Any, event: Any) -> bool:
        game, table = GAMES[one.state.game], one.state.table
        if type(event) not in game.alike:
            return False
        told = [game.news(table, event, seat) for seat in (None, *range(len(table.seats)))]
        assert told == [told[0]] * len(told)
        assert told[0] is not None
        return True

    def _untouched(self, one: Any, event: Any) -> bool:
        seat = GAMES[one.state.game].touches(event)
        before = self.before
        if seat is None or before is None or before.play is None:
            return False
        others = [other for other in range(len(one.state.table.seats)) if other != seat]
        assert all(view.own(before, other) == view.own(one.state, other) for other in others)
        assert view.own(before, seat) != view.own(one.state, seat)
        return True


def test_a_swap_changes_no_other_seat_s_own_view() -> None:
    office = Watched()
    keeper = table(office)
    moves(keeper, office, 300)
    assert office.checked >= 300


def test_the_headline_of_a_swap_is_the_same_for_everyone() -> None:
    office = Watched()
    keeper = table(office)
    moves(keeper, office, 300)
    assert office.alike >= 300
