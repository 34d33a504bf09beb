"""Bundles for those who ask, in pages: the newest asked for are kept, for each is asked for page after page."""

from collections import OrderedDict

from shared.eventlog.port import EventLog
from shared.ledger.export import Missing, export
from shared.ledger.growing import Mirror
from shared.ledger.port import Ledger
from shared.wire.questions import PAGE_BYTES_MAX, Page, Question

KEPT_MOST = 4


class Bundles:
    """Which instance answers which page does not matter: the same round gives the same bytes everywhere."""

    def __init__(self, log: EventLog, ledger: Ledger) -> None:
        self._log, self._mirror = log, Mirror(ledger)
        self._kept: OrderedDict[tuple[str, int], bytes] = OrderedDict()

    async def page(self, question: Question) -> Page:
        """The bundle's bytes from `start`. Raises Unreachable."""
        found = await self._bundle(question.table, question.round)
        if isinstance(found, Missing):
            return Page(found.value)
        end = question.start + min(max(question.limit, 1), PAGE_BYTES_MAX)
        return Page("ok", found[question.start : end], end if end < len(found) else None)

    async def _bundle(self, table: str, round: int) -> bytes | Missing:
        kept = self._kept.get((table, round))
        if kept is not None:
            return kept
        made = await export(self._log, self._mirror, table, round)
        if isinstance(made, bytes):
            self._kept[table, round] = made
            if len(self._kept) > KEPT_MOST:
                self._kept.popitem(last=False)
        return made
