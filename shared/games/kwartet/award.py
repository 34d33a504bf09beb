"""Who gets what for a finished game of Kwartet (K-END-2)."""

from shared.games.kwartet.rules import Rules
from shared.games.kwartet.state import State
from shared.kernel import Table


def sides(seats: int) -> int:
    """Everyone plays alone (K-SEAT-1)."""
    return seats


def award(table: Table, play: State) -> tuple[int, ...]:
    """One point a family, whoever emptied their hand first."""
    return play.points


def winners(rules: Rules, points: tuple[int, ...], play: State) -> tuple[int, ...]:
    """The most points win, shared by all who have them; with no family at all nobody does (K-END-4)."""
    top = max(points)
    return tuple(seat for seat, each in enumerate(points) if each == top) if top else ()
