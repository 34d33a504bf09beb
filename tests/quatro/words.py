"""The words in which tests say what seats do: `1.5 0 swaps KH for QH at 0` -> (µs since the opening, seat, command)."""

from decimal import Decimal

from shared.games.quatro import commands
from shared.games.quatro.commands import SeatCommand
from shared.games.quatro.notation import seconds
from shared.kernel import SECOND, Decision, Refused


def parse(sentence: str) -> tuple[int, int, str, SeatCommand | None]:
    """A sentence as time, seat, verb and command; `goes` and `comes` (presence) have no command."""
    time, seat, verb, *rest = sentence.split()
    return int(Decimal(time) * SECOND), int(seat), verb, command(verb, rest)


def command(verb: str, rest: list[str]) -> SeatCommand | None:
    """The command of a verb: `swaps KH for QH at 0`, `shows 🍍`, `calls anyway`, `counters 2`, `agrees`, …"""
    match verb, rest:
        case "swaps", [card, "for", aimed_at, "at", place]:
            return commands.SwapCard(card, int(place), aimed_at)
        case "picks", [sign]:
            return commands.PickSign(sign)
        case "takes", []:
            return commands.TakeChannel()
        case "gives", []:
            return commands.GiveChannel()
        case "shows", [emoji]:
            return commands.ShowEmoji(emoji)
        case "calls", [*anyway]:
            return commands.CallQuatro(anyway=anyway == ["anyway"])
        case "counters", [*team]:
            return commands.CallCounter(int(team[0]) if team else None)
        case "asks", []:
            return commands.AskReshuffle()
        case "agrees" | "refuses", []:
            return commands.AnswerReshuffle(verb == "agrees")
        case "goes" | "comes", []:
            return None
        case _:
            raise ValueError(f"no such sentence: {verb} {' '.join(rest)}")


def outcome(decision: Decision, opened: int) -> str:
    """What came of a command: `ok`, or the refusal's code with what it lost to or until when to wait."""
    if not isinstance(decision, Refused):
        return "ok"
    words = [decision.code]
    if lost := decision.lost_to:
        by = f"seat {lost.by}" if isinstance(lost.by, int) else f"the {lost.why}"
        words.append(f"to {by} by {seconds(lost.margin_us)}")
    if decision.wait_until is not None:
        words.append(f"until {seconds(decision.wait_until - opened)}")
    return " ".join(words)
