"""Tables that an earlier verification found good, kept in a file so that a later one goes on where it stopped."""

from pathlib import Path

import msgspec

from services.cli.checking import Checked


class Verified:
    """One JSON line a table, appended as it is verified; a line cut short by a crash is not counted."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._known: dict[str, Checked] = {}
        lines = file.read_bytes().splitlines() if file is not None and file.exists() else []
        for line in lines:
            try:
                checked = msgspec.json.decode(line, type=Checked)
            except msgspec.DecodeError:
                continue
            self._known[checked.table] = checked

    def find(self, table: str) -> Checked | None:
        """What was found of this table."""
        return self._known.get(table)

    def add(self, checked: Checked) -> None:
        """Keep a good one."""
        if self._file is not None and checked.fault is None:
            with self._file.open("ab") as file:
                file.write(msgspec.json.encode(checked) + b"\n")
