"""Scoring on the bus: hears hints, owners, verdicts and questions, and runs the work, the auditor and the rater."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec
import structlog

from services.scoring import rater, searching
from services.scoring.answers import answer
from services.scoring.audit import Auditor
from services.scoring.bundles import Bundles
from services.scoring.port import Projections
from services.scoring.scorer import Scorer
from services.scoring.sequencer import Sequencer
from services.scoring.work import Work
from shared.bus import subjects
from shared.bus.port import Bus
from shared.eventlog.port import PARTITIONS, EventLog, Unreachable
from shared.leases.port import Leases
from shared.leases.tenancy import Tenancy
from shared.ledger.memory import MemoryLedger
from shared.ledger.port import Ledger
from shared.proof.keys import Keys
from shared.wire.courier import Courier
from shared.wire.messages import Frames, Here, Owner, decoder, encode
from shared.wire.owners import Owners
from shared.wire.questions import Page, Question, Search

BEAT_SECONDS = 1.0
LOOK_SECONDS = 2.0
QUESTIONS_MOST = 32
RATER_PARTITION = 0
SEQUENCER_PARTITION = 1

_log = structlog.get_logger()
_frames = decoder(Frames)
_owner = decoder(Owner)
_question = decoder(Question)
_search = decoder(Search)


class Scoring:
    """One instance. `clock` is monotonic, in seconds; `audit_rate` in records a second."""

    def __init__(
        self,
        bus: Bus,
        log: EventLog,
        leases: Leases,
        store: Projections,
        instance: str,
        clock: Callable[[], float] = time.monotonic,
        audit_rate: float = 500.0,
        ledger: Ledger | None = None,
        keys: Keys | None = None,
    ) -> None:
        """Without `keys` no round is sealed; without a `ledger` none is known to be."""
        ledger = ledger or MemoryLedger(tuple)
        self._bus, self._log, self._store, self._instance = bus, log, store, instance
        self._owners = Owners(bus, instance, clock)
        self._courier = Courier(bus, self._owners, instance, "scoring", clock)
        self._scorer = Scorer(lambda partition: Work(log, store, self._courier, instance, partition))
        self._tenancy = Tenancy(leases, instance, "scoring", self._scorer, PARTITIONS, lambda: int(clock() * 1_000_000))
        self._auditor = Auditor(log, store, lambda: self._scorer.partitions, audit_rate, ledger)
        self._bundles = Bundles(log, ledger)
        self._sequencer = None if keys is None else Sequencer(ledger, keys, _wall_micros, self._publish_checkpoint)
        self._asked: set[asyncio.Task[None]] = set()

    @property
    def working(self) -> bool:
        """Whether any partition is worked on here."""
        return bool(self._scorer.partitions)

    async def run(self) -> None:
        """Work until cancelled or drained. Raises what is a bug in any part."""
        hearing = [
            await self._bus.subscribe(subjects.to(self._instance, ">"), self._heard),
            await self._bus.subscribe(subjects.stopped("*"), self._hinted),
            await self._bus.subscribe(subjects.ASK_SCORING, partial(self._question, self._answer), queue="scoring"),
            await self._bus.subscribe(subjects.ASK_SEARCH, partial(self._question, self._search), queue="scoring"),
        ]
        try:
            async with asyncio.TaskGroup() as tasks:
                others = [
                    tasks.create_task(run) for run in (self._courier.run(), self._beat(), self._look(), self._rate())
                ]
                others.append(tasks.create_task(self._auditor.run()))
                if self._sequencer is not None:
                    others.append(tasks.create_task(self._sequencer.run(self._seals)))
                await tasks.create_task(self._tenancy.run())
                for other in others:
                    other.cancel()
        finally:
            for partition in self._scorer.partitions:
                await self._scorer.hand_over(partition)
            for subscription in hearing:
                await subscription.stop()

    async def drain(self) -> None:
        """Hand every partition over (SIGTERM); `run` then returns."""
        await self._tenancy.drain()

    async def _beat(self) -> None:
        while True:
            self._bus.publish(subjects.here("other"), encode(Here(self._instance)))
            self._scorer.check()
            await asyncio.sleep(BEAT_SECONDS)

    async def _look(self) -> None:
        """Hints make it immediate, and get lost: one question for all partitions, for most have nothing new."""
        while True:
            try:
                self._scorer.look(await self._log.ends())
            except Unreachable as outage:
                _log.warning("log_unreachable", outage=str(outage))
            await asyncio.sleep(LOOK_SECONDS)

    async def _rate(self) -> None:
        while True:
            try:
                if RATER_PARTITION in self._scorer.partitions:
                    await rater.rate_waiting(self._store)
            except Unreachable as outage:
                _log.warning("log_unreachable", outage=str(outage))
            await asyncio.sleep(rater.POLL_SECONDS)

    def _seals(self) -> bool:
        return SEQUENCER_PARTITION in self._scorer.partitions

    def _publish_checkpoint(self, note: str) -> None:
        self._bus.publish(subjects.CHECKPOINT, note.encode())

    def _heard(self, subject: str, payload: bytes, _: str | None) -> None:
        match subjects.what(subject):
            case "frames":
                for verdict in _frames.decode(payload).answers:
                    self._courier.answered(verdict)
            case "owner":
                self._owners.heard(_owner.decode(payload))
            case _:
                pass  # what comes back to `lost` needs no reading

    def _hinted(self, subject: str, _payload: bytes, _: str | None) -> None:
        self._scorer.hint(int(subject.rpartition(".")[2]))

    def _question(
        self, answer: Callable[[bytes], Awaitable[Page]], _subject: str, payload: bytes, reply: str | None
    ) -> None:
        if reply is None or len(self._asked) >= QUESTIONS_MOST:
            return  # the asker's time-out says so
        task = asyncio.create_task(self._reply(answer, payload, reply))
        self._asked.add(task)
        task.add_done_callback(self._asked.discard)

    async def _answer(self, payload: bytes) -> Page:
        return await answer(self._log, self._store, self._bundles, _question.decode(payload))

    async def _search(self, payload: bytes) -> Page:
        wanted = _search.decode(payload)
        found = await self._store.search(wanted)
        named = wanted.player is not None and wanted.after is None
        return searching.page(found, wanted.limit, await self._store.namesakes(wanted) if named else {})

    async def _reply(self, answer: Callable[[bytes], Awaitable[Page]], payload: bytes, reply: str) -> None:
        try:
            page = await answer(payload)
        except Unreachable:
            page = Page("not_ready")
        except msgspec.MsgspecError as fault:
            _log.warning("question_unreadable", fault=str(fault))
            return
        except Exception as fault:  # what is stored of one round can't be read; the asker's time-out says so
            _log.error("question_failed", exc_info=fault)
            return
        self._bus.publish(reply, encode(page))


def _wall_micros() -> int:
    return time.time_ns() // 1_000
