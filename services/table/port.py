"""What one kept table needs of the process that keeps it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from services.table.receipts import Receipts
from shared.eventlog.appender import Fate
from shared.eventlog.port import Head, Row
from shared.wire.messages import Answer

if TYPE_CHECKING:
    from services.table.keeper import Keeper


class Office(Protocol):
    """Clock, log and mouth of all tables of a process. Nothing here waits."""

    def at(self, last: int) -> int:
        """The time of a record that follows one at `last`, in µs."""

    @property
    def busy(self) -> bool:
        """Whether too much waits to be committed."""

    def submit(self, keeper: "Keeper", row: Row, heads: tuple[Head, ...], done: Callable[[Fate], None]) -> None:
        """Append a record; `done` is called once its fate is known, in order."""

    @property
    def receipts(self) -> Receipts:
        """Signed receipts of what is committed."""

    def answer(self, keeper: "Keeper", gateway: str, answer: Answer) -> None:
        """Send a verdict that needs no commit."""

    def committed(self, keeper: "Keeper") -> None:
        """Something of this table was committed: publish what changed."""

    def wake_at(self, keeper: "Keeper", at: int | None) -> None:
        """Call `advance` then."""
