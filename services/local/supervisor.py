"""Keeps processes running: one that dies is started again, at once if it had lived for a while, else after a growing
pause. Single-threaded and without an event loop, so that it may fork and is what the kernel's death signal watches."""

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from services.local import process
from services.local.process import Process

STEADY_SECONDS = 5.0
PAUSE_SECONDS = 0.1
PAUSE_SECONDS_MAX = 5.0
LOOK_SECONDS = 0.02

Tell = Callable[[str], None]


class Startable(Protocol):
    """Something that runs as a process: a server or a service."""

    process: Process | None

    def start(self) -> None:
        """Start it, or start it again. Raises OSError or ServerFailed."""


class ServerFailed(Exception):
    """It did not come up; the message says why."""


@dataclass(slots=True)
class Member:
    """One supervised process. Those of a lower `rank` are stopped first."""

    name: str
    runs: Startable
    rank: int
    how: signal.Signals
    seconds: float
    failures: int = 0
    started: float = 0.0
    again_at: float | None = None


@dataclass(slots=True)
class Supervisor:
    """Members in the order they were started."""

    tell: Tell
    members: list[Member] = field(default_factory=list)

    def add(self, name: str, runs: Startable, rank: int, how: signal.Signals, seconds: float) -> None:
        """Watch something that was started; `how` and `seconds` are for stopping it."""
        self.members.append(Member(name, runs, rank, how, seconds, started=time.monotonic()))

    def watch(self, stopping: Callable[[], bool], spare: Iterator[None]) -> None:
        """Start what dies again until `stopping` says so; between two looks do a step of the `spare` work."""
        while not stopping():
            for member in self.members:
                self._look(member, time.monotonic())
            next(spare, None)
            time.sleep(LOOK_SECONDS)

    def stop(self, hurry: Callable[[], bool]) -> None:
        """Stop all, rank by rank; those of one rank together. When `hurry` says so the rest is killed."""
        for rank in sorted({member.rank for member in self.members}):
            group = [member for member in self.members if member.rank == rank]
            _stop_together(group, hurry)
        self.members.clear()

    def _look(self, member: Member, now: float) -> None:
        running = member.runs.process
        if member.again_at is None and running is not None and (status := running.poll()) is not None:
            steady = now - member.started > STEADY_SECONDS
            member.failures = 0 if steady else member.failures + 1
            pause = min(PAUSE_SECONDS * 2 ** (member.failures - 1), PAUSE_SECONDS_MAX) if member.failures else 0.0
            member.again_at = now + pause
            self.tell(f"{member.name} {ended(status)}; starting it again" + (f" in {pause:.1f} s" if pause else ""))
        if member.again_at is not None and now >= member.again_at:
            self._start(member, now)

    def _start(self, member: Member, now: float) -> None:
        try:
            member.runs.start()
        except (OSError, ServerFailed) as error:
            member.failures += 1
            member.again_at = now + PAUSE_SECONDS_MAX
            self.tell(f"{member.name} does not start: {error}; trying again in {PAUSE_SECONDS_MAX:.0f} s")
        else:
            member.started, member.again_at = now, None


def ended(status: int) -> str:
    """How a process ended, in words."""
    if status >= 0:
        return f"ended with status {status}"
    return f"was ended by {signal.Signals(-status).name}"


def _stop_together(group: Sequence[Member], hurry: Callable[[], bool]) -> None:
    running = [(member, member.runs.process) for member in group if member.runs.process is not None]
    for member, child in running:
        child.send_signal(member.how)
    until = time.monotonic() + max((member.seconds for member, _ in running), default=0)
    while any(child.poll() is None for _, child in running) and time.monotonic() < until and not hurry():
        time.sleep(LOOK_SECONDS)
    for _, child in running:
        process.stop(child, signal.SIGKILL, 5)
