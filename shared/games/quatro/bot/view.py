"""What a bot sees: the part of its seat's view that it looks at. Everything else in a view it never reads."""

from msgspec import Struct

from shared.games.quatro.cards import Card


class Channel(Struct, frozen=True):
    """A seat's channel as everyone sees it."""

    held: bool
    emoji: str | None
    next_beat: int | None


class Seat(Struct, frozen=True):
    """A seat as everyone sees it; `bot` is its level, or whether it is one."""

    player: str | None
    bot: str | bool | None
    team: int
    channel: Channel
    swap_ready_at: int | None


class Public(Struct, frozen=True):
    """The table as everyone sees it. `reshuffled`: the cards were dealt a second time."""

    seats: tuple[Seat, ...]
    phase: str
    round: int
    deadline: int | None
    centre: tuple[Card, ...]
    reshuffled: bool


class Own(Struct, frozen=True):
    """What only this seat sees."""

    seat: int
    hand: tuple[Card, ...]
    sign: str | None
    last_sign: str | None
    channel_ready_at: int | None
    emoji_next: str | None
    can: tuple[str, ...]


class View(Struct, frozen=True):
    """A whole frame of a seat."""

    public: Public
    own: Own
