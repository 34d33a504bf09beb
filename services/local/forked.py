"""A child that goes on from what this process has already loaded, so that a service is up again milliseconds after it
died. Only for a process without threads or a running event loop, as `quartet up` is."""

import ctypes
import gc
import os
import random
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path

from services.local import process

HANDLED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Forked:
    """A forked child; see process.Process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._status: int | None = None

    def poll(self) -> int | None:
        """None while it runs, else its exit status, negative if a signal ended it."""
        if self._status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._status = os.waitstatus_to_exitcode(status)
        return self._status

    def send_signal(self, sig: int, /) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, sig)

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status. Raises subprocess.TimeoutExpired."""
        until = None if timeout is None else time.monotonic() + timeout
        while (status := self.poll()) is None:
            if until is not None and time.monotonic() > until:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            time.sleep(0.01)
        return status


def fork(title: str, run: Callable[[], None], environment: Mapping[str, str], log: Path) -> Forked:
    """Run a function in a child with this environment, its output appended to `log`; it is killed when we die."""
    sys.stdout.flush()
    sys.stderr.flush()
    gc.freeze()  # what is loaded stays shared between the processes
    parent = os.getpid()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HANDLED)
    pid = os.fork()
    if pid == 0:
        _be_child(title, run, environment, log, parent, before)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return Forked(pid)


def _be_child(
    title: str,
    run: Callable[[], None],
    environment: Mapping[str, str],
    log: Path,
    parent: int,
    mask: set[signal.Signals | int],
) -> None:
    status = 1
    try:
        process.die_with(parent, signal.SIGKILL)
        os.setsid()
        _redirect(log)
        for number in HANDLED:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.environ.clear()
        os.environ.update(environment)
        random.seed()
        show_title(title)
        run()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)  # what the parent wanted done at its end is not ours to do


def _redirect(log: Path) -> None:
    """Standard streams to the log; what else the parent has open is closed, its lock on the data among it."""
    output = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.closerange(3, 1024)


def show_title(title: str) -> None:
    """Show what we are in `ps`: write over our own command line, whose place /proc tells. Only Linux."""
    if not process.LINUX:
        return
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    start, end = int(fields[45]), int(fields[46])
    if 0 < start < end:
        ctypes.memmove(start, title.encode()[: end - start - 1].ljust(end - start, b"\0"), end - start)
