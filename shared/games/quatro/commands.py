"""What a seat, or the house, can ask for in Quatro. Meaning is checked in `decide`; here only shape and size."""

from typing import Annotated

from msgspec import Meta

from shared.kernel import Command

Text = Annotated[str, Meta(max_length=16)]
Number = Annotated[int, Meta(ge=-(2**53), le=2**53)]


class PickSign(Command, frozen=True):
    """Sets the team's sign for the round, in the preparation (Q-SIGN-2)."""

    sign: Text


class SwapCard(Command, frozen=True):
    """A card of the own hand for the card aimed at, in a centre place (Q-SWAP-2)."""

    card: Text
    place: Number
    aimed_at: Text


class TakeChannel(Command, frozen=True):
    """Takes control of the own channel (Q-CHAN-1)."""


class GiveChannel(Command, frozen=True):
    """Gives control of the own channel back (Q-CHAN-1)."""


class ShowEmoji(Command, frozen=True):
    """Chooses what the own channel shows (Q-CHAN-2)."""

    emoji: Text


class CallQuatro(Command, frozen=True):
    """ "Quatro!": the partner holds four of a kind. `anyway`: though the caller does too (Q-CALL-3)."""

    anyway: bool = False


class CallCounter(Command, frozen=True):
    """ "Counter!": that team holds four of a kind; with two teams it need not be named (Q-COUNTER-1)."""

    team: Number | None = None


class AskReshuffle(Command, frozen=True):
    """Asks for a reshuffle of everything (Q-VOTE-1)."""


class AnswerReshuffle(Command, frozen=True):
    """Answers the open vote (Q-VOTE-1, Q-VOTE-2)."""

    agree: bool


class TimeUp(Command, frozen=True):
    """The house: the round's time is over (Q-TIME-1)."""


class EndVote(Command, frozen=True):
    """The house: the vote passes, or its time is over (Q-VOTE-2, Q-VOTE-3)."""


class Beat(Command, frozen=True):
    """The house: a seat's emoji goes out again (Q-CHAN-2)."""

    seat: int


PlayCommand = (
    SwapCard | TakeChannel | GiveChannel | ShowEmoji | CallQuatro | CallCounter | AskReshuffle | AnswerReshuffle
)
SeatCommand = PickSign | PlayCommand
HouseCommand = TimeUp | EndVote | Beat
