"""What falls due in a game of Kwartet: the end of the turn, if it has a limit (K-TIME-1)."""

from shared.games.kwartet.commands import EndTurn, House
from shared.games.kwartet.state import State
from shared.kernel import Deadline, Order, Table

_END_OF_TURN = EndTurn()


def deadlines(table: Table, play: State) -> tuple[Deadline, ...]:
    """The end of the turn; found late it counts at its own time (T-LATE-1)."""
    at = play.deadline
    return () if at is None else (Deadline(at, Order.END_OF_TURN, _END_OF_TURN, own_time=True),)


def sleeps(command: House) -> bool:
    """T-IDLE-1: a turn that runs out with nobody connected puts the table to sleep."""
    return isinstance(command, EndTurn)
