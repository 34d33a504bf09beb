"""Views of Kwartet as the table would send them, written by hand: moments that a real game reaches seldom."""

from collections.abc import Mapping

from tests.web import scenes
from tests.web.scenes import SECOND, View, now

NAMES = ("Ada", "Mila", "Noor", "Teun", "Sacha", "Fenna")
ANIMALS = {
    "Forest": ("🦊Fox", "🦔Hedgehog", "🦉Owl", "🦌Deer"),
    "Sea": ("🐋Whale", "🐙Octopus", "🦀Crab", "🦈Shark"),
    "Savanna": ("🦁Lion", "🐘Elephant", "🦓Zebra", "🦒Giraffe"),
    "Farm": ("🐄Cow", "🐖Pig", "🐑Sheep", "🐐Goat"),
    "Insects": ("🐝Bee", "🐜Ant", "🦋Butterfly", "🐞Ladybird"),
    "Pond": ("🦢Swan", "🐸Frog", "🦆Duck", "-Water strider"),
    "Whales and dolphins": ("-blue whale", "-sperm whale", "-orca", "-narwhal"),
    "Bears": ("-polar bear", "🐻brown bear", "🐼giant panda", "-sun bear"),
}
FACTS = {"Fox": "Finds its way by the earth’s magnetic field, too.", "Hedgehog": "Has about five thousand spines."}
ORDINARY = dict.fromkeys(("7", "8", "9", "10", "J", "Q", "K", "A"), ("-S", "-H", "-D", "-C"))

Cards = list[dict[str, str]]


def pack(name: str, families: Mapping[str, tuple[str, ...]]) -> View:
    """A pack: a member is written with its picture in front, `-` for none."""
    return {"name": name, "language": None if name == "ordinary" else "en", "hash": "0" * 64, "families": [
        {"name": family, "members": [
            {"name": each[1:], "picture": None if each[0] == "-" else each[0], "fact": FACTS.get(each[1:])}
            for each in members
        ]} for family, members in families.items()
    ]}  # fmt: skip


def card(text: str) -> dict[str, str]:
    """`Forest Fox` -> a card."""
    family, _, member = text.rpartition("/")
    return {"family": family, "member": member}


def cards(*texts: str) -> Cards:
    """Cards by their families and members."""
    return [card(text) for text in texts]


HAND = cards("Forest/Fox", "Forest/Owl", "Sea/Octopus", "Sea/Crab", "Sea/Shark", "Savanna/Zebra")
ASKS = [
    {"by": 2, "to": 3, "card": card("Savanna/Lion"), "given": False},
    {"by": 3, "to": 2, "card": card("Forest/Deer"), "given": True},
    {"by": 3, "to": 0, "card": card("Sea/Whale"), "given": False},
]


def table(n: int, phase: str, **more: object) -> View:
    """The public part of a view."""
    seats = [scenes.seat(n * 2, i, cards=5 + i % 3) for i in range(n)]
    for i, seat in enumerate(seats):
        seat["name"] = NAMES[i]
        for other in ("team", "channel", "swap_ready_at"):
            del seat[other]
    it: View = {
        "game": "kwartet", "seats": seats, "phase": phase, "reason": None, "round": 1, "turn": 0, "dealer": n - 1,
        "deadline": now() + 42 * SECOND, "stock": 0, "watching": 0, "pack": pack("Animals", ANIMALS),
        "after_miss": "asked", "exposed": [{"family": "Farm", "seat": 1}, {"family": "Insects", "seat": 2 % n}],
        "asks": [each for each in ASKS if int(str(each["by"])) < n and int(str(each["to"])) < n], "points": [0] * n,
        "winners": [], "commitment": "7f3a91c20b5e" + "0" * 52, "last_round": None,
    }  # fmt: skip
    return {**it, **more}


def mine(public: View, hand: Cards) -> View:
    """What seat 0 sees besides: on its turn all that it misses can be asked of everyone."""
    seats, families = public["seats"], public["pack"]
    assert isinstance(seats, list)
    assert isinstance(families, dict)
    held = {each["family"] for each in hand}
    whole = [
        {"family": family["name"], "member": member["name"]}
        for family in families["families"] if family["name"] in held for member in family["members"]
    ]  # fmt: skip
    missing = [each for each in whole if each not in hand]
    may = public["turn"] == 0 and public["phase"] == "playing"
    can_ask = [{"seat": to, "cards": missing} for to in range(1, len(seats))] if may else []
    return {"seat": 0, "hand": hand, "can_ask": can_ask, "can": ["Ask"] if may else []}


def asking(n: int = 4) -> tuple[View, View]:
    """My turn, in a game of Animals."""
    public = table(n, "playing")
    return public, mine(public, HAND)


def late(n: int = 6) -> tuple[View, View]:
    """Six players, three of whom hold families; one is away, one a bot, one has no cards left. I laid down Pond."""
    public = table(n, "playing", turn=2, exposed=[
        {"family": "Farm", "seat": 1}, {"family": "Insects", "seat": 2}, {"family": "Pond", "seat": 0},
        {"family": "Whales and dolphins", "seat": 2},
    ])  # fmt: skip
    seats = public["seats"]
    assert isinstance(seats, list)
    seats[1].update(connected=False)
    seats[3].update(bot=True, cards=12)
    seats[4].update(cards=0)
    return public, mine(public, HAND)


def ordinary(turn: int = 1) -> tuple[View, View]:
    """The ordinary deck, at another's turn."""
    asks = [
        {"by": 0, "to": 2, "card": card("K/S"), "given": False},
        {"by": 2, "to": 3, "card": card("J/C"), "given": True},
        {"by": 2, "to": 1, "card": card("J/H"), "given": False},
    ]
    public = table(4, "playing", turn=turn, pack=pack("ordinary", ORDINARY), exposed=[{"family": "7", "seat": 3}])
    public["asks"] = asks
    return public, mine(public, cards("Q/S", "Q/C", "Q/D", "K/H", "10/S", "10/H", "8/D"))


def two() -> tuple[View, View]:
    """Two players and a stock; nobody has asked yet."""
    public = table(2, "playing", stock=16, exposed=[], asks=[])
    return public, mine(public, cards("Bears/sun bear", *(f"{each['family']}/{each['member']}" for each in HAND)))


def full() -> tuple[View, View]:
    """A card of each of eight families."""
    public = table(3, "playing", exposed=[])
    first = [f"{name}/{members[0][1:]}" for name, members in ANIMALS.items()]
    return public, mine(public, cards(*first, "Forest/Owl", "Sea/Crab", "Sea/Shark", "Whales and dolphins/narwhal"))


def nobody_left() -> tuple[View, View]:
    """I have no cards any more."""
    public = table(4, "playing", turn=1, exposed=[{"family": "Farm", "seat": 0}, {"family": "Sea", "seat": 0}])
    return public, mine(public, [])


def preparing() -> tuple[View, View]:
    """Preparation; Mila is ready."""
    public = table(4, "preparing", turn=None, asks=[], exposed=[], deadline=now() + 21 * SECOND)
    seats = public["seats"]
    assert isinstance(seats, list)
    seats[1].update(ready=True)
    return public, {**mine(public, []), "can": ["CommitEntropy", "Ready"]}


def over(shared: bool = False, left: tuple[str, ...] = ()) -> tuple[View, View]:
    """The end; Ada first, or Ada and Noor together."""
    at = {"Forest": 0, "Sea": 0, "Savanna": 0, "Farm": 1, "Insects": 2, "Pond": 2, "Whales and dolphins": 3, "Bears": 3}
    if shared:
        at["Bears"] = 2
    points = [sum(seat == each for each in at.values()) for seat in range(4)]
    public = table(4, "over", turn=None, round=2, deadline=None, points=points)
    public["exposed"] = [{"family": name, "seat": seat} for name, seat in at.items() if name not in left]
    public["winners"] = [seat for seat in range(4) if points[seat] == max(points)]
    public["last_round"] = {"how": "ask", "by": 0, "complete": not left, "hands": [[]] * 4, "left": list(left)}
    return public, {**mine(public, []), "can": ["NewGame"]}
