"""A round as people read it: a line for the centre, one for each seat. Tests write it, replay draws it."""

from msgspec.structs import replace

from shared.games.quatro.cards import Hand, deck
from shared.games.quatro.state import Channel, State
from shared.kernel import SECOND


def draw(play: State, at: int) -> str:
    """The round at a time (µs): the cards, who waits how long, what each channel shows, and an open vote.

    centre  QH JD 10C AS
    0  QS QD QC KH
    1  KS KD JC 10H  waits 1.5
    2  AH AD JS JH  shows 🍍 then 🚀, beat in 3
    3  AC 10S 10D KC  has the channel
    vote of 2, agreed 0, 12 left
    """
    lines = ["  ".join(["centre", " ".join(play.centre)])]
    lines += [_seat(play, seat, at) for seat in range(len(play.hands))]
    if play.vote:
        agreed = " ".join(str(seat) for seat in play.vote.agreed) or "nobody"
        lines.append(f"vote of {play.vote.asker}, agreed {agreed}, {seconds(play.vote.deadline - at)} left")
    return "\n".join(lines)


def read(text: str, play: State) -> State:
    """The round with the cards of a drawn table. ValueError if it does not hold exactly the deck of its seats."""
    rows = {words[0]: tuple(words[1:5]) for words in map(str.split, text.strip().splitlines())}
    centre = rows.pop("centre", ())
    hands: tuple[Hand, ...] = tuple(rows.get(str(seat), ()) for seat in range(len(play.hands)))
    cards = sorted((*centre, *(card for hand in hands for card in hand)))
    if cards != sorted(deck(len(hands))) or len(rows) != len(hands):
        raise ValueError(f"not the deck of {len(hands)} seats: {text}")
    return replace(play, hands=hands, centre=centre)


def seconds(us: int) -> str:
    """Microseconds as seconds, without needless zeros: 1500000 -> 1.5, 1 -> 0.000001."""
    whole, rest = divmod(abs(us), SECOND)
    figures = f"{whole}.{rest:06}".rstrip("0").rstrip(".")
    return f"-{figures}" if us < 0 else figures


def _seat(play: State, seat: int, at: int) -> str:
    parts = [str(seat), " ".join(play.hands[seat])]
    ready = play.swap_ready[seat]
    if ready is not None and ready > at:
        parts.append(f"waits {seconds(ready - at)}")
    if play.channels[seat].held:
        parts.append(_channel(play.channels[seat], at))
    return "  ".join(parts)


def _channel(channel: Channel, at: int) -> str:
    if channel.emoji is None or channel.next_beat is None:
        return "has the channel"
    then = f" then {channel.chosen}" if channel.chosen else ""
    return f"shows {channel.emoji}{then}, beat in {seconds(channel.next_beat - at)}"
