"""The headlines of Kwartet for animation and sound, each built for its audience from nothing."""

from typing import assert_never

from shared.games.kwartet import events
from shared.kernel import Table


def news(table: Table, event: events.Any, seat: int | None) -> dict[str, object] | None:
    """The headline of an event for a seat, or for watchers (None)."""
    match event:
        case events.CardsDealt(dealer):
            return {"type": "dealt", "dealer": dealer}
        case events.CardAsked(by, to, card, given):
            named = {"family": card.family, "member": card.member}
            return {"type": "asked", "by": by, "to": to, "card": named, "given": given}
        case events.CardDrawn(by, card):
            drawn: dict[str, object] = {"type": "drawn", "seat": by}
            mine = {"card": {"family": card.family, "member": card.member}}  # K-VAR-2: only its player sees which
            return drawn | mine if by == seat else drawn
        case events.FamilyExposed(by, family):
            return {"type": "family", "seat": by, "family": family}
        case events.HandEmptied(by):
            return {"type": "out", "seat": by}
        case events.TurnTimedOut(by):
            return {"type": "timeout", "seat": by}
        case events.TurnPassed(by):
            return {"type": "passed", "seat": by}
        case events.TurnCame(by):
            return {"type": "turn", "seat": by}
        case events.GameEnded(_, how, complete):
            return {"type": "ended", "how": how, "complete": complete}
        case _:
            assert_never(event)
