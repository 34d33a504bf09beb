"""A table drawn for the terminal from its public view, whatever the game: seats, open cards, what was just done."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

Json = Mapping[str, Any]

_CARD = re.compile(r"(?:[2-9]|10|[JQKA])[SHDC]")
_SUITS = {"S": ("♠", "blue"), "H": ("♥", "red"), "D": ("♦", "yellow"), "C": ("♣", "green")}
_COMMON = frozenset(
    (
        *("game", "seats", "phase", "reason", "round", "deadline", "points", "watching", "last_round", "winners"),
        *("commitment", "commitments", "revealed"),
    )
)
_SEAT_COMMON = frozenset(("player", "name", "bot", "connected", "host", "left", "ready", "swap_ready_at"))
NEWS_MOST = 12


def picture(public: Json, news: Sequence[str]) -> RenderableType:
    """The whole picture."""
    parts: list[RenderableType] = [_seats(public["seats"])]
    parts += [line for line in map(_line, _open(public).items()) if line is not None]
    parts.append(Text("\n".join(news[-NEWS_MOST:]), style="dim"))
    return Panel(Group(*parts), title=_title(public), title_align="left", padding=(1, 2))


def headline(news: Json) -> str:
    """One headline in words."""
    said = [f"{name} {_plain(value)}" for name, value in news.items() if name != "type" and value not in (None, [])]
    return f"{str(news['type']).replace('_', ' ')}: {', '.join(said)}" if said else str(news["type"])


def outcome(public: Json) -> str:
    """How a game ended."""
    winners = public.get("winners") or []
    points = " : ".join(map(str, public["points"]))
    if not winners:
        return f"over, nobody wins, {points}"
    side = "team" if len(public["points"]) < len(public["seats"]) else "seat"
    return f"over, won by {side} {' and '.join(map(str, winners))}, {points}"


def _title(public: Json) -> str:
    points = " : ".join(map(str, public["points"]))
    return f"[bold]{public['game']}[/]  round {public['round']}  {public['phase']}  points {points}"


def _seats(seats: Sequence[Json]) -> Table:
    """A row a seat; a column for each thing that the game shows of it."""
    shown = [name for name in seats[0] if name not in _SEAT_COMMON] if seats else []
    table = Table("seat", "who", *shown, box=None, padding=(0, 2, 0, 0))
    for number, seat in enumerate(seats):
        who = seat["name"] or ("bot" if seat["bot"] else "·")
        table.add_row(str(number), who, *(_text(seat[name]) for name in shown))
    return table


def _open(public: Json) -> dict[str, object]:
    """What the game shows of the table itself, and the last round's end while there is one."""
    mine = {name: value for name, value in public.items() if name not in _COMMON}
    ended = public.get("last_round") if public["phase"] in ("scoring", "break", "over") else None
    wanted = ("how", "team", "right", "hands", "fours", "signs")
    return mine | {name: ended[name] for name in wanted if ended and ended.get(name) not in (None, [])}


def _line(item: tuple[str, object]) -> Text | None:
    name, value = item
    if value is None or value is False or value in ([], {}) or (isinstance(value, dict) and len(value) > 4):
        return None
    if isinstance(value, list) and value and isinstance(value[0], dict):
        value = value[-3:]
    return Text(f"{name:<12}") + _text(value)


def _text(value: object) -> Text:
    match value:
        case str():
            return _card(value)
        case dict():
            return Text(" ").join(_text(each) for each in value.values() if each is not None and each is not False)
        case list():
            return Text("  " if value and isinstance(value[0], list | dict) else " ").join(map(_text, value))
        case None:
            return Text("")
        case bool():
            return Text("yes" if value else "")
        case int() if value > 10**14:
            return Text("")  # a time: the picture shows what is, not when
        case _:
            return Text(str(value))


def _card(word: str) -> Text:
    if not _CARD.fullmatch(word):
        return Text(word)
    sign, colour = _SUITS[word[-1]]
    return Text(word[:-1] + sign, style=f"bold {colour}")


def _plain(value: object) -> str:
    return _text(value).plain
