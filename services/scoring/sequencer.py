"""Seals awarded rounds: gives each its leaf in the site's log and signs the checkpoint that contains it.

It runs where one partition of scoring is held. Should two ever run, the ledger lets one of them through. Nothing is
signed that does not begin with what was signed before.
"""

import asyncio
from collections.abc import Callable, Sequence

import structlog

from services.scoring import metrics
from shared.eventlog.port import Unreachable
from shared.ledger.growing import grow
from shared.ledger.port import Ledger, Signed
from shared.proof import checkpoint, merkle
from shared.proof.checkpoint import Checkpoint
from shared.proof.keys import Keys
from shared.proof.note import BadNote
from shared.proof.seal import Leaf
from shared.proof.tree import Tree

SEALS_MOST = 256
POLL_SECONDS = 0.5
SAY_AGAIN_SECONDS = 2.0

_log = structlog.get_logger()


class Contradiction(Exception):
    """What is stored is not what was signed: nothing more may be signed until somebody has looked."""


class Sequencer:
    """`now` is the wall clock in µs, which a checkpoint's row carries and nothing rests on."""

    def __init__(self, ledger: Ledger, keys: Keys, now: Callable[[], int], publish: Callable[[str], None]) -> None:
        """`publish` is given the newest checkpoint's note: when it is new, and every 2 s for those who came later."""
        self._ledger, self._keys, self._origin = ledger, keys, keys.signer.name
        self._now, self._publish = now, publish
        self._tree = Tree()
        self._newest: Signed | None = None

    async def run(self, mine: Callable[[], bool]) -> None:
        """Seal until cancelled, while `mine` says that it is ours to do. A contradiction ends the sealing, loudly."""
        quiet = 0.0
        while True:
            try:
                if mine():
                    sealed = await self.seal_waiting()
                    quiet = SAY_AGAIN_SECONDS if sealed else quiet + POLL_SECONDS
                    if quiet >= SAY_AGAIN_SECONDS and self._newest is not None:
                        self._publish(self._newest.note)
                        quiet = 0.0
            except Unreachable as outage:
                _log.warning("log_unreachable", outage=str(outage))
            except Contradiction as fault:
                metrics.CONTRADICTIONS.inc()
                _log.critical("ledger_contradicts_what_was_signed", fault=str(fault))
                self._tree.cut(0)
                await asyncio.sleep(SAY_AGAIN_SECONDS)
            await asyncio.sleep(POLL_SECONDS)

    async def seal_waiting(self) -> int:
        """Seal what waits; how many. Raises Unreachable, Contradiction."""
        await self._catch_up()
        waiting = await self._ledger.unsealed(SEALS_MOST)
        if not waiting:
            return 0
        first = len(self._tree)
        for leaf in waiting:
            self._tree.append(merkle.leaf_hash(leaf.bytes))
        try:
            done = await self._append(first, waiting)
        except BaseException:
            self._tree.cut(first)
            raise
        if not done:
            self._tree.cut(first)
            return 0
        metrics.SEALED.inc(len(waiting))
        metrics.LEDGER.set(len(self._tree))
        return len(waiting)

    async def _append(self, first: int, waiting: Sequence[Leaf]) -> bool:
        before, made = self._newest, Checkpoint(self._origin, len(self._tree), self._tree.root())
        if before is not None and not merkle.consistent(
            before.size, made.size, before.root, made.root, self._tree.consistency(before.size)
        ):
            raise Contradiction(f"the tree of {made.size} does not begin with the one of {before.size}")
        signer = self._keys.signer
        signed = Signed(made.size, made.root, made.signed(signer), str(signer.verifier), self._now())
        done = await self._ledger.append(first, waiting, signed)
        if done:
            self._newest = signed
        return done

    async def _catch_up(self) -> None:
        """The tree of the newest checkpoint, from what is stored, and the check that this is what was signed."""
        newest = await self._ledger.newest()
        if (0 if newest is None else newest.size) < (0 if self._newest is None else self._newest.size):
            raise Contradiction("the stored log is shorter than what was signed")
        if newest is None or (newest == self._newest and newest.size == len(self._tree)):
            return
        self._tree.cut(min(len(self._tree), newest.size))
        if not await grow(self._tree, self._ledger, newest.size):
            raise Contradiction(f"leaf {len(self._tree)} of {newest.size} is missing")
        self._check(newest)
        self._newest = newest
        metrics.LEDGER.set(len(self._tree))

    def _check(self, newest: Signed) -> None:
        try:
            signed, _ = checkpoint.read(newest.note, self._keys.verifiers)
        except BadNote as problem:
            raise Contradiction(f"checkpoint {newest.size}: {problem}") from problem
        if (signed.size, signed.root) != (newest.size, self._tree.root()) or signed.root != newest.root:
            raise Contradiction(f"the leaves do not give the root of checkpoint {newest.size}")
        if signed.origin != self._origin:
            raise Contradiction(f"the log is {signed.origin}, not {self._origin}")
