"""What a game is, to everything that is not a game: a frozen record of pure functions over immutable values.

Nothing here or in a game reads a clock, a random source or the world: time and chance are data in commands.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Literal, Protocol

from msgspec import Struct

House = Literal["house"]
HOUSE: House = "house"
By = int | House
"""Who sends a command to a game: a seat, or the house."""

SECOND = 1_000_000
"""Times and spans are integers in microseconds; this many make a second."""


class Command(Struct, frozen=True, forbid_unknown_fields=True, tag=True):
    """What someone wants: an imperative. Its class name is its stored tag; fields come from outside and are checked."""


class Event(Struct, frozen=True, tag=True):
    """What happened: a past fact, stored for ever under its class name."""


class Moment(Struct, frozen=True, gc=False):
    """When a record is decided: its version in the table's log and its time in µs."""

    version: int
    at: int


class LostTo(Struct, frozen=True, omit_defaults=True):
    """The record that won a race: its version, who sent it (a seat, or the house and why), and by how much it won."""

    version: int
    by: By
    margin_us: int
    why: str | None = None


class Refused(Struct, frozen=True, omit_defaults=True):
    """A refusal is a value: the rule's code, what a race was lost to, or until when (µs) to wait."""

    code: str
    lost_to: LostTo | None = None
    wait_until: int | None = None


Decision = Refused | tuple[Event, ...]


class Seat(Struct, frozen=True, omit_defaults=True):
    """A place at a table. `since`: when `connected` last changed or they sat down; `left`: it is freed at the Award.

    `player` is a random id, for bots too; `bot` is a bot's level. Names are never here.
    """

    player: str | None = None
    bot: str | None = None
    connected: bool = False
    since: int = 0
    left: bool = False

    @property
    def human(self) -> bool:
        """Whether a person sits here (one who left a running round does not)."""
        return self.player is not None and self.bot is None and not self.left

    @property
    def present(self) -> bool:
        """Whether a connected person sits here."""
        return self.connected and self.human


class Table(Struct, frozen=True):
    """What a game may know of its table. `host_seat` is None when the host has no seat; `key` exists once opened."""

    id: str
    seats: tuple[Seat, ...]
    host_seat: int | None
    round: int
    points: tuple[int, ...]
    key: bytes | None = None


class Order(IntEnum):
    """Which of several deadlines at one time comes first (T-LATE-2); beats go by seat."""

    END_OF_ROUND = 0
    END_OF_VOTE = 1
    BEAT = 2
    END_OF_TURN = 3
    HOST = 4
    FREE_SEAT = 5
    OPENING = 6
    END_OF_BREAK = 7
    CLOSING = 8
    OTHER = 9


class Deadline(Struct, frozen=True):
    """A house command that falls due. `own_time`: decided at its own time even when found late (T-LATE-1)."""

    at: int
    order: Order
    command: Command
    own_time: bool = False
    seat: int = 0


class Stop(Struct, frozen=True):
    """What stopped a round: the record's version and time, who, and how ("call", "counter", "time", ...)."""

    version: int
    at: int
    by: By
    how: str


class BadRules(Struct, frozen=True):
    """House rules that can't be: every fault in words, each with what is allowed."""

    faults: tuple[str, ...]


class Random(Protocol):
    """The part of random.Random that a bot may use."""

    def random(self) -> float: ...
    def randrange(self, stop: int, /) -> int: ...


class Thought(Struct, frozen=True):
    """A bot's next step: its memory, what it will send (None: nothing), and after how long (µs) if no new view comes.

    With no command the mind is asked again after `delay_us`; a new view always asks it anew.
    """

    memory: object
    command: Command | None
    delay_us: int


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot's mind, pure: it sees what its seat sees and nothing else. `view` decodes `{"public":…,"own":…}`."""

    levels: tuple[str, ...]
    view: type[Struct]
    think: Callable[[Any, object | None, int, Random, str], Thought]
    """(view, memory or None at first, now in µs, random, level) -> Thought"""


class Fault(Struct, frozen=True):
    """One thing wrong in what someone wants to load: its line (from 1; 0: the whole file), a code, and words."""

    line: int
    code: str
    words: str


class Loaded(Struct, frozen=True):
    """Checked data that a house rule can hold. `text` is canonical JSON, `hash` its SHA-256 in hex.

    `pictures` are the hashes of the PNGs that it refers to, to be kept beside it.
    """

    name: str
    language: str | None
    hash: str
    text: bytes
    pictures: tuple[str, ...] = ()


class Check(Protocol):
    """Judges a file that someone wants to load; `name` is for a kind of file that holds none."""

    def __call__(self, file: bytes, kind: str, name: str = "") -> Loaded | tuple[Fault, ...]: ...


@dataclass(frozen=True, slots=True)
class Loader:
    """How data of one's own come into a game: `rule` is the house rule that takes a shipped name or the text."""

    rule: str
    kinds: tuple[str, ...]
    bytes_max: int
    check: Check
    """What was loaded, or every fault: what has one is refused as a whole."""
    shipped: Callable[[], Mapping[str, Loaded]]
    """What the product brings, by the name that the house rule takes."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game. `play` is its state of one round, `rules` its house rules; both are its own frozen structs.

    Message classes derive from Command and Event. `own` and `public` hold only what the game adds to the table's view.
    """

    name: str
    revision: int
    seat_counts: tuple[int, ...]
    rules: type[Struct]
    play: type[Struct]
    carry: type[Struct]
    commands: tuple[type[Command], ...]
    preparing_commands: frozenset[type[Command]]
    """Those of `commands` that belong to the preparation (PickSign), not to the open round."""
    house_commands: tuple[type[Command], ...]
    events: tuple[type[Event], ...]

    read_rules: Callable[[Mapping[str, object], int], Struct | BadRules]
    """The creator's JSON and the number of seats -> rules; seconds with up to three decimals become integer ms."""
    rules_schema: Callable[[], dict[str, object]]
    """JSON Schema of what read_rules takes, with defaults and ranges."""
    prepare_us: Callable[[Any], int]
    break_us: Callable[[Any], int]
    sides: Callable[[int], int]
    """Number of seats -> length of the points (teams or players)."""

    begin: Callable[[Table, Any, Any | None], Any]
    """(table, rules, carry or None) -> play when a preparation begins. Carry is what `carry_of` gave last round."""
    open: Callable[[Table, Any, Moment], tuple[Event, ...]]
    """(table with its key, play, now) -> the deal; then play is open."""
    decide: Callable[[Table, Any, By, Any, Moment], Decision]
    """(table, play, by, command, now): phase, seat and round were checked by the table."""
    evolve: Callable[[Table, Any, Any, Moment], Any]
    """(table, play, event, now) -> play; total, an impossible event is a crash."""
    resume: Callable[[Table, Any, Moment], Any]
    """play after Resumed (T-LATE-1): what was due otherwise begins at now; nobody gets time back."""
    wake: Callable[[Table, Any, Moment], Any]
    """play after a sleep (T-IDLE-1): what was running begins anew at now."""
    sleeps: Callable[[Any], bool]
    """Whether this house command (EndTurn) puts a table without connected humans to sleep."""
    deadlines: Callable[[Table, Any], tuple[Deadline, ...]]
    """What is due in an open round, at once for what needs chance or is already decided; empty once stopped."""
    stop: Callable[[Any], Stop | None]
    """What stopped the round, None while it is open."""
    award: Callable[[Table, Any], tuple[int, ...]]
    """The points of a stopped round, one a side."""
    winners: Callable[[Any, tuple[int, ...], Any], tuple[int, ...] | None]
    """(rules, points with this round's, stopped play) -> winning sides, () for nobody; None: the game goes on."""
    carry_of: Callable[[Any], Any]
    """stopped play -> carry, what the next round needs to know."""

    seat_view: Callable[[Table, Any | None, int], dict[str, object]]
    """(table, play, seat) -> what everyone sees at that seat; play is None outside preparation, round and scoring."""
    public: Callable[[Table, Any, Any | None, Any | None], dict[str, object]]
    """(table, rules, carry, play) -> the game's part of the public view; `deadline` in an open round is its own."""
    own: Callable[[Table, Any | None, int], dict[str, object]]
    """(table, play, seat) -> what this seat sees besides; `can` (or `can_ask`) lists only the game's commands."""
    last_round: Callable[[Table, Any], dict[str, object]]
    """(table, stopped play) -> how, hands and whatever else is shown from the stop on; JSON values only."""
    news: Callable[[Table, Any, int | None], dict[str, object] | None]
    """(table, event, seat or None for watchers) -> the headline for that audience, built from nothing; None: none."""
    bot: Bot
    host_commands: frozenset[type[Command]] = frozenset()
    """Those of `commands` that are the host's (PassAbsent): others are refused `not_host`, `by` does not count."""
    loads: Loader | None = None
    """Data of people's own (Kwartet's packs); None: there are none."""
    draw: Callable[[Any, int], str] = lambda play, at: ""
    """(play, now) -> the whole round as people read it, every card open: for replays of finished rounds only."""
    touches: Callable[[Any], int | None] = lambda event: None
    """Event -> the only seat whose own view it can change; None: any seat's. Spares the table the others' views."""
    alike: frozenset[type[Event]] = frozenset()
    """Events whose headline is one and the same for every audience. Spares the table making it for each."""
    races: Mapping[str, str] = field(default_factory=dict)
    """Refusal code -> number of the rule that decides such a race."""
    telling: frozenset[str] = frozenset()
    """Refusal codes that tell of what others may not know: outside a verdict (metrics) they are not told apart."""
    quiet: frozenset[type[Event]] = frozenset()
    """Events that never stop a round: who keeps lobby and history need not look at records of these alone."""
