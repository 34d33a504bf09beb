"""What a bot remembers of a round: who took which card, who went still, what it is about to do. One value a seat."""

from msgspec import Struct
from msgspec.structs import replace

from shared.games.quatro.bot.view import View
from shared.games.quatro.cards import Card
from shared.kernel import Command


class Plan(Struct, frozen=True):
    """A command made up, and when it will be sent. `seen`: what it was made for, and falls with."""

    command: Command
    at: int
    seen: object


class Memory(Struct, frozen=True):
    """`known`: for each seat the cards it was seen to take and still holds, with when (µs); `moved`: its last swap.

    `stage`: what this is a memory of, and when that `began`.
    `best` and `since`: most cards of a rank I held, and from when; `shun`: a rank given up; `decoy_at`: the next one.
    """

    stage: tuple[int, str, bool]
    began: int
    centre: tuple[Card, ...]
    ready: tuple[int | None, ...]
    known: tuple[dict[Card, int], ...]
    moved: tuple[int, ...]
    shown: tuple[tuple[str | None, int], ...]
    best: int = 0
    since: int = 0
    shun: str | None = None
    decoy_at: int = 0
    plan: Plan | None = None


def fresh(view: View, now: int) -> Memory:
    """The memory of one who comes to the table now."""
    seats = len(view.public.seats)
    return Memory(
        stage=_stage(view),
        began=now,
        centre=view.public.centre,
        ready=tuple(seat.swap_ready_at for seat in view.public.seats),
        known=({},) * seats,
        moved=(now,) * seats,
        shown=tuple((seat.channel.emoji, now) for seat in view.public.seats),
        since=now,
    )


def watch(memory: Memory, view: View, now: int) -> Memory:
    """The memory after another look at the table."""
    public = view.public
    if _stage(view) != memory.stage:
        return fresh(view, now)
    shown = tuple(
        old if seat.channel.emoji == old[0] else (seat.channel.emoji, now)
        for seat, old in zip(public.seats, memory.shown, strict=True)
    )
    ready = tuple(seat.swap_ready_at for seat in public.seats)
    known, moved = _swaps(memory, view, ready, now)
    return replace(memory, centre=public.centre, ready=ready, known=known, moved=moved, shown=shown)


def _stage(view: View) -> tuple[int, str, bool]:
    """What a memory is of: a preparation, a deal, what lies between. With the next it begins anew."""
    return view.public.round, view.public.phase, view.public.reshuffled


def forget(memory: Memory, before: int) -> Memory:
    """The memory without what was seen earlier than that."""
    if all(at >= before for cards in memory.known for at in cards.values()):
        return memory
    kept = tuple({card: at for card, at in cards.items() if at >= before} for cards in memory.known)
    return replace(memory, known=kept)


def _swaps(
    memory: Memory, view: View, ready: tuple[int | None, ...], now: int
) -> tuple[tuple[dict[Card, int], ...], tuple[int, ...]]:
    """A place that changed and a seat whose wait began are one swap; of several at once only the time is learnt."""
    if memory.ready == ready and memory.centre == view.public.centre:
        return memory.known, memory.moved
    movers = [seat for seat, (old, new) in enumerate(zip(memory.ready, ready, strict=True)) if old != new]
    places = [place for place, card in enumerate(memory.centre) if card != view.public.centre[place]]
    moved = tuple(now if seat in movers else at for seat, at in enumerate(memory.moved))
    put_down = {view.public.centre[place] for place in places}
    known = [{card: at for card, at in cards.items() if card not in put_down} for cards in memory.known]
    if len(movers) == 1 and len(places) == 1:
        known[movers[0]][memory.centre[places[0]]] = now
    return tuple(known), moved
