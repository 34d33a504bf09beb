"""Child processes that can't outlive us: started with a death signal where the kernel has one, and noted in a pid file
so that the next start finds what a killed predecessor left."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

PR_SET_PDEATHSIG = 1
LINUX: bool = sys.platform == "linux"
_libc = ctypes.CDLL(None, use_errno=True) if LINUX else None


class Process(Protocol):
    """A child, spawned or forked, by the names of subprocess.Popen."""

    @property
    def pid(self) -> int:
        """Its process id."""

    def poll(self) -> int | None:
        """None while it runs, else its exit status, negative if a signal ended it."""

    def send_signal(self, sig: int, /) -> None:
        """Send it a signal, if it still runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status. Raises subprocess.TimeoutExpired."""


@dataclass(frozen=True, slots=True)
class Person:
    """The user a child runs as, when that is not ours."""

    uid: int
    gid: int


def spawn(
    argv: Sequence[str | Path],
    *,
    log: Path,
    death: signal.Signals,
    env: Mapping[str, str] | None = None,
    person: Person | None = None,
    pass_fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own, output appended to `log`; it gets `death` when we die.

    Call it from the main thread: the kernel sends the signal when the *thread* that forked is gone. A session of its
    own keeps the terminal's Ctrl-C away from it, so that we alone decide the order in which things stop.
    """
    with log.open("ab") as output:
        return subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd="/" if person else None,
            env=env,
            pass_fds=tuple(pass_fds),
            start_new_session=True,
            preexec_fn=partial(die_with, os.getpid(), death),  # runs after the change of user, which would undo it
            user=person.uid if person else None,
            group=person.gid if person else None,
            extra_groups=[] if person else None,
        )


def die_with(parent: int, death: signal.Signals) -> None:
    """In a new child: have the kernel send us `death` when the parent is gone. Only Linux can."""
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, death)
        if os.getppid() != parent:  # it died before we asked
            os._exit(1)


def stop(process: Process, how: signal.Signals, seconds: float) -> None:
    """Ask with `how`, wait, then kill. Returns when it is gone."""
    if process.poll() is not None:
        return
    process.send_signal(how)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()


def note(pid_file: Path, pid: int) -> None:
    """Write down a child: its pid and when it was born, since pids come again. It runs, even if the disk is full."""
    with contextlib.suppress(OSError):
        pid_file.write_text(f"{pid} {_born(pid)}\n")


def stop_leftover(pid_file: Path, how: signal.Signals, seconds: float) -> bool:
    """Stop the process that an earlier run noted, if it is still that one; whether there was one."""
    try:
        pid_text, born = pid_file.read_text().strip().split(" ", 1)
    except (FileNotFoundError, ValueError):
        return False
    pid = int(pid_text)
    pid_file.unlink(missing_ok=True)
    if not born or _born(pid) != born:
        return False
    _end(pid, born, how, seconds)
    return True


def _end(pid: int, born: str, how: signal.Signals, seconds: float) -> None:
    until = time.monotonic() + seconds
    _signal(pid, how)
    while _born(pid) == born:
        if time.monotonic() > until:
            _signal(pid, signal.SIGKILL)
            until = time.monotonic() + seconds
        time.sleep(0.01)


def _signal(pid: int, how: signal.Signals) -> None:
    try:
        os.kill(pid, how)
    except ProcessLookupError:
        return


def _born(pid: int) -> str:
    """When a running process was started, in the system's own words; empty if it isn't running (or is a zombie)."""
    if LINUX:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            return ""
        return "" if fields[0] in "ZX" else fields[19]
    shown = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return shown.stdout.strip()
