"""One owned partition: its epoch, the keepers of its loaded tables, and the heads of all its live ones."""

from collections.abc import Callable
from dataclasses import dataclass, field

from services.table.keeper import Keeper
from shared.bus.port import Subscription
from shared.eventlog.port import Head

Visitor = Callable[[Keeper], None]


@dataclass(slots=True, eq=False)
class Desk:
    """`open` is False once the partition was given up or lost: what still comes back for it is dropped."""

    partition: int
    epoch: int
    heads: dict[str, Head] = field(default_factory=dict)
    keepers: dict[str, Keeper] = field(default_factory=dict)
    loading: dict[str, list[Visitor]] = field(default_factory=dict)
    held: dict[str, frozenset[str]] = field(default_factory=dict)
    """Gateway -> the tables at which it holds anyone."""
    subscriptions: list[Subscription] = field(default_factory=list)
    open: bool = True
