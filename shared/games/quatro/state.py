"""The state of one round of Quatro: immutable, and all that the rules need to know. Times are µs."""

from msgspec import Struct

from shared.games.quatro.cards import Card, Hand, Replaced
from shared.games.quatro.rules import Rules
from shared.kernel import LostTo, Stop, Table


class Taken(Struct, frozen=True, gc=False):
    """The event that last took a card from a place: a seat's swap, or the reshuffle (`seat` None) (Q-SWAP-3)."""

    version: int
    at: int
    seat: int | None

    def lost(self, at: int) -> LostTo:
        """What a swap that comes at `at` lost to."""
        margin = at - self.at
        if self.seat is None:
            return LostTo(self.version, "house", margin, "reshuffle")
        return LostTo(self.version, self.seat, margin)


class Channel(Struct, frozen=True):
    """A seat's channel. `chosen` goes out at the next beat in place of `emoji`; `changed`: last taken or given."""

    held: bool = False
    emoji: str | None = None
    chosen: str | None = None
    next_beat: int | None = None
    changed: int | None = None


class Vote(Struct, frozen=True):
    """An open vote. `agreed` is without the asker; `moved` is when it was asked or last answered."""

    asker: int
    agreed: tuple[int, ...]
    deadline: int
    moved: int


class Verdict(Struct, frozen=True):
    """How the round stopped. `team`: the caller's, or the accused; None, as `right`, when time stopped it."""

    stop: Stop
    team: int | None = None
    right: bool | None = None


class Carry(Struct, frozen=True):
    """What the next round needs to know: each team's last sign (Q-SIGN-5)."""

    signs: tuple[str, ...]


class State(Struct, frozen=True):
    """One round, from the first moment of its preparation. Until the deal hands and centre are empty.

    `taken` has for each place the cards that lay there since the deal; it is never changed in place, only replaced.
    """

    rules: Rules
    signs: tuple[str | None, ...]
    last_signs: tuple[str | None, ...]
    hands: tuple[Hand, ...]
    swap_ready: tuple[int | None, ...]
    channels: tuple[Channel, ...]
    centre: Hand = ()
    taken: tuple[dict[Card, Taken], ...] = ({}, {}, {}, {})
    replaced: tuple[Replaced, ...] = ()
    ends: int | None = None
    vote: Vote | None = None
    vote_ready: int | None = None
    reshuffled: bool = False
    verdict: Verdict | None = None

    @property
    def open(self) -> bool:
        """Whether cards can be played."""
        return self.ends is not None and self.verdict is None


def begin(table: Table, rules: Rules, carry: Carry | None) -> State:
    """The state of a round when its preparation begins."""
    seats = len(table.seats)
    nothing: tuple[str | None, ...] = (None,) * (seats // 2)
    return State(
        rules=rules,
        signs=nothing,
        last_signs=carry.signs if carry else nothing,
        hands=((),) * seats,
        swap_ready=(None,) * seats,
        channels=(Channel(),) * seats,
    )


def team(seats: int, seat: int) -> int:
    """Q-SEAT-2."""
    return seat % (seats // 2)


def partner(seats: int, seat: int) -> int:
    """Q-SEAT-2: the seat across."""
    return (seat + seats // 2) % seats


def stop(play: State) -> Stop | None:
    """What stopped the round."""
    return play.verdict.stop if play.verdict else None


def carry_of(play: State) -> Carry:
    """The signs of a round that was opened: each team has one."""
    return Carry(tuple(sign for sign in play.signs if sign is not None))


def passes(table: Table, vote: Vote) -> bool:
    """Q-VOTE-3: every human connected now, the asker aside, has agreed."""
    return all(seat == vote.asker or seat in vote.agreed or not each.present for seat, each in enumerate(table.seats))
