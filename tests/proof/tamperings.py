"""What can be done to the records of a round. Each tampering says where it shows first, and as what.

All are the work of someone with the key, who numbers, chains and seals anew: hashes don't find them, the rules must.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any

from msgspec import Struct

from shared.shuffle import commitment

Json = dict[str, Any]


class Tampered(Struct):
    """Changed records, the version of the first that is wrong, and what kinds of fault it may be called.

    `slack`: by how many records later it may show, where the next alone could still be right.
    """

    records: list[Json]
    version: int
    kinds: tuple[str, ...]
    slack: int = 0

    def shows(self, version: int | None, kind: str) -> bool:
        """Whether this place and kind are what has to be found."""
        return version is not None and 0 <= version - self.version <= self.slack and kind in self.kinds


Tampering = Callable[[list[Json], Random], Tampered | None]
"""Changes its own copy of a round's records; None: this round has nothing of the kind."""


def named(record: Json) -> str:
    """The type of a record's command."""
    return str(record["command"]["type"])


def from_players(records: Sequence[Json]) -> list[int]:
    return [place for place, record in enumerate(records) if isinstance(record["by"], dict) and place]


def deadlines(records: Sequence[Json]) -> list[int]:
    """Places of what was due; not the first record, which holds the carry."""
    free = ("Connect", "Disconnect", "Resumed")
    return [n for n, record in enumerate(records) if record["by"] == "house" and n and named(record) not in free]


def renumbered(records: list[Json], place: int, by: int) -> list[Json]:
    """From `place` on every number is moved, and so is every reference to them."""
    moved = records[place]["n"] - max(by, 0) if place < len(records) else 0
    for record in records[place:]:
        record["n"] += by
        lost = record.get("refused", {}).get("lost_to")
        for holder in (lost, record["command"] if named(record) == "Award" else None):
            if holder and holder["version"] >= moved:
                holder["version"] += by
    return records


def dropped(records: list[Json], chance: Random) -> Tampered | None:
    place = chance.randrange(len(records) - 1)
    first = records[0]["n"]
    del records[place]
    return Tampered(records, first + place, ("version",))


def deadline_left_out(records: list[Json], chance: Random) -> Tampered | None:
    late = [n for n, record in enumerate(records) if named(record) == "Resumed"]
    places = [n for n in deadlines(records) if named(records[n]) not in ("Prepare", "Open")]
    places = [n for n in places if not any(n < resumed <= n + 3 for resumed in late)]  # it could have been missed, too
    if not places:
        return None
    place = chance.choice(places)
    version = records[place]["n"]
    del records[place]
    kinds = ("missing_house", "extra_house", "award", "late_house", "early_house", "decision", "version")
    for record in records[place:]:
        record["n"] -= 1
    return Tampered(records, version, kinds, slack=1)  # found late, the round's end may come first: then Resumed lacks


def exchanged(records: list[Json], chance: Random) -> Tampered | None:
    place = chance.randrange(1, len(records) - 1)
    records[place], records[place + 1] = records[place + 1], records[place]
    return Tampered(records, records[0]["n"] + place, ("version",))


def doubled(records: list[Json], chance: Random) -> Tampered | None:
    places = from_players(records)
    if not places:
        return None
    place = chance.choice(places)
    records.insert(place + 1, deepcopy(records[place]))
    return Tampered(renumbered(records, place + 1, 1), records[place]["n"] + 1, ("id", "sender", "missing_house"))


def house_doubled(records: list[Json], chance: Random) -> Tampered | None:
    places = deadlines(records)
    if not places:
        return None
    place = chance.choice(places)
    records.insert(place + 1, deepcopy(records[place]))
    kinds = ("extra_house", "early_house", "missing_house")
    return Tampered(renumbered(records, place + 1, 1), records[place]["n"] + 1, kinds)


def refused_made_accepted(records: list[Json], chance: Random) -> Tampered | None:
    codes = ("card_gone", "too_soon")
    places = [n for n, r in enumerate(records) if named(r) == "SwapCard" and r.get("refused", {}).get("code") in codes]
    if not places:
        return None
    record = records[chance.choice(places)]
    command, seat = record["command"], record["by"]["seat"]
    del record["refused"]
    swapped = {"type": "CardSwapped", "seat": seat, "place": command["place"]}
    record["events"] = [{**swapped, "given": command["card"], "taken": command["aimed_at"]}]
    return Tampered(records, record["n"], ("decision",))


def request_made_true(records: list[Json], chance: Random) -> Tampered | None:
    places = [n for n, r in enumerate(records) if named(r) == "Ask" and "events" in r]
    if not places:
        return None
    record = records[chance.choice(places)]
    record["events"][0]["given"] ^= True
    return Tampered(records, record["n"], ("decision",))


def accepted_refused(records: list[Json], chance: Random) -> Tampered | None:
    places = [n for n in from_players(records) if "events" in records[n]]
    if not places:
        return None
    record = records[chance.choice(places)]
    del record["events"]
    record["refused"] = {"code": chance.choice(("too_soon", "not_your_turn", "round_over", "seats_closed"))}
    return Tampered(records, record["n"], ("decision",))


def refusal_changed(records: list[Json], chance: Random) -> Tampered | None:
    """Another winner, another margin, another wait."""
    places = [n for n in from_players(records) if {"lost_to", "wait_until"} & set(records[n].get("refused", {}))]
    if not places:
        return None
    record = records[chance.choice(places)]
    said = record["refused"].get("lost_to", record["refused"])
    field = chance.choice([name for name in said if type(said[name]) is int])
    said[field] += chance.choice((-1, 1))
    return Tampered(records, record["n"], ("decision",))


def moved_before(records: list[Json], chance: Random) -> Tampered | None:
    places = [n for n in range(1, len(records)) if records[n - 1]["at"] > records[0]["at"]]
    if not places:
        return None
    record, before = records[place := chance.choice(places)], records[place - 1]
    record["at"] = before["at"] - 1
    return Tampered(records, record["n"], ("time",))


def house_too_late(records: list[Json], chance: Random) -> Tampered | None:
    places = deadlines(records)
    if not places:
        return None
    record = records[chance.choice(places)]
    record["at"] += chance.choice((1, 1_000, 3_000_000))
    return Tampered(records, record["n"], ("late_house", "missing_house"))


def house_too_early(records: list[Json], chance: Random) -> Tampered | None:
    places = [n for n in deadlines(records) if records[n]["at"] > records[n - 1]["at"]]
    if not places:
        return None
    record = records[chance.choice(places)]
    record["at"] -= 1
    return Tampered(records, record["n"], ("early_house",))


def past_a_deadline(records: list[Json], chance: Random) -> Tampered | None:
    """A command that came before a deadline is said to have come after it."""
    own = set(from_players(records))
    places = [n - 1 for n in deadlines(records) if n - 1 in own]
    if not places:
        return None
    record = records[place := chance.choice(places)]
    record["at"] = records[place + 1]["at"]
    kinds = ("missing_house", "decision", "early_house")
    return (
        None if record["at"] == 0 else Tampered(records, record["n"], kinds, slack=1)
    )  # or it is the deadline that comes too early now


def late_commitment(records: list[Json], chance: Random) -> Tampered | None:
    """The house changes its mind just before the opening: other bytes, a fitting commitment, a fitting deal."""
    place = next(n for n, record in enumerate(records) if named(record) == "Open")
    again = deepcopy(next(record for record in records if named(record) == "Prepare"))
    again.pop("carry", None)
    house = chance.randbytes(32)
    again["command"]["house"] = again["events"][0]["house"] = house.hex()
    again["events"][0]["commitment"] = commitment(house, again["table"], again["round"]).hex()
    again["n"], again["at"] = records[place]["n"], records[place]["at"]
    records.insert(place, again)
    return Tampered(renumbered(records, place + 1, 1), again["n"], ("extra_house", "missing_house"))


def other_bytes(records: list[Json], chance: Random) -> Tampered | None:
    """The house's bytes are not those of the commitment."""
    record = next(record for record in records if named(record) == "Prepare")
    record["command"]["house"] = record["events"][0]["house"] = chance.randbytes(32).hex()
    return Tampered(records, record["n"], ("decision",))


def other_deal(records: list[Json], chance: Random) -> Tampered | None:
    """Two cards of two hands are exchanged in the deal."""
    record = next(record for record in records if named(record) == "Open")
    dealt = next(each for each in record["events"] if "hands" in each)
    one, other = dealt["hands"][0], dealt["hands"][1]
    one[0], other[0] = other[0], one[0]
    return Tampered(records, record["n"], ("decision",))


def other_points(records: list[Json], chance: Random) -> Tampered | None:
    award = records[-1]
    side = chance.randrange(len(award["command"]["points"]))
    award["command"]["points"][side] += 1
    award["events"][0]["points"][side] += 1
    return Tampered(records, award["n"], ("award", "decision"))


def other_seat(records: list[Json], chance: Random) -> Tampered | None:
    places = [n for n in from_players(records) if records[n]["by"]["seat"] is not None]
    if not places:
        return None
    record = records[chance.choice(places)]
    record["by"]["seat"] ^= 1
    return Tampered(records, record["n"], ("sender",))


def tail_cut(records: list[Json], chance: Random) -> Tampered | None:
    left = chance.randrange(1, len(records))
    return Tampered(records[:left], records[left - 1]["n"], ("award",))


def other_form(records: list[Json], chance: Random) -> Tampered | None:
    """A field too many, too few, or of another type."""
    record = records[chance.randrange(1, len(records))]
    change = chance.choice(("more", "less", "type", "both"))
    if change == "more":
        record["command"]["at"] = 1
    elif change == "less":
        del record["salt"]
    elif change == "type":
        record["epoch"] = "1"
    else:
        record["events"], record["refused"] = [], {"code": "too_soon"}
    return Tampered(records, record["n"], ("bytes", "form"))


ALL: tuple[Tampering, ...] = (
    dropped, deadline_left_out, exchanged, doubled, house_doubled, refused_made_accepted, request_made_true,
    accepted_refused, refusal_changed, moved_before, house_too_late, house_too_early, past_a_deadline,
    late_commitment, other_bytes, other_deal, other_points, other_seat, tail_cut, other_form,
)  # fmt: skip


def tampered(records: list[Json], chance: Random, ways: Iterable[Tampering] = ALL) -> Iterator[tuple[str, Tampered]]:
    """Every tampering that this round has a place for, each on its own copy."""
    text = json.dumps(records)
    for way in ways:
        found = way(json.loads(text), chance)
        if found is not None and found.records != records:
            yield way.__name__, found
