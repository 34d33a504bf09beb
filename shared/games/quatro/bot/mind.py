"""A bot's mind: looks, remembers, makes one plan at a time and keeps to it while what it was made for stands."""

from collections.abc import Iterator

from msgspec.structs import replace

from shared.games.quatro.bot.collect import goal, improving, stirring
from shared.games.quatro.bot.judge import chance, possible
from shared.games.quatro.bot.level import LEVELS, Level, reaction
from shared.games.quatro.bot.memory import Memory, Plan, forget, fresh, watch
from shared.games.quatro.bot.view import View
from shared.games.quatro.cards import SIGNS, four, rank
from shared.games.quatro.commands import (
    CallCounter,
    CallQuatro,
    GiveChannel,
    PickSign,
    ShowEmoji,
    SwapCard,
    TakeChannel,
)
from shared.kernel import Command, Random, Thought

LOOK_AGAIN_US = 1_000_000
IDLE_US = 10_000_000
DECOY_US = 9_000_000
STIR_US = 1_500_000
DOUBT = 3
"""An accusation is thought over longer than a partner's sign."""


def think(view: View, memory: object | None, now: int, random: Random, level: str) -> Thought:
    """A bot's next step. Delays count from `now`; a plan is at least 250 ms older than what it answers to (C-27)."""
    strength = LEVELS[level]
    known = watch(memory, view, now) if isinstance(memory, Memory) else fresh(view, now)
    known = forget(known, now - strength.span)
    known = _progress(known, view, now, strength, random)
    plan = _next(view, known, now, random, strength)
    known = replace(known, plan=plan)
    if plan is None:
        return Thought(known, None, LOOK_AGAIN_US if view.public.phase == "playing" else IDLE_US)
    return Thought(known, plan.command, max(plan.at - now, 0))


def _next(view: View, memory: Memory, now: int, random: Random, level: Level) -> Plan | None:
    """The most urgent thing to do. A plan for the same thing goes on; one whose time has come was sent."""
    old = memory.plan if memory.plan and memory.plan.at > now else None
    for command, seen, mean, earliest in _wishes(view, memory, now, random, level):
        if old and old.seen == seen and _stands(old, view):
            return old
        return Plan(command, max(now, earliest) + reaction(random, mean), seen)
    return None


def _stands(plan: Plan, view: View) -> bool:
    """Whether the card aimed at still lies there."""
    swap = plan.command
    return not isinstance(swap, SwapCard) or view.public.centre[swap.place] == swap.aimed_at


Wish = tuple[Command, object, int, int]
"""What to do, what it is for, the mean time to react beyond the fastest, and from when it is possible."""


def _wishes(view: View, memory: Memory, now: int, random: Random, level: Level) -> Iterator[Wish]:
    if view.public.phase == "preparing":
        yield from _sign(view, memory, random, level)
    if view.public.phase != "playing" or not view.own.hand:
        return
    yield from _calls(view, memory, now, level)
    yield from _signals(view, memory, now, random, level)
    yield from _swaps(view, memory, now, random, level)


def _sign(view: View, memory: Memory, random: Random, level: Level) -> Iterator[Wish]:
    """Only when 80 % of the preparation is over; of two bots the one in the lower seat."""
    own, seats = view.own, view.public.seats
    across = (own.seat + len(seats) // 2) % len(seats)
    if "PickSign" not in own.can or view.public.deadline is None or (seats[across].bot and across < own.seat):
        return
    late = memory.began + (view.public.deadline - memory.began) * 4 // 5
    yield PickSign(_emoji(random, own.last_sign)), "sign", level.react // 4, late


def _calls(view: View, memory: Memory, now: int, level: Level) -> Iterator[Wish]:
    own, seats = view.own, view.public.seats
    across = (own.seat + len(seats) // 2) % len(seats)
    if own.sign and seats[across].channel.emoji == own.sign and possible(view, memory, across):
        yield CallQuatro(anyway=True), ("call", memory.shown[across]), level.react, now
    for seat, each in enumerate(seats):
        if each.team != seats[own.seat].team and chance(view, memory, seat, now) >= level.sure:
            yield CallCounter(each.team), ("counter", seat, memory.moved[seat]), level.react * DOUBT, now


def _signals(view: View, memory: Memory, now: int, random: Random, level: Level) -> Iterator[Wish]:
    """Holding four: our sign. Else now and then another emoji, and never our sign for longer than need be."""
    own, channel = view.own, view.public.seats[view.own.seat].channel
    ready = own.channel_ready_at or now
    if four(own.hand):
        if not channel.held:
            yield TakeChannel(), "take", level.react // 2, ready
        elif own.sign and own.sign not in (channel.emoji, own.emoji_next):
            yield ShowEmoji(own.sign), "show", level.react // 2, now
    elif not channel.held:
        if now >= memory.decoy_at:
            yield TakeChannel(), "decoy", level.react // 2, ready
    elif channel.emoji is None:
        yield ShowEmoji(_emoji(random, own.sign)), "show", level.react // 2, now
    elif own.sign in (channel.emoji, own.emoji_next) or now >= memory.shown[own.seat][1] + DECOY_US:
        yield GiveChannel(), "give", level.react // 2, ready


def _swaps(view: View, memory: Memory, now: int, random: Random, level: Level) -> Iterator[Wish]:
    own, channel = view.own, view.public.seats[view.own.seat].channel
    if four(own.hand) or (level.bluffs and channel.emoji is not None):
        return
    ready = view.public.seats[own.seat].swap_ready_at or now
    if better := improving(view, memory):
        yield better, better, level.swap, ready
    elif chosen := stirring(view, memory, random):
        yield chosen, ("stir", own.hand), level.swap + STIR_US, ready


def _progress(memory: Memory, view: View, now: int, level: Level, random: Random) -> Memory:
    """Notes when the collection grew; one that does not grow for long is given up for another."""
    if not view.own.hand:
        return memory
    if not memory.decoy_at:
        memory = replace(memory, decoy_at=now + reaction(random, level.decoy))
    if view.public.seats[view.own.seat].channel.held:
        memory = replace(memory, decoy_at=now + reaction(random, level.decoy))
    wanted = goal(view, memory)
    count = sum(rank(card) == wanted for card in view.own.hand)
    if count > memory.best:
        return replace(memory, best=count, since=now)
    if now - memory.since > level.patience:
        return replace(memory, best=0, since=now, shun=wanted)
    return memory


def _emoji(random: Random, but: str | None) -> str:
    free = [sign for sign in SIGNS if sign != but]
    return free[random.randrange(len(free))]
