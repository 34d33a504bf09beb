"""The gateways, bots services and others that live, by what they say every second."""

from dataclasses import dataclass

from shared.wire.messages import Here

SILENT_MICROS = 3_000_000


@dataclass(slots=True)
class Listener:
    """One that was heard of; `given` counts the bot seats given to it since it last said its load."""

    kind: str
    heard: int
    load: int
    given: int = 0


class Listeners:
    """Times in µs on a monotonic clock."""

    def __init__(self) -> None:
        self._all: dict[str, Listener] = {}

    def heard(self, kind: str, here: Here, now: int) -> bool:
        """Note that one lives; True: it was not known."""
        new = here.instance not in self._all
        self._all[here.instance] = Listener(kind, now, here.load)
        return new

    def silent(self, now: int) -> list[str]:
        """Those that were not heard for 3 s; they are forgotten."""
        gone = [name for name, listener in self._all.items() if now - listener.heard > SILENT_MICROS]
        for name in gone:
            del self._all[name]
        return gone

    def excuse(self, now: int) -> None:
        """Nobody could be heard until now: count from here."""
        for listener in self._all.values():
            listener.heard = now

    def lives(self, instance: str) -> bool:
        """Whether it was heard lately."""
        return instance in self._all

    def names(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(self._all)

    def for_a_bot(self) -> str | None:
        """The bots service that plays the fewest seats; None: none lives."""
        bots = [(one.load + one.given, name) for name, one in self._all.items() if one.kind == "bots"]
        if not bots:
            return None
        name = min(bots)[1]
        self._all[name].given += 1
        return name
