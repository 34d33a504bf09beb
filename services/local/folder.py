"""The data folder of one installation: who holds it, its passwords, logs and pid files. Errors say what to do."""

import fcntl
import os
import secrets
import shutil
from pathlib import Path

FREE_BYTES_MIN = 64 * 1024 * 1024


class FolderUnusable(Exception):
    """The data folder can't be used; the message says why and what to do."""


class Folder:
    """`DIR/{postgres,nats,log,run,secret}`; create it with `open`, which makes what is missing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    @classmethod
    def open(cls, path: Path) -> "Folder":
        """Make the folder where it is missing and check that it can hold data. Raises FolderUnusable."""
        folder = cls(path.expanduser().resolve())
        try:
            for part in (folder.path, folder.log, folder.run, folder.secret):
                part.mkdir(mode=0o700, parents=True, exist_ok=True)
            free = shutil.disk_usage(folder.path).free
        except OSError as error:
            raise FolderUnusable(f"can't use {folder.path}: {error.strerror}; choose another with --data") from error
        if free < FREE_BYTES_MIN:
            raise FolderUnusable(
                f"the disk of {folder.path} is full: {free >> 20} MiB free, {FREE_BYTES_MIN >> 20} needed; "
                "make room or choose another with --data"
            )
        return folder

    @property
    def log(self) -> Path:
        """Where the servers and services write what they have to say."""
        return self.path / "log"

    @property
    def run(self) -> Path:
        """Pid files and addresses of what runs now."""
        return self.path / "run"

    @property
    def secret(self) -> Path:
        """Generated passwords and keys, each a file that only its owner reads."""
        return self.path / "secret"

    def hold(self) -> None:
        """Claim the folder for this process until it ends, however it ends. Raises FolderUnusable if another has it, or
        if nothing can be written there."""
        try:
            handle = os.open(self.run / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise FolderUnusable(f"can't use {self.path}: {error.strerror}; choose another with --data") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(handle, 20).decode() or "?"
            os.close(handle)
            raise FolderUnusable(f"{self.path} is in use by process {holder.strip()}; stop it, or use --data") from None
        os.ftruncate(handle, 0)
        os.write(handle, str(os.getpid()).encode())
        self._lock = handle

    def release(self) -> None:
        """Give the claim back."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def password(self, name: str) -> str:
        """The password of that name, made on first use: 64 hex digits."""
        file = self.secret / name
        if not file.exists():
            write_private(file, secrets.token_hex(32))
        return file.read_text().strip()


def write_private(file: Path, text: str) -> None:
    """Write a file whole or not at all, readable by its owner only."""
    part = file.with_name(f".{file.name}.{os.getpid()}")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as output:
        output.write(text)
    part.replace(file)
