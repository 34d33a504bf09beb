"""The house rules of a Kwartet table, the pack among them: read from the creator's JSON, stored whole in the log."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Literal

from msgspec import Meta, Struct

from shared.games.kwartet import shelf
from shared.games.kwartet.cards import Pack
from shared.games.kwartet.pack import sealed
from shared.kernel import BadRules

Miss = Literal["asked", "clockwise"]
TURN_MS_MIN = 5_000


class Rules(Struct, frozen=True):
    """House rules as they stand in the table's log, with the pack's text, so that a replay needs nothing else."""

    pack: Pack
    pack_hash: str
    after_miss: Miss = "asked"
    turn_ms: Annotated[int, Meta(ge=0, le=3_600_000)] = 60_000
    prepare_ms: Annotated[int, Meta(ge=1_000, le=600_000)] = 30_000

    def __post_init__(self) -> None:
        """A log whose pack is none (K-PACK-1), or not the one it names, can't be read."""
        if sealed(self.pack).hash != self.pack_hash:
            raise ValueError("the pack's text does not have the pack's hash")
        if not self.pack.is_one:
            raise ValueError("a pack has families of different names, each with four members of different names")
        if 0 < self.turn_ms < TURN_MS_MIN:
            raise ValueError("a turn is not that short")


TURN = "turn_seconds: 0 for no limit, else 5 to 3600, up to three decimals"
PREPARE = "prepare_seconds: 1 to 600, up to three decimals"
AFTER_MISS = "after_miss: asked or clockwise"
NAMES = ("pack", "after_miss", "turn_seconds", "prepare_seconds")


def read_rules(given: Mapping[str, object], seats: int) -> Rules | BadRules:
    """The creator's JSON -> rules, or every fault with what is allowed.

    `pack` is the name of a shipped pack or a pack's text (an object); the gateway puts the text in place of a hash.
    """
    faults = [f"{name}: no such house rule; there are {', '.join(NAMES)}" for name in given if name not in NAMES]
    chosen = shelf.find(given.get("pack", shelf.ORDINARY))
    faults += _pack_faults(chosen, seats)
    miss = given.get("after_miss", "asked")
    if miss not in ("asked", "clockwise"):
        faults.append(AFTER_MISS)
    turn = _turn_ms(given.get("turn_seconds", 60))
    faults += [TURN] if turn is None else []
    prepare = _ms(given.get("prepare_seconds", 30), 1, 600)
    faults += [PREPARE] if prepare is None else []
    if faults or prepare is None or turn is None or isinstance(chosen, tuple):
        return BadRules(tuple(faults))
    return Rules(chosen.pack, chosen.hash, "clockwise" if miss == "clockwise" else "asked", turn, prepare)


def unusual(rules: Rules) -> dict[str, object]:
    """The house rules that differ from the ordinary ones, as a creator would write them; the pack speaks for itself."""
    found: dict[str, object] = {}
    if rules.after_miss != "asked":
        found["after_miss"] = rules.after_miss
    for name, value, usual in (("turn_seconds", rules.turn_ms, 60_000), ("prepare_seconds", rules.prepare_ms, 30_000)):
        if value != usual:
            found[name] = value // 1000 if value % 1000 == 0 else value / 1000
    return found


def rules_schema() -> dict[str, object]:
    """JSON Schema of what `read_rules` takes."""
    names = [*shelf.shipped()]
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "pack": {
                "description": "a shipped pack's name, or the hash of a loaded one",
                "anyOf": [{"enum": names}, {"type": "string", "pattern": "^[0-9a-f]{64}$"}],
                "default": shelf.ORDINARY,
            },
            "after_miss": {
                "description": "whose turn it is after a miss: the asked player's or the next clockwise",
                "enum": ["asked", "clockwise"],
                "default": "asked",
            },
            "turn_seconds": {
                "description": "length of a turn in seconds with up to three decimals, 0: no limit",
                "anyOf": [{"const": 0}, {"type": "number", "minimum": 5, "maximum": 3600}],
                "default": 60,
            },
            "prepare_seconds": {
                "description": "longest preparation, in seconds with up to three decimals",
                "type": "number",
                "minimum": 1,
                "maximum": 600,
                "default": 30,
            },
        },
    }


def _pack_faults(chosen: shelf.Book | tuple[str, ...], seats: int) -> list[str]:
    if isinstance(chosen, tuple):
        return [f"pack: {fault}" for fault in chosen]
    families = len(chosen.pack.families)
    return [] if families >= seats else [f"pack: {families} families for {seats} players; at least one a player"]


def _turn_ms(value: object) -> int | None:
    return 0 if value == 0 and not isinstance(value, bool) else _ms(value, 5, 3600)


def _ms(value: object, low: int, high: int) -> int | None:
    """Seconds with up to three decimals -> ms; None: not so, or out of range."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    seconds = Decimal(repr(value))  # the shortest decimal that is this float: what the creator wrote
    if not seconds.is_finite() or not low <= seconds <= high or seconds.scaleb(3) % 1:
        return None
    return int(seconds.scaleb(3))
