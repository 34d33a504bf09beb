"""What the dispute room's answers look like, for the OpenAPI document: scoring makes them, the gateway hands them on.

Times are µs since 1970; docs/disputes.md says what each part means, a test holds real answers against these.
"""

from pydantic import BaseModel, ConfigDict, Field

By = int | str
"""A seat, or who else sent it: "house", "scoring", "ops:…", "player"."""


class Exact(BaseModel):
    """Has these fields and no others."""

    model_config = ConfigDict(extra="forbid")


class Typed(BaseModel):
    """A command or an event: its type, and the fields of that type (docs/bundle.md lists them)."""

    model_config = ConfigDict(extra="allow")

    type: str


class Lost(Exact):
    """The record that won a race."""

    version: int
    by: By
    margin_us: int
    why: str | None = None


class Refusal(Exact):
    """Why a command was refused."""

    code: str
    lost_to: Lost | None = None
    wait_until: int | None = None


class CameBy(Exact):
    """How a command came in: claims of the client (`sent`) and the gateway (`received`), and the table's `arrived`."""

    gateway: str
    received: int
    arrived: int
    sent: int | None


class Outcome(Exact):
    """What a command would have led to: events, or a refusal."""

    at: int
    by: By
    command: Typed
    events: list[Typed] | None
    refused: Refusal | None


class Racer(Outcome):
    """One command of a race; claims are null where none was made."""

    version: int
    player: str | None
    sent: int | None
    received: int | None
    arrived: int | None
    committed: int | None


class Otherwise(Exact):
    """Had the loser been first: each command's outcome, all steps in order, and the table after the last."""

    loser: Outcome
    winner: Outcome | None
    steps: list[Outcome]
    public: dict[str, object]
    own: dict[str, dict[str, object]]


class Race(Exact):
    """The photo finish of a refused command and the record it lost to; `rule` is the number of the one that decides."""

    code: str
    rule: str | None
    margin_us: int
    why: str | None
    loser: Racer
    winner: Racer | None
    otherwise: Otherwise | None


class Scene(Exact):
    """One record and what was to be seen after it; a view that is absent is as in the scene before."""

    version: int
    at: int
    by: By
    player: str | None
    command: Typed
    events: list[Typed] | None
    refused: Refusal | None
    via: CameBy | None
    epoch: int
    hash: str
    commit: int | None
    committed: int | None
    shown: bool = Field(description="whether views were sent of this, not only of a later record of its commit")
    public: dict[str, object] = Field(default={}, description="everyone's view")
    own: dict[str, dict[str, object]] = Field(default={}, description="each seat's own view that changed")
    race: Race | None


class SeatThen(Exact):
    """Who sat there when the round began; `name` is null for who has none any more."""

    seat: int
    player: str | None
    bot: str | None
    name: str | None


class RoundHead(Exact):
    """The round itself: versions, chain hashes, when and how it ended."""

    table: str
    round: int
    game: str
    revision: int
    first: int
    last: int
    previous: str
    head: str
    started: int | None
    stopped: int | None
    how: str | None
    awarded: int | None
    points: list[int] | None
    sides: int
    seats: list[SeatThen]


class Replay(Exact):
    """A page of scenes; `next` is the `from` of the page behind it."""

    head: RoundHead
    scenes: list[Scene]
    next: int | None


class Hit(Exact):
    """A refused command, or a call in vain (its code is `lost_call`); `version` is a scene of that round's replay."""

    table: str
    round: int
    version: int
    seat: int | None
    player: str | None
    name: str | None
    game: str
    command: str
    code: str
    lost_to: int | None
    margin_us: int | None
    at: int


class Called(Exact):
    """Somebody of the name that was asked for."""

    player: str
    name: str


class Search(Exact):
    """A page of hits, the newest first; `next` is the `after` of the page behind it."""

    hits: list[Hit]
    next: str | None
    called: list[Called] = Field(description="in a first page: all of that name among everything that is found")
