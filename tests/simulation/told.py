"""What players were told, for ever: none of it may turn out untrue."""

from collections import defaultdict

import msgspec
from msgspec import Struct

from shared.eventlog.memory import MemoryEventLog
from shared.replay import records


class Verdict(Struct, frozen=True):
    """A verdict as players hear it. Without a receipt nothing was recorded."""

    id: str
    accepted: bool
    receipt: str = ""


class Told:
    """Verdicts by table."""

    def __init__(self) -> None:
        self.verdicts: defaultdict[str, list[Verdict]] = defaultdict(list)

    def hear(self, table: str, verdict: bytes) -> Verdict:
        """A verdict reached somebody."""
        heard = msgspec.json.decode(verdict, type=Verdict)
        self.verdicts[table].append(heard)
        return heard

    def witness(self, table: str, verdict: bytes, _seconds: float) -> None:
        """A verdict reached a bot (services.bots.service.Bots)."""
        self.hear(table, verdict)

    async def untrue(self, log: MemoryEventLog) -> list[str]:
        """Those that the log does not hold, or not as they said."""
        found = []
        for table, verdicts in self.verdicts.items():
            rows = await log.table_rows(table)
            logged = {
                row.hash.hex(): (one.id, one.refused is None) for row, one in zip(rows, records(rows), strict=True)
            }
            found += [
                f"table {table}: {each}"
                for each in verdicts
                if each.receipt and logged.get(each.receipt) != (each.id, each.accepted)
            ]
        return found
