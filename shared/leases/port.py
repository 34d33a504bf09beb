"""Leases as their users see them: one an instance, on the database's clock; who lives shares the partitions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

LEASE_MICROS = 1_000_000
RENEW_MICROS = 250_000


@dataclass(frozen=True, slots=True)
class Lease:
    """An instance's lease as the database has it. Times in µs on the database's clock; `backend` its session there."""

    instance: str
    role: str
    expires_at: int
    backend: int
    leaving: bool = False


@dataclass(frozen=True, slots=True)
class Holding:
    """Who holds a partition of a role, as far as was written down: nobody (None: handed over, or never held), or an
    instance, dead or alive; and which instance asks for it."""

    instance: str | None = None
    asker: str | None = None


class LeaseLost(ConnectionError):
    """The database did not answer in time; the lease runs out unless a later renewal comes through."""


class Leases(Protocol):
    """One adapter object serves one instance; safety never rests on it (the log's fence does).

    Every method may raise LeaseLost.
    """

    async def renew(self, instance: str, role: str, leaving: bool = False) -> int:
        """Take or renew the lease (also an expired one) and return the database's time in µs.

        `leaving` says that this instance takes no partitions any more. Raises LeaseLost when the database can't be
        reached in time.
        """

    async def live(self, role: str) -> Sequence[Lease]:
        """The leases of a role that hold now: not expired, and the session of their connection still there.

        One that would hold longer than a lease can was given before the clock was set back: it holds no more.
        """

    async def dead(self, role: str) -> Sequence[Lease]:
        """Leases that no longer hold, by expiry or because their session is gone."""

    async def release(self, instance: str) -> None:
        """Give the lease up at once (SIGTERM, drain)."""

    async def holdings(self, role: str) -> Mapping[int, Holding]:
        """Who holds which partition; one that nobody ever held may be missing."""

    async def ask(self, role: str, partitions: Sequence[int], instance: str) -> None:
        """Ask the holders of these partitions to hand them over to `instance`; the last asker stands."""

    async def claim(self, role: str, partition: int, instance: str, held_by: str | None) -> bool:
        """Write down `instance` as holder if it is still `held_by`; False if another was faster. Clears the asker."""

    async def hand_over(self, role: str, partition: int, instance: str) -> None:
        """Write down that `instance` no longer holds the partition (nobody does); nothing if another holds it."""

    async def close(self) -> None:
        """Close the direct connection."""
