"""What happens in a round of Quatro, as it is stored for ever. `seat` is who did it; cards are written `QS`."""

from typing import Literal

from shared.games.quatro.cards import Card, Hand, Replaced
from shared.kernel import Event


class SignPicked(Event, frozen=True):
    """The first of two partners picked the team's sign (Q-SIGN-2)."""

    seat: int
    team: int
    sign: str


class SignDrawn(Event, frozen=True):
    """A team that picked none got one at random (Q-SIGN-4)."""

    team: int
    sign: str


class HandsDealt(Event, frozen=True):
    """The deal of the opening (Q-DEAL-1); with it the round is open."""

    hands: tuple[Hand, ...]
    centre: Hand
    replaced: tuple[Replaced, ...]


class CardSwapped(Event, frozen=True):
    """`given` lies in the place from now on, `taken` is in the seat's hand (Q-SWAP-2)."""

    seat: int
    place: int
    given: Card
    taken: Card


class ChannelTaken(Event, frozen=True):
    """A seat controls its channel (Q-CHAN-1)."""

    seat: int


class ChannelGiven(Event, frozen=True):
    """A seat gave its channel back (Q-CHAN-1)."""

    seat: int


class EmojiShown(Event, frozen=True):
    """A first choice, which goes out to everyone at once (Q-CHAN-2)."""

    seat: int
    emoji: str


class EmojiChosen(Event, frozen=True):
    """A choice for the next beat; until then only its chooser sees it (Q-CHAN-2)."""

    seat: int
    emoji: str


class EmojiRepeated(Event, frozen=True):
    """A beat: this emoji went out (Q-CHAN-2)."""

    seat: int
    emoji: str


class ReshuffleAsked(Event, frozen=True):
    """A vote is open until `deadline` (µs) (Q-VOTE-1)."""

    seat: int
    deadline: int


class ReshuffleAnswered(Event, frozen=True):
    """A seat agreed or did not (Q-VOTE-2)."""

    seat: int
    agree: bool


class VoteFailed(Event, frozen=True):
    """No reshuffle: a spoken no by `seat`, or silence (`seat` is null) (Q-VOTE-2)."""

    why: Literal["no", "silence"]
    seat: int | None = None


class CardsReshuffled(Event, frozen=True):
    """The vote passed: everything was dealt anew (Q-VOTE-6)."""

    hands: tuple[Hand, ...]
    centre: Hand
    replaced: tuple[Replaced, ...]


class QuatroCalled(Event, frozen=True):
    """The round stopped: did the partner hold four of a kind? `team` is the caller's (Q-CALL-1)."""

    seat: int
    team: int
    right: bool


class CounterCalled(Event, frozen=True):
    """The round stopped: did the accused `team` hold four of a kind? (Q-COUNTER-1)."""

    seat: int
    team: int
    right: bool


class RoundDrawn(Event, frozen=True):
    """The round stopped by its clock (Q-TIME-1)."""


QuatroEvent = (
    SignPicked
    | SignDrawn
    | HandsDealt
    | CardSwapped
    | ChannelTaken
    | ChannelGiven
    | EmojiShown
    | EmojiChosen
    | EmojiRepeated
    | ReshuffleAsked
    | ReshuffleAnswered
    | VoteFailed
    | CardsReshuffled
    | QuatroCalled
    | CounterCalled
    | RoundDrawn
)
