"""Signed receipts for those who asked: one signature over a commit, made only when somebody wants one from it."""

import msgspec
from msgspec import structs

from shared.eventlog.port import Entry
from shared.proof.note import Signer
from shared.proof.receipt import receipts


class Receipts:
    """What is wanted of records under way, and what was signed of those committed."""

    def __init__(self, signer: Signer | None, instance: str) -> None:
        """Without a key nothing is signed, and verdicts come without."""
        self._signer = signer
        self._instance = instance
        self._wanted: set[tuple[str, int]] = set()
        self._signed: dict[tuple[str, int], bytes] = {}

    def want(self, table_id: str, version: int) -> None:
        """A receipt is wanted of this record."""
        if self._signer is not None:
            self._wanted.add((table_id, version))

    def committed(self, entry: Entry) -> None:
        """A commit is in the log: sign it if any of its records is wanted."""
        if not self._wanted or self._signer is None:
            return
        places = {(row.table_id, row.version): place for place, row in enumerate(entry.rows)}
        wanted = self._wanted & places.keys()
        if wanted:
            self._wanted -= wanted
            made = receipts(
                self._signer,
                self._instance,
                entry.tenure.partition,
                entry.tenure.n + 1,
                [row.hash for row in entry.rows],
                [places[key] for key in wanted],
            )
            for key in wanted:
                place = places[key]
                noted = {"table": key[0], "round": entry.rows[place].round}  # for whoever keeps it; not signed
                self._signed[key] = msgspec.json.encode({**structs.asdict(made[place]), **noted})

    def take(self, table_id: str, version: int) -> bytes | None:
        """The signed part of a verdict as JSON, once."""
        return self._signed.pop((table_id, version), None) if self._signed else None

    def forget(self, table_id: str, version: int) -> None:
        """The record was not committed by us."""
        self._wanted.discard((table_id, version))
        self._signed.pop((table_id, version), None)
