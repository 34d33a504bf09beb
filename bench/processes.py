"""CPU seconds and memory of the processes of one data folder, by name; Postgres with all its children."""

import contextlib
import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def pids(data: Path) -> dict[str, int]:
    """Name -> process id of everything that runs on this folder."""
    found = {}
    for file in sorted((data / "run").glob("*.pid")):
        words = file.read_text().split()
        if words:
            found[file.stem] = int(words[0])
    return found


def cpu_seconds(pid: int) -> float:
    """User and system time of a process and of its children, the ended ones too."""
    own = _ticks(pid)
    return (own + sum(_ticks(child) for child in _children(pid))) / TICKS


def stolen() -> tuple[int, int]:
    """Ticks of all cores so far: those that a host kept for others though we wanted them, and all."""
    with contextlib.suppress(OSError):
        ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
        return ticks[7], sum(ticks)
    return 0, 0


def resident_bytes(pid: int) -> int:
    """Resident memory of one process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE


def _ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0
    return sum(int(field) for field in fields[11:15])


def _children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(fields[1]) == pid:
                found.append(int(entry.name))
    return found
