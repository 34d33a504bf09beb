"""What a table remembers of commands, so that the same (player, id) gets the same verdict (T-ID-1)."""

from dataclasses import dataclass, field

from msgspec import Struct


@dataclass(slots=True)
class Remembered:
    """A recorded command: what it said, and its verdict once committed; until then who waits for it."""

    command: Struct
    verdict: bytes | None = None
    gateways: list[str] = field(default_factory=list)


class Recall:
    """The commands of this round and the last."""

    __slots__ = ("_last", "_this")

    def __init__(self) -> None:
        self._this: dict[tuple[str, str], Remembered] = {}
        self._last: dict[tuple[str, str], Remembered] = {}

    def find(self, player: str, id: str) -> Remembered | None:
        """What is remembered of this player's command."""
        key = player, id
        return self._this.get(key) or self._last.get(key)

    def add(self, player: str, id: str, command: Struct) -> Remembered:
        """Remember a command that is being recorded."""
        remembered = self._this[player, id] = Remembered(command)
        return remembered

    def turn(self) -> None:
        """A round is over: what was this round is now the last."""
        self._last, self._this = self._this, {}
