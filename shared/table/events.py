"""What can have happened at a table, whatever is played there. The names are what is stored, for ever."""

from msgspec import Raw, field

from shared.kernel import Event


class TableCreated(Event, frozen=True):
    """A table stands: its game and rules revision, its house rules as canonical JSON, its host."""

    table: str
    game: str
    revision: int
    seats: int
    rules: Raw
    private: bool
    host: str


class SeatTaken(Event, frozen=True):
    """A person sits here now; `moved_from` is the seat they had before."""

    seat: int
    player: str
    moved_from: int | None


class BotAdded(Event, frozen=True):
    """A bot sits here now."""

    seat: int
    player: str
    level: str


class SeatFreed(Event, frozen=True):
    """Nobody sits here any more."""

    seat: int
    player: str


class SeatLeft(Event, frozen=True):
    """A player left a running round: their seat is freed at its end (T-SEAT-2)."""

    seat: int
    player: str


class PlayerConnected(Event, frozen=True):
    """`seat` is null for a host without one."""

    player: str
    seat: int | None
    cause: str


class PlayerDisconnected(Event, frozen=True):
    """`seat` is null for a host without one."""

    player: str
    seat: int | None
    cause: str


class HostPassed(Event, frozen=True):
    """Another is host now (T-HOST-2)."""

    player: str
    seat: int


class GameStarted(Event, frozen=True):
    """The first game starts, or a new one after another: points begin at 0."""


class RoundPrepared(Event, frozen=True):
    """A preparation began. `house` stays hidden until the Award; `commitment` is public at once."""

    house: str
    commitment: str
    deadline: int


class EntropyCommitted(Event, frozen=True):
    """A seat's client committed to its bytes; all see the hash."""

    seat: int
    hash: str


class ReadySaid(Event, frozen=True):
    """A seat is ready; `entropy` are the bytes that count for it, if any."""

    seat: int
    entropy: str | None


class RoundOpened(Event, frozen=True):
    """The round is open under this key, from which everything random in it follows (T-CHANCE-1)."""

    key: str


class RoundAwarded(Event, frozen=True):
    """The round's points; `winners` (maybe none) when they end the game, else null; `deadline` is the break's end."""

    points: tuple[int, ...]
    winners: tuple[int, ...] | None
    deadline: int | None


class BreakEnded(Event, frozen=True):
    """The next round is to be prepared at once."""


class TableSlept(Event, frozen=True):
    """Nobody is connected: what was running waits without a deadline (T-IDLE-1)."""


class TableWoke(Event, frozen=True):
    """Somebody is back: what was running begins anew (T-IDLE-1)."""


class TableResumed(Event, frozen=True):
    """The table had no owner for this time (T-LATE-1)."""

    since: int = field(name="from")
    until: int = field(name="to")


class TableStopped(Event, frozen=True):
    """A round that does not verify stopped the table (T-STOP-1)."""

    reason: str


class TableClosed(Event, frozen=True):
    """The table is over for good."""

    reason: str


ALL: tuple[type[Event], ...] = (
    TableCreated,
    SeatTaken,
    BotAdded,
    SeatFreed,
    SeatLeft,
    PlayerConnected,
    PlayerDisconnected,
    HostPassed,
    GameStarted,
    RoundPrepared,
    EntropyCommitted,
    ReadySaid,
    RoundOpened,
    RoundAwarded,
    BreakEnded,
    TableSlept,
    TableWoke,
    TableResumed,
    TableStopped,
    TableClosed,
)
