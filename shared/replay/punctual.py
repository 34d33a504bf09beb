"""Whether the house was punctual: its records are exactly the due ones, at their times, and none is missing."""

from typing import Any

from shared.kernel import HOUSE, Command, Deadline
from shared.table.codec import AnyRecord
from shared.table.commands import Connect, Disconnect, Prepare, Resumed
from shared.table.due import deadlines
from shared.table.state import LATE_US, State

Finding = tuple[str, str]
"""What kind of fault, and in words."""


class Punctuality:
    """Follows one table's records. `_run` are the house's own-time records just before, each with the earliest time
    at which anything was due before it: perhaps they were found late, and Resumed follows (T-LATE-1)."""

    def __init__(self) -> None:
        self._run: list[tuple[type[Command], int]] = []
        self._passed_over: int | None = None

    @property
    def waits_for_resumed(self) -> bool:
        """Whether a deadline was passed over, which only Resumed can explain."""
        return self._passed_over is not None

    def check(self, state: State, record: AnyRecord) -> Finding | None:
        """Against the state before the record."""
        command = record.command
        if record.by != HOUSE or type(command) in (Connect, Disconnect):
            fault = _nothing_due(state, record)
        elif type(command) is Resumed:
            fault = self._resumed(state, record)
            self._passed_over = None
        else:
            return self._due(state, record)
        self._run.clear()
        return _passed_over() if self.waits_for_resumed else fault

    def _due(self, state: State, record: AnyRecord) -> Finding | None:
        """One of the house's deadlines: the first, unless lateness puts what keeps its own time before the rest."""
        due = deadlines(state)
        place = next((i for i, deadline in enumerate(due) if _same(deadline.command, record.command)), None)
        if place is None:
            missing = due and due[0].at <= record.at
            return ("missing_house", _says(due[0])) if missing else ("extra_house", "nothing of the kind was due")
        deadline = due[place]
        if record.at != deadline.at:
            return "late_house" if record.at > deadline.at else "early_house", f"due at {deadline.at}"
        if place > 0:
            done = {kind for kind, _ in self._run}
            before = next((d for d in due[:place] if d.own_time and type(d.command) not in done), None)
            if before is not None or not deadline.own_time:
                return "missing_house", _says(before or due[0])
            if self._passed_over is None:
                self._passed_over = len(self._run)
        if deadline.own_time:
            self._run.append((type(deadline.command), due[0].at))
            return None
        self._run.clear()
        return _passed_over() if self.waits_for_resumed else None

    def _resumed(self, state: State, record: AnyRecord) -> Finding | None:
        """Something was found over 2 s late at that time, and all that keeps its own time was decided before."""
        command: Any = record.command
        due = deadlines(state)
        own = [d for d in due if d.own_time and d.at <= record.at]
        if (command.since, command.until) != (state.at, record.at):
            return ("missing_house", _says(own[0])) if own else ("extra_house", "not from the last record until now")
        open_kinds = {type(d.command) for d in own}
        starts = range(len(self._run) if self._passed_over is None else self._passed_over, -1, -1)
        late = record.at - LATE_US
        for start in starts:
            kinds = [kind for kind, _ in self._run[start:]]
            if len(set(kinds)) < len(kinds):
                break
            earliest = self._run[start][1] if kinds else (due[0].at if due else None)
            if earliest is not None and earliest < late and open_kinds <= set(kinds):
                return None
        if due and due[0].at <= record.at:
            return "missing_house", _says(due[0])
        return "extra_house", "nothing was late"


def _nothing_due(state: State, record: AnyRecord) -> Finding | None:
    """Deadlines first: at exactly its time a deadline comes before whatever else there is."""
    if state.next_due is None or state.next_due > record.at:
        return None
    return "missing_house", _says(deadlines(state)[0])


def _passed_over() -> Finding:
    return "missing_house", "a deadline was passed over and the table not resumed"


def _says(deadline: Deadline) -> str:
    return f"{type(deadline.command).__name__} was due at {deadline.at}"


def _same(due: Command, recorded: Command) -> bool:
    """Chance is filled in by whoever keeps the table."""
    return type(recorded) is Prepare if type(due) is Prepare else due == recorded
