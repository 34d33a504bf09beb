"""Leases in memory, with the contract of the real ones, for simulations and for a demo without servers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from shared.leases.port import LEASE_MICROS, Holding, Lease


@dataclass(slots=True)
class LeaseBook:
    """The database of leases that several MemoryLeases share. `now` is its clock in µs.

    `end_session` is what a crash of an instance does: the session of its connection is gone.
    """

    now: Callable[[], int]
    leases: dict[str, Lease] = field(default_factory=dict)
    holdings: dict[tuple[str, int], Holding] = field(default_factory=dict)
    sessions: set[int] = field(default_factory=set)
    sessions_begun: int = 0

    def begin_session(self) -> int:
        """A new session's number."""
        self.sessions_begun += 1
        self.sessions.add(self.sessions_begun)
        return self.sessions_begun

    def end_session(self, instance: str) -> None:
        """The instance's process is gone: its session ends, its lease stays until it is over."""
        if instance in self.leases:
            self.sessions.discard(self.leases[instance].backend)


class MemoryLeases:
    """One instance's access to a LeaseBook; its session begins with the first renewal."""

    def __init__(self, book: LeaseBook) -> None:
        self._book = book
        self._session: int | None = None

    async def renew(self, instance: str, role: str, leaving: bool = False) -> int:
        """See Leases.renew."""
        if self._session not in self._book.sessions:
            self._session = self._book.begin_session()
        assert self._session is not None
        now = self._book.now()
        self._book.leases[instance] = Lease(instance, role, now + LEASE_MICROS, self._session, leaving)
        return now

    async def live(self, role: str) -> Sequence[Lease]:
        """See Leases.live."""
        return [lease for lease in self._of(role) if self._holds(lease)]

    async def dead(self, role: str) -> Sequence[Lease]:
        """See Leases.dead."""
        return [lease for lease in self._of(role) if not self._holds(lease)]

    async def release(self, instance: str) -> None:
        """See Leases.release."""
        self._book.leases.pop(instance, None)

    async def holdings(self, role: str) -> Mapping[int, Holding]:
        """See Leases.holdings."""
        return {p: holding for (of, p), holding in self._book.holdings.items() if of == role}

    async def ask(self, role: str, partitions: Sequence[int], instance: str) -> None:
        """See Leases.ask."""
        for partition in partitions:
            held = self._book.holdings.get((role, partition), Holding())
            self._book.holdings[role, partition] = replace(held, asker=instance)

    async def claim(self, role: str, partition: int, instance: str, held_by: str | None) -> bool:
        """See Leases.claim."""
        if self._book.holdings.get((role, partition), Holding()).instance != held_by:
            return False
        self._book.holdings[role, partition] = Holding(instance)
        return True

    async def hand_over(self, role: str, partition: int, instance: str) -> None:
        """See Leases.hand_over."""
        held = self._book.holdings.get((role, partition), Holding())
        if held.instance == instance:
            self._book.holdings[role, partition] = replace(held, instance=None)

    async def close(self) -> None:
        """End the session."""
        if self._session is not None:
            self._book.sessions.discard(self._session)

    def _of(self, role: str) -> Sequence[Lease]:
        return [lease for lease in self._book.leases.values() if lease.role == role]

    def _holds(self, lease: Lease) -> bool:
        left = lease.expires_at - self._book.now()
        return 0 < left <= LEASE_MICROS and lease.backend in self._book.sessions
