"""What falls due in a game of Kwartet: the end of the turn, if it has a limit (K-TIME-1)."""

from shared.games.kwartet.commands import EndTurn, House
from shared.games.kwartet.state import State
from shared.kernel import Deadline, Order, Table


def deadlines(table: Table, play: State) -> tuple[Deadline, ...]:
    """The end of the turn; found late it counts at its own time (T-LATE-1)."""
    if play.deadline is None:
        return ()
    return (Deadline(play.deadline, Order.END_OF_TURN, EndTurn(), own_time=True),)


def sleeps(command: House) -> bool:
    """T-IDLE-1: a turn that runs out with nobody connected puts the table to sleep."""
    return isinstance(command, EndTurn)
