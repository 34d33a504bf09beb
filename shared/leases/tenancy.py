"""Keeps one instance's lease and its share of the partitions of one role: takes, hands over, and loses them.

How old and new holder agree: the new one asks in the book of holdings (`Leases.ask`) and looks every 20 ms; the old one
sees that at its next look (250 ms at most, serving meanwhile), finishes its queue, and writes that nobody holds the
partition; the new one claims it and only then takes its epoch. Whoever does not answer within `ASK_MICROS_MAX` is taken
from all the same, and from the dead one takes without asking: the book is politeness, the log's fence is safety.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping

from shared.leases.port import LEASE_MICROS, RENEW_MICROS, Holding, LeaseLost, Leases
from shared.leases.rendezvous import shares
from shared.leases.tenant import Tenant

LOOK_MICROS = 20_000
ASK_MICROS_MAX = RENEW_MICROS + 300_000
"""An asked holder sees it within one renewal; then it has 300 ms."""
HAND_OVERS_MAX = 4
"""As many may be without a holder at a time: the others go on until it is their turn, so that none pauses for all."""
TAKES_MAX = 8
"""Who hands over sees what is claimed and lets no more go before; so claim no more than is being taken."""
JUDGE_RENEWALS_MIN = 4
GIVE_UP_MICROS = 5_000_000
"""Who is to leave while the database is away waits no longer for it: SIGTERM ends in bounded time."""
STEP_MICROS_MIN = 1_000_000
"""When the database's clock goes this far off the own one (more than a slow answer explains), it was set: then all
leases are wrong until renewed."""


class Tenancy:
    """The loop of one instance in one role."""

    def __init__(
        self,
        leases: Leases,
        instance: str,
        role: str,
        tenant: Tenant,
        partitions: int,
        monotonic: Callable[[], int],
        on_time: Callable[[int, int, int], None] | None = None,
    ) -> None:
        """`instance` is unique to this process; `role` is "table" or "scoring"; `monotonic` gives µs.

        `on_time(database, sent, received)` gets each renewal's database time with the own monotonic times around it
        (TableClock.note).
        """
        self._leases = leases
        self._instance = instance
        self._role = role
        self._tenant = tenant
        self._partitions = partitions
        self._monotonic = monotonic
        self._on_time = on_time
        self._held: set[int] = set()
        self._moves: dict[int, asyncio.Task[None]] = {}
        self._asked: dict[int, int] = {}  # partition -> since when its holder is asked
        self._renewed = monotonic() - LEASE_MICROS  # when the last good renewal was sent
        self._database = 0  # and what time it told
        self._streak = 0
        self._lease_until = 0
        self._fenced: set[int] = set()
        self._given: set[int] = set()  # handed over, and not yet claimed by another
        self._progress = 0  # when one of those was last claimed
        self._leaving_since: int | None = None
        self._hurry = False  # renew now, because something changed
        self._gone = asyncio.Event()

    def holds(self, partition: int) -> bool:
        """Whether this instance may speak for the partition now: taken here, and the lease not over. No I/O."""
        return partition in self._held and self._monotonic() < self._lease_until

    @property
    def held(self) -> frozenset[int]:
        """The partitions taken here, whether or not the lease holds at this moment."""
        return frozenset(self._held)

    def fenced(self, partition: int) -> None:
        """The log has refused a write here: another has the partition. Calls `Tenant.lose`."""
        if partition in self._held:
            self._held.discard(partition)
            self._tenant.lose(partition)
        elif partition in self._moves:
            self._fenced.add(partition)  # while it is being taken: it is lost when that is done

    async def run(self) -> None:
        """Renew, take and hand over until `drain` is done or the task is cancelled. Raises what a Tenant raises."""
        try:
            while not self._gone.is_set():
                await self._look_safely()
                await asyncio.sleep(self._pause() / 1_000_000)
        finally:
            for move in self._moves.values():
                move.cancel()

    async def drain(self) -> None:
        """Hand everything over at once (SIGTERM): returns when nothing is held and the lease is released.

        `run` must be running. Without another instance, or one that asks in time, partitions are just given up; without
        the database too, after 5 s.
        """
        self._leaving_since = self._monotonic()
        self._hurry = True
        await self._gone.wait()

    async def _look_safely(self) -> None:
        self._reap()
        try:
            sent = self._monotonic()
            renewed = self._hurry or sent - self._renewed >= RENEW_MICROS
            self._hurry = False
            if renewed:
                await self._renew(sent)
            live = {lease.instance: lease.leaving for lease in await self._leases.live(self._role)}
            holdings = await self._leases.holdings(self._role)
            self._lose_moved(holdings)
            if renewed:  # only now: while the lease was over, partitions may have moved
                self._lease_until = sent + LEASE_MICROS
            await self._settle(holdings, live, judging=renewed and self._streak >= JUDGE_RENEWALS_MIN)
        except LeaseLost:
            self._streak = 0
            if self._leaving_since is not None and self._monotonic() - self._leaving_since > GIVE_UP_MICROS:
                self._gone.set()  # nobody can be told; whoever is there takes it when the database is back

    async def _renew(self, sent: int) -> None:
        database = await self._leases.renew(self._instance, self._role, self._leaving_since is not None)
        if self._on_time is not None:
            self._on_time(database, sent, self._monotonic())
        passed = sent - self._renewed
        well = passed < LEASE_MICROS and abs(database - self._database - passed) < STEP_MICROS_MIN
        self._streak = self._streak + 1 if well else 1
        self._renewed, self._database = sent, database

    async def _settle(self, holdings: Mapping[int, Holding], live: Mapping[str, bool], judging: bool) -> None:
        self._answer_askers(holdings, live)
        if self._leaving_since is None:
            await self._take_share(holdings, live, judging)
        elif self._may_go(live):
            await self._go()

    def _lose_moved(self, holdings: Mapping[int, Holding]) -> None:
        for partition in sorted(self._held - self._moves.keys()):
            if holdings.get(partition, Holding()).instance != self._instance:
                self.fenced(partition)

    def _answer_askers(self, holdings: Mapping[int, Holding], live: Mapping[str, bool]) -> None:
        unclaimed = {p for p in self._given if holdings.get(p, Holding()).instance is None}
        if unclaimed != self._given:
            self._given, self._progress = unclaimed, self._monotonic()
        for partition in sorted(self._held - self._moves.keys()):
            asker = holdings.get(partition, Holding()).asker
            if asker in live and asker != self._instance and len(self._moves) + len(unclaimed) < HAND_OVERS_MAX:
                self._move(partition, self._hand_over(partition))

    async def _take_share(self, holdings: Mapping[int, Holding], live: Mapping[str, bool], judging: bool) -> None:
        share = shares(self._partitions, (instance for instance, leaving in live.items() if not leaving))
        to_ask: list[int] = []
        mine = {p for p, owner in share.items() if owner == self._instance}
        self._asked = {p: since for p, since in self._asked.items() if p in mine}
        for partition in sorted(mine - self._held - self._moves.keys()):
            holder = holdings.get(partition, Holding()).instance
            if self._may_take(partition, holder, live, judging):
                if self._asked.pop(partition, None) is not None:  # who hands over is given time for the rest
                    self._asked = dict.fromkeys(self._asked, self._monotonic())
                self._move(partition, self._take(partition, holder))
            elif holder in live and partition not in self._asked:
                to_ask.append(partition)
        if to_ask:
            await self._leases.ask(self._role, to_ask, self._instance)
            self._asked.update(dict.fromkeys(to_ask, self._monotonic()))

    def _may_take(self, partition: int, holder: str | None, live: Mapping[str, bool], judging: bool) -> bool:
        if holder is None or holder == self._instance:
            return len(self._moves) < TAKES_MAX
        if holder in live:
            asked = self._asked.get(partition)
            return asked is not None and self._monotonic() - asked > ASK_MICROS_MAX
        return judging  # only who is well itself judges others

    def _may_go(self, live: Mapping[str, bool]) -> bool:
        assert self._leaving_since is not None
        alone = not any(not leaving for leaving in live.values())
        late = self._monotonic() - max(self._leaving_since, self._progress) > ASK_MICROS_MAX
        return not self._held or alone or late

    async def _go(self) -> None:
        for partition in sorted(self._held - self._moves.keys()):
            self._move(partition, self._hand_over(partition))
        if not self._moves:
            await self._leases.release(self._instance)
            self._lease_until = 0
            self._gone.set()

    async def _take(self, partition: int, held_by: str | None) -> None:
        try:
            if held_by == self._instance or await self._leases.claim(self._role, partition, self._instance, held_by):
                self._fenced.discard(partition)
                await self._tenant.take(partition)
                self._held.add(partition)
                if partition in self._fenced:
                    self.fenced(partition)
        except ConnectionError:
            return  # the book says that it is ours or still whose it was: the next look tries again

    async def _hand_over(self, partition: int) -> None:
        await self._tenant.hand_over(partition)
        self._held.discard(partition)
        try:
            await self._leases.hand_over(self._role, partition, self._instance)
            self._given.add(partition)
        except LeaseLost:
            return  # who asked takes it after its waiting time

    def _move(self, partition: int, work: Coroutine[None, None, None]) -> None:
        self._moves[partition] = asyncio.create_task(work)

    def _reap(self) -> None:
        for partition, move in list(self._moves.items()):
            if move.done():
                del self._moves[partition]
                move.result()  # a bug of the tenant ends `run`

    def _pause(self) -> int:
        if self._asked or self._moves or self._leaving_since is not None:
            return LOOK_MICROS
        return max(LOOK_MICROS, self._renewed + RENEW_MICROS - self._monotonic())
