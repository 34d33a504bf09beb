"""What anyone can want of a table, whatever is played there. Shape and size are fixed here, meaning in `decide`."""

from typing import Annotated

from msgspec import Meta, Raw, field

from shared.kernel import Command

Number = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Text = Annotated[str, Meta(max_length=64)]
# A `$` lets a line's end follow; the length does not.
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
Chance = Annotated[str, Meta(pattern="^([0-9a-f]{64})?$", max_length=64)]
Entropy = Annotated[str, Meta(pattern="^([0-9a-fA-F]{2}){16,32}$", max_length=64)]


class CreateTable(Command, frozen=True):
    """The first record of a table; the creator is host (T-HOST-1). `rules`: the game's rules struct, canonical JSON."""

    table: Text
    game: Text
    revision: int
    seats: Number
    rules: Raw
    private: bool = False
    sit: bool = True


class Sit(Command, frozen=True):
    """Take a seat, or move to it; none named: the first that is free (T-SEAT-1)."""

    seat: Number | None = None


class Leave(Command, frozen=True):
    """Give up the own seat (T-SEAT-2)."""


class AddBot(Command, frozen=True):
    """The host puts a bot of some level in a seat (T-SEAT-1)."""

    seat: Number | None = None
    level: Text | None = None


class RemoveBot(Command, frozen=True):
    """The host takes a bot away."""

    seat: Number


class FreeSeat(Command, frozen=True):
    """The host frees another's seat, a bot's too."""

    seat: Number


class StartGame(Command, frozen=True):
    """The host starts the first game (T-START-1)."""


class NewGame(Command, frozen=True):
    """The host starts another game after the end of one (T-START-1)."""


class EndBreak(Command, frozen=True):
    """The host ends the break early, the house when its time is over (Q-TIME-2)."""


class CommitEntropy(Command, frozen=True):
    """A player's client commits to its bytes of chance, in the preparation (T-CHANCE-1)."""

    hash: Digest


class Ready(Command, frozen=True):
    """Ready for the round, revealing the bytes committed to; in a break: ready to go on (T-PREP-1, Q-TIME-2)."""

    entropy: Entropy | None = None


class Connect(Command, frozen=True):
    """The house: a seated player, or the host, is connected from now on (T-PRES-1)."""

    player: Text
    cause: Text


class Disconnect(Command, frozen=True):
    """The house: a seated player, or the host, is no longer connected (T-PRES-1)."""

    player: Text
    cause: Text


class Prepare(Command, frozen=True):
    """The house: a preparation begins. `house` is its 32 bytes of chance, empty until the handler fills them in."""

    house: Chance = ""


class Open(Command, frozen=True):
    """The house: the round opens and is dealt (T-PREP-1)."""


class PassHost(Command, frozen=True):
    """The house: the host's rights pass on (T-HOST-2)."""


class FreeAbsent(Command, frozen=True):
    """The house: a seat whose player has been away is freed (T-SEAT-3)."""

    seat: int


class Resumed(Command, frozen=True):
    """The house: the table had no owner from its last record until now (T-LATE-1)."""

    since: int = field(name="from")
    until: int = field(name="to")


class Close(Command, frozen=True):
    """The house or an operator closes the table (T-IDLE-1)."""

    reason: Text


class Award(Command, frozen=True):
    """Scoring: a stopped round, verified up to `version` with hash `head`, gives these points (T-AWARD-1)."""

    points: tuple[Number, ...]
    head: Digest
    version: int


class Stop(Command, frozen=True):
    """Scoring: the stopped round does not verify (T-STOP-1)."""

    reason: Annotated[str, Meta(max_length=1000)]


PLAYERS: tuple[type[Command], ...] = (
    Sit,
    Leave,
    AddBot,
    RemoveBot,
    FreeSeat,
    StartGame,
    NewGame,
    EndBreak,
    CommitEntropy,
    Ready,
)
HOUSE: tuple[type[Command], ...] = (Connect, Disconnect, Prepare, Open, PassHost, FreeAbsent, Resumed, EndBreak, Close)
SCORING: tuple[type[Command], ...] = (Award, Stop)
OPERATORS: tuple[type[Command], ...] = (Close,)
ALL: tuple[type[Command], ...] = tuple(dict.fromkeys((CreateTable, *PLAYERS, *HOUSE, *SCORING, *OPERATORS)))
