"""Decides every record of a log again, some tables at a time, on as many processes as there are cores."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import closing
from itertools import islice

from services.cli.checking import Checked, Done, Scope, Worker

ROWS_BATCH = 4_000
TABLES_BATCH = 64


def check_all(
    url: str,
    scope: Scope,
    processes: int,
    tell: Callable[[Checked], None],
    sizes: Mapping[str, int] | None = None,
) -> float:
    """Verify on several processes; `tell` is called for each table as it is done. Raises Unreachable.

    `sizes` says how many records a table has, as far as that is known. The result is the CPU time (s) of the work.
    """
    batches, cpu = _batches(scope, sizes or {}), 0.0
    for done in _alone(url, batches) if processes == 1 or len(scope.tables) == 1 else _shared(url, batches, processes):
        cpu += done.cpu
        for checked in done.checked:
            tell(checked)
    return cpu


def cores() -> int:
    """How many processes can run at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _batches(scope: Scope, sizes: Mapping[str, int]) -> Iterator[Scope]:
    """Tables that are read with one query: about ROWS_BATCH records, so that progress is seen and kept often."""
    batch: list[str] = []
    records = 0
    for table in scope.tables:
        size = sizes.get(table, ROWS_BATCH // TABLES_BATCH)
        if batch and (records + size > ROWS_BATCH or len(batch) == TABLES_BATCH):
            yield Scope(tuple(batch), scope.round)
            batch, records = [], 0
        batch.append(table)
        records += size
    if batch:
        yield Scope(tuple(batch), scope.round)


def _alone(url: str, batches: Iterator[Scope]) -> Iterator[Done]:
    with closing(Worker(url)) as worker:
        yield from map(worker.work, batches)


def _shared(url: str, batches: Iterator[Scope], processes: int) -> Iterator[Done]:
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=spawn, initializer=_begin, initargs=(url,)) as pool:
        running = {pool.submit(_work, batch) for batch in islice(batches, 2 * processes)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(_work, batch) for batch in islice(batches, len(done))}
            for future in done:
                yield future.result()


_workers: list[Worker] = []
"""In a process of the pool its one worker, whose connection lasts as long as the process."""


def _begin(url: str) -> None:
    _workers.append(Worker(url))


def _work(batch: Scope) -> Done:
    return _workers[0].work(batch)
