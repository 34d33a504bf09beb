"""The seats one instance plays, by table and by partition."""

from collections.abc import Iterator

from services.bots.seat import Seat
from shared.eventlog.port import partition_of
from shared.wire.messages import Held, HeldTable


class Places:
    """Finds a seat by (table, player), and everything of a partition without looking at the rest."""

    def __init__(self) -> None:
        self._seats: dict[str, dict[str, Seat]] = {}
        self._tables: dict[int, set[str]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._seats.values()))

    def __iter__(self) -> Iterator[Seat]:
        return (seat for players in self._seats.values() for seat in players.values())

    def find(self, table: str, player: str) -> Seat | None:
        """The seat, if it is played here."""
        return self._seats.get(table, {}).get(player)

    def put(self, seat: Seat) -> None:
        """Play this seat from now on."""
        self._seats.setdefault(seat.given.table, {})[seat.given.player] = seat
        self._tables.setdefault(partition_of(seat.given.table), set()).add(seat.given.table)

    def drop(self, seat: Seat) -> None:
        """Play it no more."""
        seat.stop()
        players = self._seats[seat.given.table]
        del players[seat.given.player]
        if not players:
            del self._seats[seat.given.table]
            self._tables[partition_of(seat.given.table)].discard(seat.given.table)

    def held(self, instance: str) -> Iterator[tuple[int, Held]]:
        """What is held of each partition; a partition of which nothing is left is told once, with nothing."""
        for partition in tuple(self._tables):
            yield partition, self.held_of(instance, partition)
            if not self._tables[partition]:
                del self._tables[partition]

    def held_of(self, instance: str, partition: int) -> Held:
        """What is held of one partition."""
        tables = sorted(self._tables.get(partition, ()))
        return Held(instance, tuple(HeldTable(table, tuple(sorted(self._seats[table]))) for table in tables))
