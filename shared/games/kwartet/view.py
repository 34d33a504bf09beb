"""What everyone sees of a game of Kwartet, what a seat sees besides, and the headlines; built from nothing."""

from shared.games.kwartet import events
from shared.games.kwartet.cards import Card, Hand, Pack
from shared.games.kwartet.rules import Rules, unusual
from shared.games.kwartet.state import Asked, Carry, Exposed, State
from shared.kernel import Table


def seat_view(table: Table, play: State | None, seat: int) -> dict[str, object]:
    """A hand is seen by its size (K-ASK-6)."""
    return {"cards": len(play.hands[seat]) if play else 0}


def public(table: Table, rules: Rules, carry: Carry | None, play: State | None) -> dict[str, object]:
    """What lies open, who is on turn, the pack, the last requests; after the game what stays on the table."""
    shown = play or carry or Carry()
    view: dict[str, object] = {
        "turn": play.turn if play and play.open else None,
        "dealer": shown.dealer,
        "stock": len(play.stock) if play else 0,
        "after_miss": rules.after_miss,
        "pack": _pack(rules),
        "exposed": [_exposed(each) for each in shown.exposed],
        "asks": [_asked(each) for each in shown.asks],
    }
    if odd := unusual(rules):
        view["rules"] = odd
    if play and (play.open or play.stop):
        view["points"] = list(play.points)
    if play and play.open:
        view["deadline"] = play.deadline
    return view


def own(table: Table, play: State | None, seat: int) -> dict[str, object]:
    """The hand in the pack's order, and every request that would be accepted now."""
    if play is None:
        return {"hand": [], "can_ask": [], "can": []}
    pack = play.rules.pack
    can = ["Ask"] if play.open and play.turn == seat else []
    if play.open and table.host_seat == seat and not play.rules.turn_ms:
        can.append("PassAbsent")
    return {"hand": _cards(in_order(pack, play.hands[seat])), "can_ask": _can_ask(play, seat), "can": can}


def last_round(table: Table, play: State) -> dict[str, object]:
    """How the game ended, the hands that are left and the families that are open still (K-END-4)."""
    pack, stop = play.rules.pack, play.stop
    return {
        "how": stop.how if stop else None,
        "by": stop.by if stop else None,
        "complete": play.complete,
        "hands": [_cards(in_order(pack, hand)) for hand in play.hands],
        "left": [family.name for family in pack.families if not play.is_exposed(family.name)],
    }


def in_order(pack: Pack, hand: Hand) -> Hand:
    """The hand in the pack's order: its own order would tell how it was come by."""
    return tuple(card for _, cards in pack.within(hand) for card in cards)


def _can_ask(play: State, seat: int) -> list[dict[str, object]]:
    if not play.open or play.turn != seat:
        return []
    hand = play.hands[seat]
    held = frozenset(hand)
    missing = [card for family, _ in play.rules.pack.within(hand) for card in family.cards() if card not in held]
    cards = _cards(tuple(missing))
    return [{"seat": to, "cards": cards} for to, other in enumerate(play.hands) if to != seat and other]


def _pack(rules: Rules) -> dict[str, object]:
    pack = rules.pack
    return {"name": pack.name, "language": pack.language, "hash": rules.pack_hash, "families": pack.families}


def _exposed(each: Exposed) -> dict[str, object]:
    return {"family": each.family, "seat": each.seat}


def _asked(each: Asked | events.CardAsked) -> dict[str, object]:
    return {"by": each.by, "to": each.to, "card": _card(each.card), "given": each.given}


def _cards(hand: Hand) -> list[dict[str, str]]:
    return [_card(card) for card in hand]


def _card(card: Card) -> dict[str, str]:
    return {"family": card.family, "member": card.member}
