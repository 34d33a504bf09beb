"""Who is connected to one table, as the gateways say it (T-PRES-1). It records nothing: the keeper does."""

from collections.abc import Collection

SOCKET_MICROS = 5_000_000
"""So long after their last socket closed a player still counts as connected."""
REQUEST_MICROS = 15_000_000
"""So long after an HTTP request."""


class Presence:
    """Sockets by gateway, and until when (µs) those without a socket still count."""

    __slots__ = ("_held", "_until", "_watching")

    def __init__(self) -> None:
        self._held: dict[str, frozenset[str]] = {}
        self._watching: dict[str, int] = {}
        self._until: dict[str, int] = {}

    def hold(self, gateway: str, players: frozenset[str], watching: int, now: int) -> None:
        """A gateway said whom it holds here, all of them; nobody: it is forgotten."""
        for player in self._held.get(gateway, frozenset()) - players:
            self.linger(player, now + SOCKET_MICROS)
        if players or watching:
            self._held[gateway] = players
            self._watching[gateway] = watching
        else:
            self._held.pop(gateway, None)
            self._watching.pop(gateway, None)

    def touch(self, player: str, now: int) -> None:
        """They asked by HTTP, or sat down."""
        self.linger(player, now + REQUEST_MICROS)

    def linger(self, player: str, until: int) -> None:
        """Count them as connected until then at least."""
        self._until[player] = max(until, self._until.get(player, 0))

    def players_at(self, gateway: str) -> frozenset[str]:
        """Whom one gateway holds here."""
        return self._held.get(gateway, frozenset())

    def gateways(self) -> tuple[str, ...]:
        """Who holds anyone here."""
        return tuple(self._held)

    def watched_at(self, gateway: str) -> int:
        """How many sockets of nobody in particular that gateway has."""
        return self._watching.get(gateway, 0)

    def watching(self, seated: Collection[str | None]) -> int:
        """How many watch: sockets without a player, and players without a seat."""
        others = {player for players in self._held.values() for player in players if player not in seated}
        return sum(self._watching.values()) + len(others)

    def connected(self, player: str, now: int) -> bool:
        """Whether a socket is open, or lingers."""
        return self._until.get(player, 0) > now or any(player in players for players in self._held.values())

    def expire(self, now: int) -> bool:
        """Forget who lingered long enough; whether there was anyone."""
        gone = [player for player, until in self._until.items() if until <= now]
        for player in gone:
            del self._until[player]
        return bool(gone)

    @property
    def empty(self) -> bool:
        """Whether nobody is held and nobody lingers."""
        return not self._held and not self._until
