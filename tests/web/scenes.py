"""Views as the table would send them, written by hand: moments that a real game reaches seldom or never for long."""

import copy
import time

TABLE = "01890a5d-ac96-774b-bcce-b302099a8057"
NAMES = ("Ada", "Cas", "Bo", "Dee", "Eli", "Fay", "Gus", "Hana")
SECOND = 1_000_000

View = dict[str, object]


def now() -> int:
    """The stage's clock, in µs."""
    return time.time_ns() // 1000


def seat(n: int, i: int, **more: object) -> View:
    """A seated, connected player."""
    silent = {"held": False, "emoji": None, "next_beat": None}
    it: View = {"player": f"p{i}", "name": NAMES[i], "bot": False, "connected": True, "host": i == 0, "ready": False}
    return {**it, "cards": 4, "team": i % (n // 2), "channel": silent, "swap_ready_at": None, **more}


def showing(emoji: str | None) -> View:
    """A channel that is held, showing something or nothing yet."""
    return {"held": True, "emoji": emoji, "next_beat": now() + 5 * SECOND if emoji else None}


def table(n: int, phase: str, **more: object) -> View:
    """The public part of a view."""
    it: View = {
        "game": "quatro", "seats": [seat(n, i) for i in range(n)], "phase": phase, "reason": None, "round": 6,
        "deadline": now() + 127 * SECOND, "commitment": "7f3a91c20b5e" + "0" * 52, "centre": [],
        "points": [3, 2, 1, 4][: n // 2], "vote": None, "vote_ready_at": None, "reshuffled": False, "replaced": [],
        "watching": 3, "last_round": None, "winners": [],
    }  # fmt: skip
    return {**it, **more}


def mine(phase: str, **more: object) -> View:
    """What seat 0 sees besides."""
    can = {
        "playing": ["SwapCard", "TakeChannel", "CallQuatro", "CallCounter", "AskReshuffle"],
        "preparing": ["PickSign", "CommitEntropy", "Ready"],
        "seating": ["StartGame", "AddBot", "Leave"],
        "break": ["EndBreak", "Ready", "Leave"],
        "over": ["NewGame", "Leave"],
    }
    it: View = {"seat": 0, "hand": [], "sign": None, "last_sign": "🚲", "channel_ready_at": None, "emoji_next": None}
    return {**it, "can": can.get(phase, []), **more}


def playing(n: int) -> tuple[View, View]:
    """An open round: three kings in hand, the fourth in the centre."""
    public = table(n, "playing", centre=["KC", "JH", "AS", "10D"])
    seats = [seat(n, i) for i in range(n)]
    seats[0]["channel"] = showing("🚀")
    seats[1]["channel"] = showing(None)
    seats[n // 2]["channel"] = showing("🌵")
    seats[n - 1]["swap_ready_at"] = now() + 2 * SECOND
    if n > 4:
        seats[2].update(bot=True, player="bot")
        seats[n - 2].update(connected=False)
        seats[n - 1]["channel"] = showing("🧦")
    public["seats"] = seats
    own = mine("playing", hand=["KS", "KD", "QC", "KH"], sign="🍍", channel_ready_at=None)
    own["can"] = ["SwapCard", "GiveChannel", "ShowEmoji", "CallQuatro", "CallCounter", "AskReshuffle"]
    return public, own


def playing4() -> tuple[View, View]:
    """An open round of four."""
    return playing(4)


def voting() -> tuple[View, View]:
    """Dee asks for a reshuffle; Ada and Cas have not answered."""
    public, own = playing(4)
    public["vote"] = {"asker": 3, "agreed": [2], "deadline": now() + 14 * SECOND}
    own["can"] = ["SwapCard", "GiveChannel", "ShowEmoji", "CallQuatro", "CallCounter", "AnswerReshuffle"]
    return public, own


def own_four() -> tuple[View, View]:
    """All four kings in the own hand."""
    public, own = playing(4)
    public["centre"], own["hand"] = ["QC", "JH", "AS", "10D"], ["KS", "KD", "KC", "KH"]
    return public, own


def stopped(n: int, how: str = "call", phase: str = "break") -> tuple[View, View]:
    """After a stop: kings with seat 0, called by the partner, or a draw, or a wrong Counter!."""
    deck = [r + s for r in ["K", "Q", "J", "10", "A", "9", "8", "7"] for s in "SHDC"]
    hands = [
        deck[4 * i : 4 * i + 4] if i == 0 else [deck[4 * (i + k) % (4 * n) + k] for k in range(4)] for i in range(n)
    ]
    last: View = {
        "how": how, "by": "house" if how == "time" else n // 2 if how == "call" else 1,
        "team": None if how == "time" else 0 if how == "call" else (n // 2) - 1,
        "right": None if how == "time" else how == "call", "hands": hands, "centre": ["AS", "AH", "AD", "AC"],
        "fours": [{"seat": 0, "rank": "K"}], "signs": ["🍍", "🚲", "🦊", "☔"][: n // 2],
        "awarded": [0 if how == "time" else int(i == 0) for i in range(n // 2)], "revealed": None,
    }  # fmt: skip
    if how == "counter":
        last["awarded"] = [int(i == (n // 2) - 1) for i in range(n // 2)]
    public = table(n, phase, last_round=last, deadline=None if phase in ("over", "scoring") else now() + 24 * SECOND)
    if phase != "scoring":
        public["round"] = 7  # at the Award the number already counts for the next
    if phase == "over":
        public["winners"], public["points"] = [0], [5, 3, 2, 1][: n // 2]
    return public, mine(phase)


def preparing(n: int, sign: str | None = None) -> tuple[View, View]:
    """Preparation; seat 1 and the partner are ready."""
    public = table(n, "preparing", deadline=now() + 21 * SECOND)
    seats = [seat(n, i, cards=0, ready=i in (1, n // 2)) for i in range(n)]
    public["seats"] = seats
    own = mine("preparing", sign=sign)
    if sign:
        own["can"] = ["CommitEntropy", "Ready"]
    return public, own


def seating(n: int, free: int = 1) -> tuple[View, View]:
    """The table being laid, the last seats free."""
    empty = {"player": None, "name": None, "connected": False, "host": False}
    seats = [seat(n, i, cards=0, **(empty if i >= n - free else {})) for i in range(n)]
    seats[1].update(bot=True, connected=False)
    return table(n, "seating", seats=seats, round=0, deadline=None, commitment=None), mine("seating")


def watched(scene: tuple[View, View]) -> tuple[View, None]:
    """The same, for who has no seat."""
    return copy.deepcopy(scene[0]), None
